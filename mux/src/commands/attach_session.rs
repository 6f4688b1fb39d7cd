//! attach-session: show a session on the client that asks for it.

use super::*;
use crate::client::{Client, ClientFlags};
use crate::target::{self, Found, Kind};

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "attach-session",
        alias: Some("attach"),
        template: Template::text("c:dEf:rt:x", 0, Some(0)),
        usage: "[-dErx] [-c working-directory] [-f flags] [-t target-session]",
    },
    "Attach the client to a session",
    run,
)
.starts_server()
.read_only_but("cdx");

/// How to attach.
pub(crate) struct How {
    /// Other clients of the session are detached.
    pub(crate) detach_others: bool,
    /// And their parents get SIGHUP.
    pub(crate) kill_others: bool,
    /// The session's environment stays as it is.
    pub(crate) keep_environment: bool,
    /// The client's flags.
    pub(crate) flags: Option<String>,
    /// The session's new directory.
    pub(crate) cwd: Option<String>,
    /// The client may only read.
    pub(crate) read_only: bool,
}

fn run(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    if mux.sessions.is_empty() {
        return Err("no sessions".into());
    }
    if context.client.is_none() {
        return DONE;
    }
    let name = context.get('t');
    let to_pane = name.as_deref().is_some_and(|name| name.contains([':', '.']));
    let spec = match to_pane {
        true => Spec::of('t', Kind::Pane),
        false => Spec::of('t', Kind::Session).prefer_unattached(),
    };
    let current = mux.current(context, spec.prefer_unattached);
    let found = target::find(mux, spec, name.as_deref(), current, context.state.mouse)?;
    let how = How {
        detach_others: context.has('d'),
        kill_others: context.has('x'),
        keep_environment: context.has('E'),
        flags: context.get('f'),
        cwd: context.get('c'),
        read_only: context.has('r'),
    };
    attach(mux, context, found, &how)
}

/// Can this client show a session? The error says why not.
pub(crate) fn may_attach(mux: &Mux, client: &Client) -> Result<(), CommandError> {
    if client.is_control() {
        return Ok(());
    }
    if client.environment.get("TMUX").is_some_and(|value| !value.is_empty())
        && mux.panes.values().any(|pane| !client.tty.is_empty() && pane.tty == client.tty)
    {
        return Err("sessions should be nested with care, unset $TMUX to force".into());
    }
    if client.size.is_none() || client.tty.is_empty() {
        return Err("open terminal failed: not a terminal".into());
    }
    if client.term.is_empty() {
        return Err("open terminal failed: missing or unsuitable terminal: unknown".into());
    }
    mux.caps_of(client).check().map_err(|error| CommandError(format!("open terminal failed: {error}")))
}

pub(crate) fn attach(mux: &mut Mux, context: &mut Context<'_>, found: Found, how: &How) -> Outcome {
    let (Some(id), Some(session)) = (context.client, found.session) else { return DONE };
    let Some(client) = mux.clients.get(&id) else { return DONE };
    let attached_already = client.session.is_some();
    if !attached_already {
        may_attach(mux, client)?;
    }
    if how.read_only && client.flags.contains(ClientFlags::READ_ONLY) && client.uid != mux.identity.uid {
        return Err("client is read-only".into());
    }
    // A reader sees the session as it is.
    let reader = mux.only_reads(context);
    if let (Some(index), Some(window), false) = (found.index, found.window, reader) {
        mux.select_window(session, index);
        if let Some(pane) = found.pane {
            mux.activate_pane(window, pane);
        }
        context.state.current.set(Some(found));
    }
    if let Some(cwd) = &how.cwd {
        let cwd = absolute(mux, context, cwd);
        if let Some(entry) = mux.sessions.get_mut(&session) {
            entry.cwd = cwd;
        }
    }
    if let Some(flags) = &how.flags {
        mux.set_client_flags(id, flags);
    }
    if how.read_only {
        mux.set_client_flags(id, "read-only,ignore-size");
    }
    if how.detach_others || how.kill_others {
        let others: Vec<ClientId> =
            mux.clients_of(session).map(|client| client.id).filter(|other| *other != id).collect();
        for other in others {
            mux.detach(other, how.kill_others);
        }
    }
    update_environment(mux, Some(id).filter(|_| !how.keep_environment && !reader), session);
    mux.switch_client(context.now, id, session);
    DONE
}

/// Take the variables that `update-environment` names from a client into a session.
pub(crate) fn update_environment(mux: &mut Mux, client: Option<ClientId>, session: SessionId) {
    let Some(client) = client.and_then(|id| mux.clients.get(&id)) else { return };
    let patterns = mux.session_array(session, "update-environment");
    let environment = client.environment.clone();
    if let Some(entry) = mux.sessions.get_mut(&session) {
        entry.environment.update(&environment, patterns.iter().map(String::as_str));
    }
}
