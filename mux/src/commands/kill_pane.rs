//! kill-pane: close a pane; its window goes with its last one.

use super::*;
use crate::target::Kind;

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "kill-pane",
        alias: Some("killp"),
        template: Template::text("at:", 0, Some(0)),
        usage: "[-a] [-t target-pane]",
    },
    "Close a pane",
    run,
)
.target(Spec::of('t', Kind::Pane));

fn run(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let (Some(window), Some(pane)) = (context.target.window, context.target.pane) else { return DONE };
    if !context.has('a') {
        mux.close_pane(context.now, pane);
        return DONE;
    }
    let others: Vec<PaneId> = mux.windows.get(&window).map_or(Vec::new(), |window| window.panes().to_vec());
    for other in others.into_iter().filter(|other| *other != pane) {
        mux.close_pane(context.now, other);
    }
    DONE
}
