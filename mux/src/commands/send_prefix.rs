//! send-prefix: type the prefix key into a pane.

use super::*;
use crate::target::Kind;

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "send-prefix",
        alias: None,
        template: Template::text("2t:", 0, Some(0)),
        usage: "[-2] [-t target-pane]",
    },
    "Send the prefix key to a pane",
    run,
)
.target(Spec::of('t', Kind::Pane))
.after_hook();

fn run(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let (Some(session), Some(pane)) = (context.target.session, context.target.pane) else { return DONE };
    let option = if context.has('2') { "prefix2" } else { "prefix" };
    if let Some(key) = keymap::parse_key(&mux.session_text(session, option)) {
        mux.key_to_pane_or_mode(context, pane, key);
    }
    DONE
}
