//! split-window: make a pane beside another.

use super::*;
use crate::layout::{Axis, Layout, Split};
use crate::spawn::Wanted;
use crate::target::{Found, Kind};

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "split-window",
        alias: Some("splitw"),
        template: Template::text("bB:c:de:EfF:hIkl:m:p:PR:s:S:t:T:vWZ", 0, None),
        usage: "[-bdefhIklPvZ] [-c start-directory] [-e environment] [-F format] [-l size] [-m message] [-p percentage] [-s style] [-S active-border-style] [-R inactive-border-style] [-t target-pane] [shell-command [argument ...]]",
    },
    "Split a pane in two",
    |mux, context| make(mux, context, false, true),
)
.target(Spec::of('t', Kind::Pane));

/// Where a new pane is to be.
struct Place {
    layout: Layout,
    pane: PaneId,
    size: Extent,
}

/// Make a pane that floats or is tiled; `splits` when it comes out of the target.
pub(super) fn make(mux: &mut Mux, context: &mut Context<'_>, floats: bool, splits: bool) -> Outcome {
    let (Some(session), Some(window), Some(target)) =
        (context.target.session, context.target.window, context.target.pane)
    else {
        return DONE;
    };
    check_modal(mux, context, window, floats)?;
    let draws = context.has('M') && floats;
    if draws && (context.state.mouse_event.is_none() || context.client.is_none()) {
        return DONE;
    }
    let (argv, empty) = command_words(context)?;
    let over_zoom = floats && (context.has('A') || context.has('O'));
    let zoom = leave_zoom(mux, context, window, splits.then_some(target), over_zoom);
    let place = match place(mux, context, (window, target), floats) {
        Ok(place) => place,
        Err(error) => {
            mux.return_to_zoom(window, zoom);
            return Err(error);
        }
    };
    let wanted = Wanted {
        argv,
        cwd: context.get('c').map(|cwd| absolute(mux, context, &cwd)),
        environment: assignments(&context.arguments().all('e').map(str::to_owned).collect::<Vec<_>>()),
        client: context.client,
        empty,
        ..Wanted::default()
    };
    let started = mux.start_pane(context.world, session, window, crate::spawn::extent_size(place.size), &wanted);
    let pane = started.map_err(|error| {
        mux.return_to_zoom(window, zoom);
        CommandError(format!("create pane failed: {error}"))
    })?;
    debug_assert_eq!(pane, place.pane);
    if let Some(entry) = mux.windows.get_mut(&window) {
        let shown = place.layout.rect(pane);
        entry.layout = place.layout;
        let under = entry.modal;
        if let Some((zoom, rect)) = entry.zoom.as_mut().zip(shown).filter(|_| over_zoom) {
            zoom.add_floating(pane, rect, under);
        }
    }
    if let Some(entry) = mux.panes.get_mut(&pane) {
        entry.over_zoom = over_zoom;
        entry.takes_all_keys = context.has('K') && context.has('O');
        entry.closes_on_click = context.has('C') && context.has('O');
    }
    set_styles(mux, context, pane)?;
    if context.has('O') {
        mux.make_modal(window, pane);
    } else if !context.has('d') {
        mux.focus_new_pane(context.client, window, pane);
    }
    mux.fire_created(pane, empty, false);
    mux.layout_changed(window);
    mux.return_to_zoom(window, zoom);
    if context.has('Z') && !floats {
        mux.zoom(window, None);
        mux.fill_window(window, pane);
    }
    if draws {
        mux.draw_up(context, pane);
    }
    born(mux, context, pane)
}

/// The command of a new pane, and whether it is to have none.
pub(super) fn command_words(context: &Context<'_>) -> Result<(Vec<String>, bool), CommandError> {
    let words = context.words();
    let blank = words == [""];
    let empty = blank || context.has('E') || context.has('I');
    if empty && !words.is_empty() && !blank {
        return Err("command cannot be given for empty pane".into());
    }
    Ok((if empty { Vec::new() } else { words }, empty))
}

/// What is modal floats, and there is one of them in a window.
fn check_modal(mux: &Mux, context: &Context<'_>, window: WindowId, floats: bool) -> Result<(), CommandError> {
    if !context.has('O') {
        return Ok(());
    }
    if !floats {
        return Err("modal pane must be floating".into());
    }
    let taken = mux.windows.get(&window).is_some_and(|window| window.modal.is_some());
    if taken { Err("window already has a modal pane".into()) } else { Ok(()) }
}

/// End the zoom of a window that gets a pane, unless that one floats over it. What is returned is zoomed again
/// afterwards: with a pane over it the user goes on looking at that one.
fn leave_zoom(
    mux: &mut Mux,
    context: &Context<'_>,
    window: WindowId,
    splits: Option<PaneId>,
    over_zoom: bool,
) -> Option<PaneId> {
    let entry = mux.windows.get(&window).filter(|entry| entry.zoomed() && !over_zoom)?;
    let returns = entry.over_zoom() && splits.is_none_or(|pane| entry.shows(pane)) && !context.has('Z');
    let zoomed = entry.zoomed_pane();
    mux.unzoom(window);
    zoomed.filter(|_| returns)
}

