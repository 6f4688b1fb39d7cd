//! select-window, next-window, previous-window, last-window: make another window current.

use super::*;
use crate::target::{self, Kind};

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "select-window",
        alias: Some("selectw"),
        template: Template::text("lnpTt:", 0, Some(0)),
        usage: "[-lnpT] [-t target-window]",
    },
    "Make a window the current one",
    |mux, context| {
        let toggles = context.has('T') && is_current(mux, context);
        if context.has('l') || toggles {
            return go(mux, context, Step::Last);
        }
        if context.has('n') {
            return go(mux, context, Step::Next);
        }
        if context.has('p') {
            return go(mux, context, Step::Previous);
        }
        let (Some(session), Some(index)) = (context.target.session, context.target.index) else { return DONE };
        select(mux, context, session, index)
    },
)
.target(Spec::of('t', Kind::Window));

pub(crate) static NEXT: Row = Row::new(
    Signature {
        name: "next-window",
        alias: Some("next"),
        template: Template::text("at:", 0, Some(0)),
        usage: "[-a] [-t target-session]",
    },
    "Go to the next window",
    |mux, context| go(mux, context, Step::Next),
)
.target(Spec::of('t', Kind::Session));

pub(crate) static PREVIOUS: Row = Row::new(
    Signature {
        name: "previous-window",
        alias: Some("prev"),
        template: Template::text("at:", 0, Some(0)),
        usage: "[-a] [-t target-session]",
    },
    "Go to the previous window",
    |mux, context| go(mux, context, Step::Previous),
)
.target(Spec::of('t', Kind::Session));

pub(crate) static LAST: Row = Row::new(
    Signature {
        name: "last-window",
        alias: Some("last"),
        template: Template::text("t:", 0, Some(0)),
        usage: "[-t target-session]",
    },
    "Go to the window that was current before",
    |mux, context| go(mux, context, Step::Last),
)
.target(Spec::of('t', Kind::Session));

#[derive(Clone, Copy)]
enum Step {
    Next,
    Previous,
    Last,
}

fn is_current(mux: &Mux, context: &Context<'_>) -> bool {
    let session = context.target.session.and_then(|id| mux.sessions.get(&id));
    session.is_some_and(|session| Some(session.current) == context.target.index)
}

fn go(mux: &mut Mux, context: &mut Context<'_>, step: Step) -> Outcome {
    let Some(id) = context.target.session else { return DONE };
    let Some(session) = mux.sessions.get(&id) else { return DONE };
    let alerts = context.has('a');
    let (index, what) = match step {
        Step::Next if alerts => (session.with_alert(true), "next"),
        Step::Previous if alerts => (session.with_alert(false), "previous"),
        Step::Next => (session.next(session.current), "next"),
        Step::Previous => (session.previous(session.current), "previous"),
        Step::Last => (session.last_index(), "last"),
    };
    let index = index.ok_or_else(|| format!("no {what} window"))?;
    select(mux, context, id, index)
}

fn select(mux: &mut Mux, context: &mut Context<'_>, session: SessionId, index: i32) -> Outcome {
    mux.select_window(session, index);
    if let Some(client) =
        context.client.filter(|id| mux.clients.get(id).is_some_and(|client| client.session == Some(session)))
    {
        mux.touch_client(context.now, client);
    }
    mux.recalculate_sizes();
    let found = target::current_of(mux, session).unwrap_or_default();
    context.state.current.set(Some(found));
    context.hook_after(mux, "after-select-window", found);
    DONE
}
