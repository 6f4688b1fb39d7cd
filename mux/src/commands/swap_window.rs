//! swap-window: let two windows change places.

use super::*;
use crate::target::Kind;

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "swap-window",
        alias: Some("swapw"),
        template: Template::text("ds:t:", 0, Some(0)),
        usage: "[-d] [-s src-window] [-t dst-window]",
    },
    "Swap two windows",
    run,
)
.source(Spec::of('s', Kind::Window).default_marked())
.target(Spec::of('t', Kind::Window))
.after_hook();

fn run(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let place = |found: crate::target::Found| Some((found.session?, found.index?, found.window?));
    let (Some(source), Some(target)) = (place(context.source), place(context.target)) else { return DONE };
    if source.0 != target.0 && mux.grouped_together(source.0, target.0) {
        return Err("can't move window, sessions are grouped".into());
    }
    if source.2 == target.2 {
        return DONE;
    }
    for (session, index, window) in [(source.0, source.1, target.2), (target.0, target.1, source.2)] {
        if let Some(entry) = mux.sessions.get_mut(&session) {
            entry.windows.insert(index, Winlink::new(window));
        }
    }
    if context.has('d') {
        mux.select_window(target.0, target.1);
        if source.0 != target.0 {
            mux.select_window(source.0, source.1);
        }
    }
    mux.recalculate_sizes();
    mux.changed();
    DONE
}
