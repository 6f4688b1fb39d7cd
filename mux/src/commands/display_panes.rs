//! display-panes: number the panes of a client, and go to the one whose number is typed. Where -t names a pane, or with -k,
//! -s or -Z, it is a mode of a pane that shows them, as after tmux 3.7.

use super::*;
use crate::mode::Showing;
use crate::overlay::Numbers;
use crate::target::{Found, Kind, find};

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "display-panes",
        alias: Some("displayp"),
        template: Template::commands("bd:kNs:t:Z", 0, Some(1)),
        usage: "[-bN] [-d duration] [-t target-client] [template]",
    },
    "Show the numbers of panes",
    run,
)
.client_or_pane('t')
.after_hook();

fn run(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let mode = ['k', 's', 'Z'].into_iter().any(|flag| context.has(flag));
    match context.target_client.filter(|_| !mode) {
        Some(client) => over_client(mux, context, client),
        None => in_pane(mux, context),
    }
}

/// How long they are shown.
fn duration(mux: &Mux, context: &Context<'_>, session: Option<SessionId>) -> Result<u64, CommandError> {
    let ms = match context.has('d') {
        true => context.arguments().number('d', 0, i64::from(u32::MAX)).map_err(|error| format!("delay {error}"))?,
        false => session.map_or(1000, |session| mux.session_number(session, "display-panes-time")),
    };
    Ok(ms.max(0) as u64)
}

fn template(context: &Context<'_>) -> String {
    context.argument(0).unwrap_or_else(|| "select-pane -t \"%%%\"".to_owned())
}

fn over_client(mux: &mut Mux, context: &mut Context<'_>, id: ClientId) -> Outcome {
    let Some(client) = mux.clients.get(&id).filter(|client| client.is_drawn() && client.overlay.is_none()) else {
        return DONE;
    };
    let ms = duration(mux, context, client.session)?;
    let numbers = Numbers {
        template: template(context),
        takes_keys: !context.has('N'),
        waits: !context.has('b'),
        state: context.state.clone(),
    };
    Ok(mux.show_numbers(context.now, id, numbers, ms))
}

fn in_pane(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let target = |flag: char, kind: Kind| {
        let (named, current) = (context.get(flag), mux.current(context, false));
        find(mux, Spec::of(flag, kind), named.as_deref(), current, context.state.mouse).map_err(|error| (named, error))
    };
    let place = target('t', Kind::Pane).map_err(|(named, error)| match named {
        Some(name) => format!("can't find client: {}", name.strip_suffix(':').unwrap_or(&name)),
        None => error,
    })?;
    let source: Found = match context.has('s') {
        true => target('s', Kind::Window).map_err(|(_, error)| error)?,
        false => place,
    };
    let Some(pane) = place.pane else { return DONE };
    context.target = place;
    let showing = Showing {
        place: source,
        template: template(context),
        takes_keys: !context.has('N'),
        zooms: !context.has('Z'),
        ms: duration(mux, context, place.session)?,
    };
    let before = mux.panes.get(&pane).map_or(0, |pane| pane.modes.len());
    mux.enter_panes_mode(context, pane, showing);
    if context.has('k') {
        mux.close_with_mode(pane, before);
    }
    DONE
}
