//! unlink-window: take a window out of a session.

use super::*;
use crate::target::Kind;

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "unlink-window",
        alias: Some("unlinkw"),
        template: Template::text("kt:", 0, Some(0)),
        usage: "[-k] [-t target-window]",
    },
    "Unlink a window from a session",
    run,
)
.target(Spec::of('t', Kind::Window));

fn run(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let (Some(session), Some(index), Some(window)) =
        (context.target.session, context.target.index, context.target.window)
    else {
        return DONE;
    };
    if !context.has('k') && mux.links(window).len() <= mux.sharing(session) {
        return Err("window only linked to one session".into());
    }
    mux.unlink_window(context.now, session, index);
    DONE
}
