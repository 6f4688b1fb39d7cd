//! list-panes.

use super::*;
use crate::target::{Found, Kind};

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "list-panes",
        alias: Some("lsp"),
        template: Template::text("aF:f:O:rst:", 0, Some(0)),
        usage: "[-asr] [-F format] [-f filter] [-O order][-t target-window]",
    },
    "List panes of a window",
    run,
)
.target(Spec::of('t', Kind::Window))
.read_only()
.after_hook();

const TAIL: &str = "[#{pane_width}x#{pane_height}] [history #{history_size}/#{history_limit}, #{history_bytes} bytes] #{pane_id}#{?pane_active, (active),}#{?pane_dead, (dead),}";

fn run(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let sorting = listing::sorting(context)?;
    let (all, session) = (context.has('a'), context.has('s'));
    let mut sessions: Vec<&Session> =
        mux.sessions.values().filter(|entry| all || Some(entry.id) == context.target.session).collect();
    sessions.sort_by(|a, b| a.name.cmp(&b.name));
    let windows = sessions.iter().flat_map(|session| listing::windows(mux, session));
    let windows = windows.filter(|found| all || session || found.index == context.target.index);
    // Each window's panes are sorted by themselves.
    let sorted = |found| {
        let mut panes: Vec<Found> = listing::panes(mux, found);
        listing::sort_panes(mux, sorting, &mut panes);
        panes
    };
    let places: Vec<Found> = windows.flat_map(sorted).collect();
    let head = match (all, session) {
        (true, _) => "#{session_name}:#{window_index}.#{pane_index}: ",
        (_, true) => "#{window_index}.#{pane_index}: ",
        _ => "#{pane_index}: ",
    };
    listing::print(mux, context, &format!("{head}{TAIL}"), &places)
}
