//! break-pane: give a pane a window of its own.

use super::*;
use crate::target::{Found, Kind};

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "break-pane",
        alias: Some("breakp"),
        template: Template::text("abdPF:n:s:t:Wx:X:y:Y:", 0, Some(0)),
        usage: "[-abdP] [-F format] [-n window-name] [-s src-pane] [-t dst-window]",
    },
    "Break a pane out into a window",
    run,
)
.source(Spec::of('s', Kind::Pane))
.target(Spec::of('t', Kind::Window).window_index());

/// -W: the pane stays in its window and floats.
fn float(mux: &mut Mux, context: &mut Context<'_>, window: WindowId, pane: PaneId) -> Outcome {
    let Some(entry) = mux.windows.get(&window) else { return DONE };
    if entry.layout.is_floating(pane) {
        return Err("pane is already floating".into());
    }
    if entry.zoomed() {
        return Err("can't float a pane while window is zoomed".into());
    }
    let border = mux.has_border(pane);
    let known = entry.layout.floated(pane);
    let rect = new_pane::floating_place(mux, context, window, border, known)
        .map_err(|error| CommandError(format!("failed to float pane: {error}")))?;
    if let Some(entry) = mux.windows.get_mut(&window) {
        entry.layout.float(pane, rect);
    }
    if !context.has('d') {
        mux.focus_pane(context.client, window, pane);
    }
    mux.layout_changed(window);
    context.hook_after(mux, "after-break-pane", context.source);
    DONE
}

fn run(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let (Some(old), Some(pane)) = (context.source.window, context.source.pane) else { return DONE };
    let Some(session) = context.target.session else { return DONE };
    if mux.windows.get(&old).is_some_and(|window| window.modal == Some(pane)) {
        return Err("pane is modal".into());
    }
    if context.has('W') {
        return float(mux, context, old, pane);
    }
    let name = context.get('n').map(|name| checked_name(mux, context, &name, "window")).transpose()?;
    let mut index = context.target.index;
    if context.has('a') || context.has('b') {
        index = mux.make_room(session, context.target.index, context.has('b'));
    }
    if let Some(index) = index.filter(|index| mux.sessions[&session].windows.contains_key(index)) {
        return Err(format!("index in use: {index}").into());
    }
    let (index, window) = mux.break_pane(context.now, session, index, name, old, pane);
    if !context.has('d') {
        mux.select_window(session, index);
    }
    mux.event(Event::WindowLinked(session, window));
    mux.recalculate_sizes();
    let found = Found {
        session: Some(session),
        index: Some(index),
        window: Some(window),
        pane: Some(pane),
        ..Found::default()
    };
    if !context.has('d') {
        context.state.current.set(Some(found));
    }
    if context.has('P') {
        let format = context.get('F').unwrap_or_else(|| NEW_FORMAT.to_owned());
        let text = mux.expand_in(context, found, &format);
        mux.print(context, &text);
    }
    context.hook_after(mux, "after-break-pane", found);
    DONE
}
