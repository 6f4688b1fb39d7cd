//! Variables of a session.

use super::{At, Variable, flag, number, text};
use crate::{Mux, Session};
use std::borrow::Cow;

fn session<'a>(at: &At<'a>) -> Option<&'a Session> {
    at.session()
}

fn attached(at: &At<'_>) -> usize {
    at.found.session.map_or(0, |id| at.mux.clients_of(id).count())
}

fn group<'a>(at: &At<'a>) -> Option<&'a str> {
    at.session()?.group.as_deref()
}

/// The names of the clients that show a session of its group.
fn group_clients<'a>(at: &At<'a>) -> Option<Vec<&'a str>> {
    let group = group(at)?;
    let shows = |client: &&crate::Client| {
        let session = client.session.and_then(|id| at.mux.sessions.get(&id));
        session.is_some_and(|session| session.group.as_deref() == Some(group))
    };
    Some(at.mux.clients.values().filter(shows).map(|client| client.name.as_str()).collect())
}

fn any(at: &At<'_>, test: fn(&crate::Winlink) -> bool) -> Option<Cow<'static, str>> {
    at.session().and_then(|session| flag(session.windows.values().any(test)))
}

/// Indexes of windows with alerts, with what they alert of.
fn alerts(at: &At<'_>, with_index: bool) -> Option<Cow<'static, str>> {
    let session = at.session()?;
    let mut parts = Vec::new();
    for (index, link) in &session.windows {
        let mut marks = String::new();
        for (on, mark) in [(link.activity, '#'), (link.bell, '!'), (link.silence, '~')] {
            if on {
                marks.push(mark);
            }
        }
        if !marks.is_empty() {
            parts.push(if with_index { format!("{index}{marks}") } else { marks });
        }
    }
    Some(parts.join(if with_index { "," } else { "" }).into())
}

fn stack(_: &Mux, session: &Session) -> String {
    let mut stack = vec![session.current];
    stack.extend(session.last.iter().rev());
    stack.iter().map(i32::to_string).collect::<Vec<_>>().join(",")
}

pub(super) const VARIABLES: &[Variable] = &[
    Variable {
        name: "active_window_index",
        about: "Index of the current window",
        get: |at| session(at).and_then(|session| number(session.current)),
    },
    Variable {
        name: "last_window_index",
        about: "Greatest index of a window",
        get: |at| session(at).and_then(|session| session.windows.keys().next_back().and_then(number)),
    },
    Variable {
        name: "session_active",
        about: "Whether it is the client's session",
        get: |at| at.client().and_then(|client| flag(client.session == at.found.session)),
    },
    Variable {
        name: "session_activity",
        about: "When it was last used",
        get: |at| session(at).and_then(|session| number(session.activity.as_secs())),
    },
    Variable {
        name: "session_activity_flag",
        about: "Whether a window alerts of activity",
        get: |at| any(at, |link| link.activity),
    },
    Variable { name: "session_alert", about: "Marks of alerts", get: |at| alerts(at, false) },
    Variable { name: "session_alerts", about: "Windows with alerts", get: |at| alerts(at, true) },
    Variable {
        name: "session_attached",
        about: "Number of clients",
        get: |at| session(at).and_then(|_| number(attached(at))),
    },
    Variable {
        name: "session_attached_list",
        about: "Names of its clients",
        get: |at| {
            let names: Vec<&str> = at.mux.clients_of(at.found.session?).map(|client| client.name.as_str()).collect();
            Some(names.join(",").into())
        },
    },
    Variable {
        name: "session_bell_flag",
        about: "Whether a window alerts of a bell",
        get: |at| any(at, |link| link.bell),
    },
    Variable {
        name: "session_created",
        about: "When it was created",
        get: |at| session(at).and_then(|session| number(session.created.as_secs())),
    },
    Variable {
        name: "session_format",
        about: "Whether the format is for a session",
        get: |at| flag(at.found.window.is_none()),
    },
    Variable { name: "session_group", about: "Name of its group", get: |at| group(at).map(Cow::Borrowed) },
    Variable {
        name: "session_group_attached",
        about: "Number of clients of its group",
        get: |at| group_clients(at).and_then(|clients| number(clients.len())),
    },
    Variable {
        name: "session_group_attached_list",
        about: "Names of the clients of its group",
        get: |at| group_clients(at).map(|clients| clients.join(",").into()),
    },
    Variable {
        name: "session_group_list",
        about: "Names of the sessions of its group",
        get: |at| {
            let names: Vec<&str> = at.mux.group_members(group(at)?).map(|session| session.name.as_str()).collect();
            Some(names.join(",").into())
        },
    },
    Variable {
        name: "session_group_many_attached",
        about: "Whether its group has several clients",
        get: |at| group_clients(at).and_then(|clients| flag(clients.len() > 1)),
    },
    Variable {
        name: "session_group_size",
        about: "Number of sessions in its group",
        get: |at| number(at.mux.group_members(group(at)?).count()),
    },
    Variable {
        name: "session_grouped",
        about: "Whether it is in a group",
        get: |at| session(at).and_then(|session| flag(session.group.is_some())),
    },
    Variable { name: "session_id", about: "Its id", get: |at| session(at).and_then(|session| number(session.id)) },
    Variable {
        name: "session_last_attached",
        about: "When a client was last attached",
        get: |at| session(at).and_then(|session| number(session.last_attached.map_or(0, |time| time.as_secs()))),
    },
    Variable {
        name: "session_many_attached",
        about: "Whether it has several clients",
        get: |at| session(at).and_then(|_| flag(attached(at) > 1)),
    },
    Variable {
        name: "session_marked",
        about: "Whether it has the marked pane",
        get: |at| {
            let marked = at.mux.marked.and_then(|pane| at.mux.panes.get(&pane)).map(|pane| pane.window);
            session(at).and_then(|session| flag(marked.is_some_and(|window| session.index_of(window).is_some())))
        },
    },
    Variable { name: "session_name", about: "Its name", get: |at| session(at).and_then(|session| text(&session.name)) },
    Variable {
        name: "session_path",
        about: "Directory of new windows",
        get: |at| session(at).and_then(|session| text(&session.cwd)),
    },
    Variable {
        name: "session_silence_flag",
        about: "Whether a window alerts of silence",
        get: |at| any(at, |link| link.silence),
    },
    Variable {
        name: "session_stack",
        about: "Windows in the order of their use",
        get: |at| Some(stack(at.mux, session(at)?).into()),
    },
    Variable {
        name: "session_windows",
        about: "Number of windows",
        get: |at| session(at).and_then(|session| number(session.windows.len())),
    },
    Variable {
        name: "session_frozen",
        about: "Whether it waits to be brought back",
        get: |at| session(at).and_then(|session| flag(session.frozen)),
    },
];
