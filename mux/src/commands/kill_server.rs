//! kill-server: end the server and every program in it; nothing is kept.

use super::*;

pub(crate) static ROW: Row = Row::new(
    Signature { name: "kill-server", alias: None, template: Template::text("f", 0, Some(0)), usage: "" },
    "End the server and all programs in it",
    run,
);

fn run(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    // A program in a pane, an agent perhaps, must not end everybody's work by a careless word.
    let inside = context
        .client
        .and_then(|id| mux.clients.get(&id))
        .is_some_and(|client| client.session.is_none() && crate::target::inside_pane(mux, client).is_some());
    if mux.identity.face == Face::Rove && inside && !context.has('f') {
        return Err("kill-server from inside a pane ends every session: use kill-server -f".into());
    }
    mux.end(End::Forget);
    DONE
}
