//! move-window and link-window: give a window another index, or a place in another session.

use super::*;
use crate::target::{Found, Kind};

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
.source(Spec::of('s', Kind::Window));

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
.source(Spec::of('s', Kind::Window));

/// What `-t` names: a place for a window, or with `-r` a session.
fn target_of(mux: &Mux, context: &Context<'_>, kind: Kind) -> Result<Found, String> {
    let spec = Spec { window_index: kind == Kind::Window, ..Spec::of('t', kind) };
    let current = mux.current(context, false);
    crate::target::find(mux, spec, context.arguments().get('t'), current, context.state.mouse)
}

fn run(mux: &mut Mux, context: &mut Context<'_>, moves: bool) -> Outcome {
    if moves && context.has('r') {
        // As in tmux nothing is said of a session that is not there.
        let found = target_of(mux, context, Kind::Session).unwrap_or_default();
        let Some(session) = found.session else { return DONE };
        mux.renumber(session);
        mux.recalculate_sizes();
        return DONE;
    }
    let target = target_of(mux, context, Kind::Window)?;
    let (Some(from), Some(old), Some(window)) = (context.source.session, context.source.index, context.source.window)
    else {
        return DONE;
    };
    let Some(session) = target.session else { return DONE };
    if from != session && mux.grouped_together(from, session) {
        return Err("sessions are grouped".into());
    }
    let mut index = target.index;
    if context.has('a') || context.has('b') {
        // Beside a window that is not there means beside the current one.
        let beside = target.index.filter(|_| target.window.is_some());
        index = mux.make_room(session, beside, context.has('b'));
    }
    let old = mux.sessions.get(&from).and_then(|entry| entry.index_of(window)).unwrap_or(old);
    let base = mux.session_number(session, "base-index") as i32;
    let Some(entry) = mux.sessions.get(&session) else { return DONE };
    let index = index.unwrap_or_else(|| entry.free_index(base));
    let mut selects = !context.has('d');
    if let Some(taken) = entry.windows.get(&index).map(|link| link.window) {
        if taken == window {
            return Err(format!("same index: {index}").into());
        }
        if !context.has('k') {
            return Err(format!("index in use: {index}").into());
        }
        selects |= entry.current == index;
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
    if selects || (from == session && current && moves) {
        mux.select_window(session, index);
    }
    if moves {
        mux.unlink_window(context.now, from, old);
    }
    // A place that was chosen by hand stays what it is.
    if !context.has('s') && mux.sessions.contains_key(&from) && mux.session_flag(from, "renumber-windows") {
        mux.renumber(from);
    }
    mux.recalculate_sizes();
    mux.changed();
    DONE
}
