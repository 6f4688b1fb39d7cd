//! suspend-client: stop the client's process, as ^Z does for others.

use super::*;

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "suspend-client",
        alias: Some("suspendc"),
        template: Template::text("t:", 0, Some(0)),
        usage: "[-t target-client]",
    },
    "Suspend a client",
    run,
)
.client('t', false);

fn run(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let Some(id) = context.target_client else { return DONE };
    if let Some(client) = mux.clients.get_mut(&id).filter(|client| client.is_drawn()) {
        client.suspended = true;
        mux.effect(Effect::SuspendClient(id));
        mux.recalculate_sizes();
    }
    DONE
}
