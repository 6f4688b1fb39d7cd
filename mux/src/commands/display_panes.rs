//! display-panes: number the panes of a client, and go to the one whose number is typed.

use super::*;
use crate::overlay::Numbers;

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "display-panes",
        alias: Some("displayp"),
        template: Template::commands("bd:Nt:", 0, Some(1)),
        usage: "[-bN] [-d duration] [-t target-client] [template]",
    },
    "Show the numbers of panes",
    run,
)
.client('t', false)
.after_hook();

fn run(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let Some(id) = context.target_client else { return DONE };
    let Some(client) = mux.clients.get(&id).filter(|client| client.is_drawn() && client.overlay.is_none()) else {
        return DONE;
    };
    let session = client.session;
    let ms = match context.has('d') {
        true => context.arguments().number('d', 0, i64::from(u32::MAX)).map_err(|error| format!("delay {error}"))?,
        false => session.map_or(1000, |session| mux.session_number(session, "display-panes-time")),
    };
    let numbers = Numbers {
        template: context.argument(0).unwrap_or_else(|| "select-pane -t \"%%%\"".to_owned()),
        takes_keys: !context.has('N'),
        waits: !context.has('b'),
        state: context.state.clone(),
    };
    Ok(mux.show_numbers(context.now, id, numbers, ms.max(0) as u64))
}
