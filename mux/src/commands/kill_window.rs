//! kill-window: close a window in all sessions.

use super::*;
use crate::target::Kind;

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "kill-window",
        alias: Some("killw"),
        template: Template::text("at:", 0, Some(0)),
        usage: "[-a] [-t target-window]",
    },
    "Close a window",
    run,
)
.target(Spec::of('t', Kind::Window));

fn run(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let (Some(session), Some(window)) = (context.target.session, context.target.window) else { return DONE };
    if !context.has('a') {
        mux.close_window(context.now, window);
        return DONE;
    }
    let Some(entry) = mux.sessions.get(&session) else { return DONE };
    let mut others: Vec<WindowId> =
        entry.windows.values().map(|link| link.window).filter(|other| *other != window).collect();
    others.dedup();
    for other in others {
        mux.close_window(context.now, other);
    }
    DONE
}
