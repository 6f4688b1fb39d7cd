//! detach-client: take the terminal away from a session; everything in it runs on.

use super::*;
use crate::target::Kind;

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "detach-client",
        alias: Some("detach"),
        template: Template::text("aE:s:t:P", 0, Some(0)),
        usage: "[-aP] [-E shell-command] [-s target-session] [-t target-client]",
    },
    "Detach a client from its session",
    run,
)
.source(Spec::of('s', Kind::Session).can_fail())
.client('t', false)
.read_only_but("aEPs");

fn run(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let kill = context.has('P');
    let command = context.get('E');
    let leave = |mux: &mut Mux, id: ClientId| match &command {
        Some(command) => mux.send_away(id, Farewell::Exec(command.clone())),
        None => mux.detach(id, kill),
    };
    let Some(target) = context.target_client else { return DONE };
    if context.has('s') {
        let Some(session) = context.source.session else { return DONE };
        let clients: Vec<ClientId> = mux.clients_of(session).map(|client| client.id).collect();
        for client in clients {
            leave(mux, client);
        }
    } else if context.has('a') {
        let others: Vec<ClientId> = mux
            .clients
            .values()
            .filter(|client| client.session.is_some() && client.id != target)
            .map(|client| client.id)
            .collect();
        for client in others {
            leave(mux, client);
        }
    } else {
        leave(mux, target);
    }
    DONE
}
