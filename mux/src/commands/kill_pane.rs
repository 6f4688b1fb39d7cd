//! kill-pane: close a pane; its window goes with its last one.

use super::*;
use crate::target::Kind;

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "kill-pane",
        alias: Some("killp"),
        template: Template::text("af:t:", 0, Some(0)),
        usage: "[-a] [-t target-pane]",
    },
    "Close a pane",
    run,
)
.target(Spec::of('t', Kind::Pane))
.after_hook();

fn run(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let (Some(window), Some(pane)) = (context.target.window, context.target.pane) else { return DONE };
    listing::filter_only_with_all(context, context.has('a'))?;
    if !context.has('a') {
        mux.close_pane(context.now, pane);
        return DONE;
    }
    mux.unzoom(window);
    let others = listing::panes(mux, context.target);
    for other in others.into_iter().filter(|other| other.pane != Some(pane)) {
        if let Some(id) = other.pane.filter(|_| listing::passes(mux, context, other)) {
            mux.close_pane(context.now, id);
        }
    }
    DONE
}
