//! list-windows.

use super::*;
use crate::target::{Found, Kind};

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "list-windows",
        alias: Some("lsw"),
        template: Template::text("aF:f:O:rt:", 0, Some(0)),
        usage: "[-ar] [-F format] [-f filter] [-O order][-t target-session]",
    },
    "List windows of a session",
    run,
)
.target(Spec::of('t', Kind::Session))
.read_only()
.after_hook();

const FORMAT: &str = "#{window_index}: #{window_name}#{window_raw_flags} (#{window_panes} panes) [#{window_width}x#{window_height}] [layout #{window_layout}] #{window_id}#{?window_active, (active),}";
const FORMAT_ALL: &str = "#{session_name}:#{window_index}: #{window_name}#{window_raw_flags} (#{window_panes} panes) [#{window_width}x#{window_height}] ";

fn run(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let sorting = listing::sorting(context)?;
    let all = context.has('a');
    let mut sessions: Vec<&Session> =
        mux.sessions.values().filter(|session| all || Some(session.id) == context.target.session).collect();
    sessions.sort_by(|a, b| a.name.cmp(&b.name));
    let mut places: Vec<Found> = sessions.iter().flat_map(|session| listing::windows(mux, session)).collect();
    listing::sort_windows(mux, sorting, &mut places);
    listing::print(mux, context, if all { FORMAT_ALL } else { FORMAT }, &places)
}
