//! move-window and link-window: give a window another index, or a place in another session.

use super::*;
use crate::target::Kind;

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "move-window",
        alias: Some("movew"),
        template: Template::text("abdkrs:t:", 0, Some(0)),
        usage: "[-abdkr] [-s src-window] [-t dst-window]",
    },
    "Move a window",
    |mux, context| run(mux, context, true),
)
.source(Spec::of('s', Kind::Window))
.target(Spec::of('t', Kind::Window).window_index());

pub(crate) static LINK: Row = Row::new(
    Signature {
        name: "link-window",
        alias: Some("linkw"),
        template: Template::text("abdks:t:", 0, Some(0)),
        usage: "[-abdk] [-s src-window] [-t dst-window]",
    },
    "Link a window into another session",
    |mux, context| run(mux, context, false),
)
.source(Spec::of('s', Kind::Window))
.target(Spec::of('t', Kind::Window).window_index());

fn run(mux: &mut Mux, context: &mut Context<'_>, moves: bool) -> Outcome {
    let Some(session) = context.target.session else { return DONE };
    if moves && context.has('r') {
        mux.renumber(session);
        return DONE;
    }
    let (Some(from), Some(old), Some(window)) = (context.source.session, context.source.index, context.source.window)
    else {
        return DONE;
    };
    if from != session && mux.grouped_together(from, session) {
        return Err("sessions are grouped".into());
    }
    let mut index = context.target.index;
    if context.has('a') || context.has('b') {
        index = mux.make_room(session, context.target.index, context.has('b'));
    }
    let old = mux.sessions.get(&from).and_then(|entry| entry.index_of(window)).unwrap_or(old);
    let base = mux.session_number(session, "base-index") as i32;
    let Some(entry) = mux.sessions.get(&session) else { return DONE };
    let index = index.unwrap_or_else(|| entry.free_index(base));
    if let Some(taken) = entry.windows.get(&index).map(|link| link.window) {
        if taken == window {
            return Err(format!("same index: {index}").into());
        }
        if !context.has('k') {
            return Err(format!("index in use: {index}").into());
        }
        if let Some(entry) = mux.sessions.get_mut(&session) {
            entry.windows.remove(&index);
        }
        mux.event(Event::WindowUnlinked(session, taken));
        mux.drop_if_unlinked(taken);
    }
    let current = mux.sessions.get(&from).is_some_and(|entry| entry.current == old);
    if let Some(entry) = mux.sessions.get_mut(&session) {
        entry.windows.insert(index, Winlink::new(window));
    }
    mux.event(Event::WindowLinked(session, window));
    if !context.has('d') || (from == session && current && moves) {
        mux.select_window(session, index);
    }
    if moves {
        mux.unlink_window(context.now, from, old);
    }
    if mux.sessions.contains_key(&session) && mux.session_flag(session, "renumber-windows") {
        mux.renumber(session);
    }
    mux.recalculate_sizes();
    mux.changed();
    DONE
}