/// The new pane's place, on a copy, so that its program starts with its size and a failure leaves no trace.
fn place(
    mux: &mut Mux,
    context: &Context<'_>,
    (window, target): (WindowId, PaneId),
    floats: bool,
) -> Result<Place, CommandError> {
    let pane = PaneId(mux.next.pane);
    let border = new_pane::border_wanted(mux, context, window)?;
    let axis = if context.has('h') { Axis::LeftRight } else { Axis::TopBottom };
    let full = context.has('f');
    let layout = if floats {
        let rect = new_pane::floating_place(mux, context, window, border, None)
            .map_err(|error| crowded(error.0.strip_prefix("position ").unwrap_or(&error.0)))?;
        let entry = &mux.windows[&window];
        crate::floating::with_floating(&entry.layout, pane, rect, entry.modal)
    } else {
        if mux.windows[&window].layout.is_floating(target) {
            return Err(crowded("can't split a floating pane"));
        }
        let base = mux.windows[&window].layout.split_base(target, axis, full);
        let size = wanted_size(mux, context, base)?;
        let mut layout = mux.windows[&window].layout.clone();
        let how = Split { axis, before: context.has('b'), full, size };
        layout.split(target, pane, how).map_err(|error| crowded(&error.to_string()))?;
        layout
    };
    let rect = layout.rect(pane);
    let size = rect.map_or(Extent { width: 1, height: 1 }, |rect| Extent { width: rect.width, height: rect.height });
    Ok(Place { layout, pane, size })
}

fn crowded(error: &str) -> CommandError {
    CommandError(format!("size or position {error}"))
}

/// What follows when a pane is there: what is printed, read and waited for.
fn born(mux: &mut Mux, context: &mut Context<'_>, pane: PaneId) -> Outcome {
    let found = Found { pane: Some(pane), ..context.target };
    if !context.has('d') {
        context.state.current.set(Some(found));
    }
    if context.has('P') {
        let format = context.get('F').unwrap_or_else(|| NEW_FORMAT.to_owned());
        let text = mux.expand_in(context, found, &format);
        mux.print(context, &text);
    }
    context.hook_after(mux, "after-split-window", found);
    if context.has('I')
        && let Some(client) = context
            .client
            .filter(|id| mux.clients.get(id).is_some_and(|client| client.session.is_none() && !client.is_control()))
    {
        let wait = mux.read_stdin(client);
        context.run_after(vec![Item::callback(context.state.clone(), move |mux, _| {
            let data = mux.take_stdin(client);
            mux.show_bytes(pane, &data);
            DONE
        })]);
        return Ok(Flow::Wait(wait));
    }
    if context.has('W') { Ok(Flow::Wait(Wait::Pane(pane))) } else { DONE }
}

/// What tmux says of a size it can't read.
pub(super) const BAD_SIZE: &str = "invalid tiled geometry";

/// Cells that -l or -p ask for.
pub(super) fn wanted_size(mux: &Mux, context: &Context<'_>, base: u32) -> Result<Option<u32>, CommandError> {
    let most = i64::from(i32::MAX);
    let size = if context.has('l') {
        new_pane::measure(mux, context, 'l', (0, most), base)
    } else if let Some(text) = context.get('p') {
        let text = mux.expand_in(context, context.target, &text);
        crate::number::number(&text, 0, 100).map(|percent| Some(i64::from(base) * percent / 100))
    } else {
        return Ok(None);
    };
    let size = size.map_err(|error| CommandError(format!("{BAD_SIZE} {error}")))?;
    Ok(size.map(|size| u32::try_from(size).unwrap_or(u32::MAX)))
}

fn set_styles(mux: &mut Mux, context: &Context<'_>, pane: PaneId) -> Result<(), CommandError> {
    let rows = [
        ('s', "window-style", "bad style"),
        ('s', "window-active-style", "bad style"),
        ('S', "pane-active-border-style", "bad active border style"),
        ('R', "pane-border-style", "bad inactive border style"),
        ('m', "remain-on-exit-format", "bad message"),
    ];
    let Some(entry) = mux.panes.get_mut(&pane) else { return Ok(()) };
    for (flag, option, error) in rows {
        if let Some(value) = context.get(flag) {
            set_checked(&mut entry.options, option, &value).ok_or_else(|| CommandError(format!("{error}: {value}")))?;
        }
    }
    if let Some(lines) = context.get('B') {
        entry.options.set_text("pane-border-lines", &lines);
    }
    if context.has('k') || context.has('m') {
        entry.options.set_text("remain-on-exit", "key");
    }
    if let Some(title) = context.get('T') {
        let title = mux.expand_in(context, Found { pane: Some(pane), ..context.target }, &title);
        mux.set_pane_title(pane, &title);
    }
    Ok(())
}
