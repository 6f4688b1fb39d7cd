//! list-sessions.

use super::*;
use crate::target;

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "list-sessions",
        alias: Some("ls"),
        template: Template::text("F:f:O:r", 0, Some(0)),
        usage: "[-r] [-F format] [-f filter] [-O order]",
    },
    "List sessions",
    run,
)
.read_only()
.after_hook();

const FORMAT: &str = "#{session_name}: #{session_windows} windows (created #{t:session_created})#{?session_grouped, (group ,}#{session_group}#{?session_grouped,),}#{?session_attached, (attached),}";

fn run(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let sorting = listing::sorting(context)?;
    let mut sessions: Vec<&Session> = mux.sessions.values().collect();
    sessions.sort_by(|a, b| a.name.cmp(&b.name));
    sorting.sort(&mut sessions, |order, a, b| listing::compare_sessions(order, a, b), |session| session.name.clone());
    let places: Vec<_> =
        sessions.iter().map(|session| target::current_of(mux, session.id).unwrap_or_default()).collect();
    listing::print(mux, context, FORMAT, &places)
}
