//! new-session: make a session, and attach to it unless told otherwise.

use super::*;
use crate::spawn::Wanted;
use crate::target::{self, Kind};

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "new-session",
        alias: Some("new"),
        template: Template::text("Ac:dDe:EF:f:n:Ps:t:x:Xy:", 0, None),
        usage: "[-AdDEPX] [-c start-directory] [-e environment] [-F format] [-f flags] [-n window-name] [-s session-name] [-t target-session] [-x width] [-y height] [shell-command [argument ...]]",
    },
    "Create a session and attach to it",
    run,
)
.target(Spec::of('t', Kind::Session).can_fail())
.starts_server();

fn run(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let words = context.words();
    if context.has('t') && (!words.is_empty() || context.has('n')) {
        return Err("command or window name given with target".into());
    }
    let window_name = context.get('n').map(|name| checked_name(mux, context, &name, "window")).transpose()?;
    let name = context.get('s').map(|name| checked_name(mux, context, &name, "session")).transpose()?;
    if context.has('A') {
        let existing = match &name {
            Some(name) => mux.session_named(name),
            None => context.target.session,
        };
        if let Some(session) = existing {
            let how = attach_session::How {
                detach_others: context.has('D'),
                kill_others: context.has('X'),
                keep_environment: context.has('E'),
                flags: context.get('f'),
                cwd: context.get('c'),
                read_only: false,
            };
            let found = target::current_of(mux, session).unwrap_or_default();
            return attach_session::attach(mux, context, found, &how);
        }
    }
    if let Some(name) = name.as_deref().filter(|name| mux.session_named(name).is_some()) {
        return Err(format!("duplicate session: {name}").into());
    }
    let group = context.get('t').map(|target| group_of(mux, context, &target)).transpose()?;
    let client = context.client.and_then(|id| mux.clients.get(&id));
    let detached = context.has('d') || client.is_none();
    let attached_already = client.is_some_and(|client| client.session.is_some());
    if let (Some(client), false, false) = (client, detached, attached_already) {
        attach_session::may_attach(mux, client)?;
    }
    let cwd = match context.get('c') {
        Some(cwd) => absolute(mux, context, &cwd),
        None => mux.default_cwd(context.client, None, context.world),
    };
    let asked = asked_size(mux, context)?;
    let session = mux.add_session(context.now, name, group.as_deref(), cwd.clone());
    set_environment(mux, context, session);
    let fixed = asked.0.is_some() || asked.1.is_some();
    if fixed {
        let default = mux.default_size(session);
        let (width, height) = (asked.0.unwrap_or(default.width), asked.1.unwrap_or(default.height));
        if let Some(entry) = mux.sessions.get_mut(&session) {
            entry.options.set_text("default-size", &format!("{width}x{height}"));
        }
    }
    let size = first_size(mux, context, session, detached);
    let wanted = Wanted {
        argv: words,
        cwd: Some(cwd),
        environment: Vec::new(),
        client: context.client.filter(|_| !detached || !attached_already),
        ..Wanted::default()
    };
    let shared = group.as_deref().is_some_and(|group| shares_windows(mux, context.target.session, group, session));
    if !shared {
        let made = mux.add_window(context.now, context.world, session, None, window_name, Some(size), &wanted);
        let (index, window, _) = match made {
            Ok(made) => made,
            Err(error) => {
                mux.sessions.remove(&session);
                return Err(format!("create window failed: {error}").into());
            }
        };
        debug_assert_eq!(mux.sessions[&session].current, index);
        mux.event(Event::WindowLinked(session, window));
    }
    if let Some(group) = &group {
        mux.join_group(session, group, context.target.session);
    }
    mux.event(Event::SessionCreated(session));
    let found = target::current_of(mux, session).unwrap_or_default();
    if let Some(client) = context.client.filter(|_| !detached) {
        if let Some(flags) = context.get('f') {
            mux.set_client_flags(client, &flags);
        }
        mux.switch_client(context.now, client, session);
    }
    if context.has('P') {
        let format = context.get('F').unwrap_or_else(|| "#{session_name}:".to_owned());
        let text = mux.expand_in(context, found, &format);
        mux.print(context, &text);
    }
    if !context.has('d') {
        context.state.current.set(Some(found));
    }
    context.target = found;
    context.hook_after(mux, "after-new-session", found);
    Ok(Flow::Done)
}

