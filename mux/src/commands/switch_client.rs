//! switch-client: show another session on a client, or use another key table for its next key.

use super::*;
use crate::target::{self, Kind};

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "switch-client",
        alias: Some("switchc"),
        template: Template::text("c:EFlnO:pt:rT:Z", 0, Some(0)),
        usage: "[-ElnprZ] [-c target-client] [-t target-session] [-T key-table] [-O order]",
    },
    "Switch a client to another session",
    run,
)
.client('c', false)
.read_only_but("Z");

fn run(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let Some(id) = context.target_client else { return DONE };
    if context.has('r') {
        let read_only = mux.clients.get(&id).is_some_and(|client| client.flags.contains(ClientFlags::READ_ONLY));
        let own = mux.clients.get(&id).is_some_and(|client| client.uid == mux.identity.uid);
        if read_only && !own {
            return Err("client is read-only".into());
        }
        if let Some(client) = mux.clients.get_mut(&id) {
            client.flags.toggle(ClientFlags::READ_ONLY | ClientFlags::IGNORE_SIZE);
        }
    }
    if let Some(table) = context.get('T') {
        if !mux.keys.contains_table(&table) {
            return Err(format!("table {table} doesn't exist").into());
        }
        if let Some(client) = mux.clients.get_mut(&id) {
            client.table = Some(table);
        }
        return DONE;
    }
    let present = mux.clients.get(&id).and_then(|client| client.session);
    let session = if context.has('n') || context.has('p') {
        let what = if context.has('n') { "next" } else { "previous" };
        neighbour(mux, present, context.has('n')).ok_or_else(|| format!("can't find {what} session"))?
    } else if context.has('l') {
        let last = mux.clients.get(&id).and_then(|client| client.last_session);
        last.filter(|last| mux.sessions.contains_key(last)).ok_or("can't find last session")?
    } else {
        let name = context.get('t');
        let to_pane = name.as_deref().is_some_and(|name| name.contains([':', '.', '%', '@']));
        let kind = if to_pane { Kind::Pane } else { Kind::Session };
        let current = mux.current(context, false);
        let found =
            target::find(mux, Spec::of('t', kind).prefer_unattached(), name.as_deref(), current, context.state.mouse)?;
        let Some(session) = found.session else { return DONE };
        // A reader goes to the session as it is.
        let selects = !mux.only_reads(context);
        if let (Some(index), Some(window), true) = (found.index, found.window, selects) {
            mux.select_window(session, index);
            if let Some(pane) = found.pane.filter(|_| to_pane) {
                mux.activate_pane(window, pane);
            }
            context.state.current.set(Some(found));
        }
        session
    };
    let updates = !context.has('E') && !mux.only_reads(context);
    attach_session::update_environment(mux, Some(id).filter(|_| updates), session);
    mux.switch_client(context.now, id, session);
    DONE
}

/// The session after or before another, by name.
fn neighbour(mux: &Mux, present: Option<SessionId>, forward: bool) -> Option<SessionId> {
    let mut names: Vec<(&str, SessionId)> =
        mux.sessions.values().map(|session| (session.name.as_str(), session.id)).collect();
    names.sort_unstable();
    let at = names.iter().position(|(_, id)| Some(*id) == present)?;
    let count = names.len();
    Some(names[if forward { at + 1 } else { at + count - 1 } % count].1)
}
