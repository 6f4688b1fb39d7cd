//! lock-client, lock-session, lock-server: run `lock-command` in the place of the screen.

use super::*;
use crate::target::Kind;

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "lock-client",
        alias: Some("lockc"),
        template: Template::text("t:", 0, Some(0)),
        usage: "[-t target-client]",
    },
    "Lock a client",
    |mux, context| {
        if let Some(client) = context.target_client {
            mux.lock_client(client);
        }
        DONE
    },
)
.client('t', false)
.after_hook();

pub(crate) static SESSION: Row = Row::new(
    Signature {
        name: "lock-session",
        alias: Some("locks"),
        template: Template::text("t:", 0, Some(0)),
        usage: "[-t target-session]",
    },
    "Lock all clients of a session",
    |mux, context| {
        if let Some(session) = context.target.session {
            mux.lock_session(session);
        }
        DONE
    },
)
.target(Spec::of('t', Kind::Session))
.after_hook();

pub(crate) static SERVER: Row = Row::new(
    Signature { name: "lock-server", alias: Some("lock"), template: Template::text("", 0, Some(0)), usage: "" },
    "Lock all clients",
    |mux, _| {
        let clients: Vec<ClientId> = mux.clients.keys().copied().collect();
        clients.into_iter().for_each(|client| mux.lock_client(client));
        DONE
    },
)
.after_hook();
