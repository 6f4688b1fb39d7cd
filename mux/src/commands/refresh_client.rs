//! refresh-client: draw a client anew, or tell the server what a control client wants.

use super::*;

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "refresh-client",
        alias: Some("refresh"),
        template: Template::text("A:B:cC:Df:r:F:lLRSt:U", 0, Some(1)),
        usage: "[-cDlLRSU] [-A pane:state] [-B name:what:format] [-C XxY] [-f flags] [-r pane:report] [-t target-client] [adjustment]",
    },
    "Refresh a client",
    run,
)
.client('t', false)
.after_hook()
.read_only_but("lr");

fn run(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let Some(id) = context.target_client else { return DONE };
    if "cLRUD".chars().any(|flag| context.has(flag)) {
        return pan(mux, context, id);
    }
    if context.has('l') {
        mux.effect(Effect::Terminal(id, b"\x1b]52;c;?\x07".to_vec()));
        return DONE;
    }
    for flag in ['F', 'f'] {
        if let Some(names) = context.get(flag) {
            mux.set_client_flags(id, &names);
        }
    }
    if let Some(report) = context.get('r') {
        mux.report_colours(&report);
    }
    let all = |flag: char| context.arguments().all(flag).map(str::to_owned).collect::<Vec<String>>();
    let control = mux.clients.get(&id).is_some_and(crate::Client::is_control);
    if "ABC".chars().any(|flag| context.has(flag)) && !control {
        return Err("not a control client".into());
    }
    if context.has('A') {
        for word in all('A') {
            if let Some((pane, action)) = word.split_once(':')
                && let Some(pane) = PaneId::parse(pane).filter(|pane| mux.panes.contains_key(pane))
            {
                mux.event(Event::PaneFlow(id, pane, action.to_owned()));
            }
        }
        return DONE;
    }
    if context.has('B') {
        for word in all('B') {
            subscribe(mux, context, id, &word);
        }
        return DONE;
    }
    if let Some(size) = context.get('C') {
        return set_size(mux, context, id, &size);
    }
    if let Some(client) = mux.clients.get_mut(&id).filter(|_| context.has('S')) {
        client.refreshes = client.refreshes.wrapping_add(1);
        mux.redraw();
        return DONE;
    }
    mux.redraw_client(id);
    DONE
}

fn pan(mux: &mut Mux, context: &Context<'_>, id: ClientId) -> Outcome {
    let adjust = match context.argument(0) {
        None => 1,
        Some(text) => {
            crate::number::number(&text, 1, i64::from(i32::MAX)).map_err(|error| format!("adjustment {error}"))?
        }
    };
    let adjust = adjust as u32;
    if let Some(client) = mux.clients.get_mut(&id) {
        let (x, y) = client.view;
        client.pan = if context.has('c') {
            (0, 0)
        } else if context.has('L') {
            (x.saturating_sub(adjust), y)
        } else if context.has('R') {
            (x.saturating_add(adjust), y)
        } else if context.has('U') {
            (x, y.saturating_sub(adjust))
        } else {
            (x, y.saturating_add(adjust))
        };
    }
    mux.redraw();
    DONE
}

/// `name:what:format`; without a colon the subscription ends; with one colon nothing happens.
fn subscribe(mux: &mut Mux, context: &Context<'_>, id: ClientId, word: &str) {
    let mut parts = word.splitn(3, ':');
    let (name, what, format) = (parts.next().unwrap_or(""), parts.next(), parts.next());
    let Some(client) = mux.clients.get_mut(&id) else { return };
    match (what, format) {
        (None, _) => {
            client.subscriptions.retain(|(other, ..)| other != name);
            mux.event(Event::Unsubscribed(id, name.to_owned()));
        }
        (Some(_), None) => {}
        (Some(what), Some(format)) => {
            client.subscriptions.retain(|(other, ..)| other != name);
            client.subscriptions.push((name.to_owned(), what.to_owned(), format.to_owned()));
            mux.timers
                .set_once(crate::timer::Timer::Subscriptions, context.now.instant + std::time::Duration::from_secs(1));
        }
    }
}

fn set_size(mux: &mut Mux, context: &Context<'_>, id: ClientId, text: &str) -> Outcome {
    let pair = |text: &str| -> Option<(u32, u32)> {
        let (width, height) = text.split_once(['x', ','])?;
        Some((width.parse().ok()?, height.parse().ok()?))
    };
    let limits = crate::size::WINDOW_MINIMUM..=crate::size::WINDOW_MAXIMUM;
    let checked = |(width, height): (u32, u32)| {
        let fits = limits.contains(&width) && limits.contains(&height);
        fits.then_some((width as u16, height as u16)).ok_or("size too small or too big")
    };
    if let Some((window, size)) = text.strip_prefix('@').and_then(|rest| rest.split_once(':')) {
        let window: u32 = window.parse().map_err(|_| "bad size argument")?;
        let size = if size.is_empty() { None } else { Some(checked(pair(size).ok_or("bad size argument")?)?) };
        if let Some(client) = mux.clients.get_mut(&id) {
            match size {
                Some(size) => client.window_sizes.insert(WindowId(window), size),
                None => client.window_sizes.remove(&WindowId(window)),
            };
        }
    } else {
        let size = checked(pair(text).ok_or("bad size argument")?)?;
        if let Some(client) = mux.clients.get_mut(&id) {
            client.size = Some(size);
        }
        mux.touch_client(context.now, id);
    }
    mux.recalculate_sizes_now();
    DONE
}
