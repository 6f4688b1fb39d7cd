//! kill-session: close a session and the windows that no other has.

use super::*;
use crate::target::Kind;

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "kill-session",
        alias: None,
        template: Template::text("aCgf:t:", 0, Some(0)),
        usage: "[-aCg] [-t target-session]",
    },
    "Close a session",
    run,
)
.target(Spec::of('t', Kind::Session));

fn run(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let Some(session) = context.target.session else { return DONE };
    listing::filter_only_with_all(context, context.has('a') && !context.has('C'))?;
    if context.has('C') {
        if let Some(entry) = mux.sessions.get_mut(&session) {
            entry.windows.values_mut().for_each(Winlink::clear_alerts);
        }
        mux.redraw();
    } else if context.has('a') {
        let others: Vec<SessionId> = mux.sessions.keys().copied().filter(|other| *other != session).collect();
        for other in others {
            let found = crate::target::current_of(mux, other).unwrap_or_default();
            if listing::passes(mux, context, found) {
                mux.close_session(context.now, other);
            }
        }
    } else if let Some(group) =
        mux.sessions.get(&session).and_then(|entry| entry.group.clone()).filter(|_| context.has('g'))
    {
        let members: Vec<SessionId> = mux.group_members(&group).map(|member| member.id).collect();
        members.into_iter().for_each(|member| mux.close_session(context.now, member));
    } else {
        mux.close_session(context.now, session);
    }
    DONE
}
