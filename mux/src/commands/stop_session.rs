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
        mux.freeze_session(context.now, context.world, session);
        DONE
    },
)
.target(Spec::of('t', Kind::Session))
.rove();

pub(crate) static SERVER: Row = Row::new(
    Signature { name: "stop-server", alias: None, template: Template::text("", 0, Some(0)), usage: "" },
    "Stop the server and its programs, keeping what is needed to come back",
    |mux, context| {
        mux.stop_server(context.now, context.world);
        DONE
    },
)
.rove();

pub(crate) static RESTART: Row = Row::new(
    Signature { name: "restart-server", alias: None, template: Template::text("", 0, Some(1)), usage: "[program]" },
    "Hand over to a new server; every program runs on",
    |mux, context| {
        mux.successor = context.argument(0).filter(|program| program.starts_with('/'));
        mux.end(End::HandOver);
        DONE
    },
)
.rove();

pub(crate) static RESET: Row = Row::new(
    Signature { name: "reset-server", alias: None, template: Template::text("h", 0, Some(0)), usage: "[-h]" },
    "End everything and forget what was kept; -h forgets tasks and layouts of the interface too",
    |mux, context| {
        mux.resets_hard = context.has('h');
        mux.end(End::Forget);
        DONE
    },
)
.rove();
