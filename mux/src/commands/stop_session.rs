//! stop-session: end a session's programs and keep everything else, to be brought back by attaching.

use super::*;
use crate::target::Kind;

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "stop-session",
        alias: None,
        template: Template::text("t:", 0, Some(0)),
        usage: "[-t target-session]",
    },
    "Stop a session's programs; attaching brings them back",
    |mux, context| {
        let Some(session) = context.target.session else { return DONE };
        mux.freeze_session(context.now, session);
        DONE
    },
)
.target(Spec::of('t', Kind::Session))
.rove();

pub(crate) static SERVER: Row = Row::new(
    Signature { name: "stop-server", alias: None, template: Template::text("r", 0, Some(0)), usage: "[-r]" },
    "Stop the server, keeping what is needed to come back; -r hands over to a new one",
    |mux, context| {
        mux.end(if context.has('r') { End::HandOver } else { End::Freeze });
        DONE
    },
)
.rove();
