//! break-pane: give a pane a window of its own.

use super::*;
use crate::target::{Found, Kind};

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "break-pane",
        alias: Some("breakp"),
        template: Template::text("abdPF:n:s:t:", 0, Some(0)),
        usage: "[-abdP] [-F format] [-n window-name] [-s src-pane] [-t dst-window]",
    },
    "Break a pane out into a window",
    run,
)
.source(Spec::of('s', Kind::Pane))
.target(Spec::of('t', Kind::Window).window_index());

fn run(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let (Some(old), Some(pane)) = (context.source.window, context.source.pane) else { return DONE };
    let Some(session) = context.target.session else { return DONE };
    let name = context.get('n').map(|name| checked_name(mux, context, &name, "window")).transpose()?;
    let mut index = context.target.index.filter(|_| context.has('t'));
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
