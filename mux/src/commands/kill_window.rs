//! kill-window: close a window in all sessions.

use super::*;
use crate::target::{Found, Kind};

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "kill-window",
        alias: Some("killw"),
        template: Template::text("af:t:", 0, Some(0)),
        usage: "[-a] [-t target-window]",
    },
    "Close a window",
    run,
)
.target(Spec::of('t', Kind::Window));

fn run(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let (Some(session), Some(window)) = (context.target.session, context.target.window) else { return DONE };
    listing::filter_only_with_all(context, context.has('a'))?;
    if !context.has('a') {
        mux.close_window(context.now, window);
        return DONE;
    }
    let Some(entry) = mux.sessions.get(&session) else { return DONE };
    let places = listing::windows(mux, entry);
    let (own, others): (Vec<Found>, Vec<Found>) = places.into_iter().partition(|place| place.window == Some(window));
    for other in others {
        if let Some(id) = other.window.filter(|id| mux.windows.contains_key(id) && listing::passes(mux, context, other))
        {
            mux.close_window(context.now, id);
        }
    }
    // A window that the session has more than once goes too.
    if own.len() > 1 && own.iter().any(|place| listing::passes(mux, context, *place)) {
        mux.close_window(context.now, window);
    }
    DONE
}