/// The group that -t names: that of a session, one that a session begins, or a new one.
fn group_of(mux: &Mux, context: &Context<'_>, target: &str) -> Result<String, CommandError> {
    match context.target.session.and_then(|id| mux.sessions.get(&id)) {
        Some(session) => Ok(session.group.clone().unwrap_or_else(|| session.name.clone())),
        None if target.chars().any(char::is_control) => {
            Err(format!("invalid session group name: {}", crate::windows::clean_name(target)).into())
        }
        None => Ok(crate::windows::clean_name(target)),
    }
}

/// Give a new session the windows of its group; false when the group has none yet.
fn shares_windows(mux: &mut Mux, with: Option<SessionId>, group: &str, session: SessionId) -> bool {
    let with = with.or_else(|| mux.group_members(group).next().map(|member| member.id));
    let Some(windows) = with.and_then(|id| mux.sessions.get(&id)).map(|member| member.windows.clone()) else {
        return false;
    };
    let own = mux.session_number(session, "base-index") as i32;
    if let (Some(entry), Some(first)) = (mux.sessions.get_mut(&session), windows.keys().next()) {
        entry.current = *first;
        // As in tmux it stood where the first window of its own would have been.
        entry.last = Some(own).into_iter().filter(|own| own != first && windows.contains_key(own)).collect();
        entry.windows = windows;
    }
    // tmux opens a window of the session's own first, which then gives way: the numbers go on as there.
    mux.next.window += 1;
    mux.next.pane += 1;
    true
}

/// Width and height that -x and -y ask for.
fn asked_size(mux: &Mux, context: &Context<'_>) -> Result<(Option<u32>, Option<u32>), CommandError> {
    let client = context.client.and_then(|id| mux.clients.get(&id)).and_then(|client| client.size);
    let one = |flag: char, what: &str, own: Option<u16>, default: u32| match context.get(flag).as_deref() {
        None => Ok(None),
        Some("-") => Ok(Some(own.map_or(default, u32::from))),
        Some(text) => match crate::number::number(text, 1, i64::from(u16::MAX)) {
            Ok(number) => Ok(Some(number as u32)),
            Err(error) => Err(CommandError(format!("{what} {error}"))),
        },
    };
    Ok((one('x', "width", client.map(|size| size.0), 80)?, one('y', "height", client.map(|size| size.1), 24)?))
}

/// The size of the first window: the client's own when it attaches, else what was asked for or the default.
fn first_size(mux: &Mux, context: &Context<'_>, session: SessionId, detached: bool) -> Extent {
    let client = context.client.and_then(|id| mux.clients.get(&id)).filter(|client| !detached && !client.is_control());
    let own = client.and_then(|client| client.size);
    let size = match own {
        Some((cols, rows)) => {
            let rows = u32::from(rows);
            let lines = mux.status_lines(session);
            Extent { width: u32::from(cols), height: if rows > lines { rows - lines } else { rows } }
        }
        None => mux.default_size(session),
    };
    crate::size::within_limits(size.width, size.height)
}

fn set_environment(mux: &mut Mux, context: &Context<'_>, session: SessionId) {
    let client = context.client.filter(|_| !context.has('E'));
    attach_session::update_environment(mux, client, session);
    let given: Vec<String> = context.arguments().all('e').map(str::to_owned).collect();
    if let Some(entry) = mux.sessions.get_mut(&session) {
        for (name, value) in assignments(&given) {
            entry.environment.set(&name, &value);
        }
    }
}
