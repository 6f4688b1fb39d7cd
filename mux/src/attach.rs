//! The life of a client: it connects, attaches, changes its session, goes.

use crate::Mux;
use crate::client::{Client, ClientFlags};
use crate::effect::{Effect, Farewell};
use crate::event::Event;
use crate::id::{ClientId, PaneId, SessionId};
use crate::input::{Hello, Now};
use crate::queue::{State, Wait};
use crate::timer::Timer;
use crate::world::World;

/// Most bytes of a client's standard input that are kept.
const STDIN_LIMIT: usize = 64 << 20;

impl Mux {
    pub(crate) fn client_connected(&mut self, now: Now, world: &dyn World, id: ClientId, hello: &Hello) {
        let mut client = Client::new(id, hello, now.unix);
        client.ends_when_idle = true;
        self.served = true;
        let speaks = client.speaks();
        self.clients.insert(id, client);
        // What runs in the configuration (`if-shell 'tmux ...'`) is waited for by it, and must not wait for it in turn.
        if !self.configured && !self.is_inside(hello) {
            self.queues.hold(id);
        }
        if speaks {
            self.fire("client-created", self.client_payload(id));
        }
        self.define_user_keys(id);
        let commands = match hello.argv.as_slice() {
            [] => {
                let text = self.globals.server.text("default-client-command");
                self.commands(&text, None, world)
            }
            words => self.commands_of_words(words),
        };
        match commands {
            Ok(commands) => self.enqueue(Some(id), &commands, State::default()),
            Err(error) => self.enqueue_error(Some(id), error, State::default()),
        }
    }

    /// True for a client that a program of this server started: its `$TMUX` says so.
    fn is_inside(&self, hello: &Hello) -> bool {
        let place = hello.environment.iter().find(|(name, _)| name == "TMUX").map_or("", |(_, value)| value);
        place.rsplitn(3, ',').nth(2).is_some_and(|socket| socket == self.identity.socket)
    }

    /// One-shot clients leave when their commands are done; clients that were attached by them stay.
    pub(crate) fn end_idle_clients(&mut self) {
        let done: Vec<(ClientId, bool)> = self
            .clients
            .values()
            .filter(|client| client.ends_when_idle && !client.leaving && self.queues.is_idle(Some(client.id)))
            .filter(|client| self.configured || !self.queues.is_held(client.id))
            .map(|client| (client.id, client.session.is_some()))
            .collect();
        for (id, attached) in done {
            if attached {
                if let Some(client) = self.clients.get_mut(&id) {
                    client.ends_when_idle = false;
                }
                continue;
            }
            self.dismiss(id, "exited");
        }
        self.exit_if_empty();
    }

    /// Show a session to a client; the first time, that is attaching.
    pub fn switch_client(&mut self, now: Now, id: ClientId, session: SessionId) {
        let Some(client) = self.clients.get_mut(&id) else { return };
        let before = client.session;
        client.session = Some(session);
        client.flags.insert(ClientFlags::FOCUSED);
        if before != Some(session) {
            client.last_session = before.or(client.last_session);
        }
        client.table = None;
        client.activity = now.unix;
        client.pan = (0, 0);
        let window = self.sessions.get_mut(&session).and_then(|entry| {
            entry.activity = now.unix;
            entry.last_attached = Some(now.unix);
            let current = entry.current;
            if let Some(link) = entry.windows.get_mut(&current) {
                link.clear_alerts();
            }
            entry.current_window()
        });
        if let Some(window) = window.and_then(|id| self.windows.get_mut(&id)) {
            window.latest = Some(id);
        }
        self.recalculate_sizes();
        self.join_focus();
        let left = before.and_then(|id| self.sessions.get(&id)).and_then(crate::Session::current_window);
        self.update_window_focus(left);
        self.update_client_focus(id);
        self.schedule_lock(now, session);
        self.thaw_session(now, session);
        let mut sessions = vec![("new_session", session.to_string())];
        sessions.extend(before.map(|before| ("old_session", before.to_string())));
        self.event_with(Event::ClientSessionChanged(id), &sessions);
        if before.is_none() {
            self.event(Event::ClientAttached(id));
            self.show_config_errors(id);
        }
        self.schedule_status(now);
        self.redraw();
    }

    /// A client used its session: by a key, or a command typed in control mode.
    pub(crate) fn touch_client(&mut self, now: Now, id: ClientId) {
        self.note_input(now, id);
        self.make_latest(id);
    }

    /// Something came from a client's terminal.
    pub(crate) fn note_input(&mut self, now: Now, id: ClientId) {
        let Some(client) = self.clients.get_mut(&id) else { return };
        client.activity = now.unix;
        let Some(session) = client.session else { return };
        self.schedule_lock(now, session);
        if let Some(session) = self.sessions.get_mut(&session) {
            session.activity = now.unix;
        }
    }

    /// The window a client sees takes its size from that client now, where `window-size` says so.
    pub(crate) fn make_latest(&mut self, id: ClientId) {
        let session = self.clients.get(&id).and_then(|client| client.session);
        let Some(window) = session.and_then(|id| self.sessions.get(&id)?.current_window()) else { return };
        if let Some(entry) = self.windows.get_mut(&window)
            && entry.latest != Some(id)
        {
            entry.latest = Some(id);
            self.recalculate_size(window);
            self.fire("client-active", self.client_payload(id));
        }
    }

    pub(crate) fn client_line(&mut self, now: Now, world: &mut dyn World, id: ClientId, line: &[u8]) {
        if self.clients.get(&id).is_none_or(|client| client.leaving) {
            return;
        }
        if line.is_empty() {
            let status = self.clients.get(&id).map_or(0, |client| client.status);
            self.send_away(id, Farewell::Control(None, status));
            return;
        }
        let line = line.split(|byte| *byte == 0).next().unwrap_or_default();
        let text = crate::raw::text(line);
        let state = State { typed: true, ..State::default() };
        match self.commands(&text, None, world) {
            Ok(commands) if commands.list.is_empty() => {}
            Ok(commands) => {
                self.touch_client(now, id);
                self.enqueue(Some(id), &commands, state);
            }
            Err(error) => self.enqueue_error(Some(id), format!("parse error: {error}"), state),
        }
    }

    pub(crate) fn client_resized(&mut self, now: Now, id: ClientId, size: (u16, u16)) {
        let Some(client) = self.clients.get_mut(&id) else { return };
        let old = client.size.unwrap_or_default();
        client.size = Some(size);
        if client.session.is_some() {
            self.touch_client(now, id);
            self.recalculate_sizes();
            let number = |cells: u16| cells.to_string();
            let sizes = [
                ("old_width", number(old.0)),
                ("old_height", number(old.1)),
                ("width", number(size.0)),
                ("height", number(size.1)),
            ];
            self.event_with(Event::ClientResized(id), &sizes);
        }
        self.fit_overlay(id);
        self.redraw();
    }

    pub(crate) fn client_resumed(&mut self, id: ClientId) {
        if let Some(client) = self.clients.get_mut(&id) {
            client.suspended = false;
        }
        self.recalculate_sizes();
        self.redraw();
    }

    pub(crate) fn client_gone(&mut self, id: ClientId) {
        self.clear_overlay(id);
        if self.clients.get(&id).is_some_and(Client::speaks) {
            self.fire("client-closed", self.client_payload(id));
        }
        let Some(client) = self.clients.remove(&id) else { return };
        self.queues.remove(id);
        self.forget_waits(id);
        self.forget_format_jobs(id);
        for timer in [Timer::Escape, Timer::Message, Timer::Repeat, Timer::Click, Timer::Overlay].map(|of| of(id)) {
            self.timers.cancel(timer);
        }
        let attached = client.session.is_some();
        if attached && !client.leaving {
            self.event(Event::ClientDetached(id, client.name));
        }
        for window in self.windows.values_mut() {
            window.latest = window.latest.filter(|latest| *latest != id);
        }
        self.join_focus();
        if attached {
            self.recalculate_sizes();
            self.redraw();
        }
        self.destroy_unattached();
        self.exit_if_empty();
    }

    /// Sessions that nobody shows go, where `destroy-unattached` says so.
    fn destroy_unattached(&mut self) {
        let Some(now) = self.last_turn else { return };
        let goes = |session: &crate::Session| {
            let members = session.group.as_deref().map(|group| self.group_members(group).count());
            match self.session_text(session.id, "destroy-unattached").as_str() {
                "on" => true,
                "keep-last" => members.is_some_and(|members| members > 1),
                "keep-group" => members != Some(1),
                _ => false,
            }
        };
        let unattached = self.sessions.values().filter(|session| self.clients_of(session.id).next().is_none());
        let gone = unattached.filter(|session| goes(session)).map(|session| session.id).next();
        // One after the other: each that goes may be what another of its group is kept for.
        if let Some(session) = gone {
            self.close_session(now, session);
            self.destroy_unattached();
        }
    }

    /// The end of a control client's input, or a piece of the input that a command asked for.
    pub(crate) fn client_input(&mut self, id: ClientId, bytes: Option<&[u8]>) {
        let Some(client) = self.clients.get_mut(&id) else { return };
        match bytes {
            Some(bytes) => {
                let kept = self.stdin.entry(id).or_default();
                let room = STDIN_LIMIT.saturating_sub(kept.len());
                kept.extend_from_slice(&bytes[..bytes.len().min(room)]);
            }
            None if self.stdin.contains_key(&id) => self.wake(&Wait::Stdin(id)),
            None if client.is_control() => {
                let status = client.status;
                if self.queues.is_idle(Some(id)) {
                    self.send_away(id, Farewell::Control(None, status));
                } else {
                    // What came before the end of the input is still run; then the client leaves.
                    let leave = crate::queue::Item::callback(Default::default(), move |mux, _| {
                        let status = mux.clients.get(&id).map_or(0, |client| client.status);
                        mux.send_away(id, Farewell::Control(None, status));
                        crate::jobs::DONE
                    });
                    self.queues.append(Some(id), [leave]);
                }
            }
            None => {}
        }
    }

    /// Ask for a client's standard input; a callback behind this one takes it from [`Mux::take_stdin`].
    pub(crate) fn read_stdin(&mut self, id: ClientId) -> Wait {
        self.stdin.insert(id, Vec::new());
        self.effect(Effect::ReadStdin(id));
        Wait::Stdin(id)
    }

    /// What a client's standard input held.
    pub(crate) fn take_stdin(&mut self, id: ClientId) -> Vec<u8> {
        self.stdin.remove(&id).unwrap_or_default()
    }

    pub(crate) fn forget_waits(&mut self, id: ClientId) {
        self.stdin.remove(&id);
    }

    /// Flags that a client is given by name (`attach -f`); unknown names are nothing.
    pub(crate) fn set_client_flags(&mut self, id: ClientId, names: &str) {
        let Some(client) = self.clients.get_mut(&id) else { return };
        let control = client.is_control();
        for word in names.split(',') {
            let (off, name) = word.strip_prefix('!').map_or((false, word), |name| (true, name));
            if control && (name == "pause-after" || name.starts_with("pause-after=")) {
                let seconds = name.strip_prefix("pause-after=").map_or(Some(0), |text| text.parse::<u64>().ok());
                client.pause_after_ms = seconds.filter(|_| !off).map(|seconds| seconds.saturating_mul(1000));
                continue;
            }
            let flag = match name {
                "active-pane" => ClientFlags::ACTIVE_PANE,
                "ignore-size" => ClientFlags::IGNORE_SIZE,
                "no-detach-on-destroy" => ClientFlags::NO_DETACH_ON_DESTROY,
                "read-only" => ClientFlags::READ_ONLY,
                "no-output" if control => ClientFlags::NO_OUTPUT,
                "wait-exit" if control => ClientFlags::WAIT_EXIT,
                _ => continue,
            };
            // Read-only can only be taken on: else a reader could give itself more.
            if off && flag != ClientFlags::READ_ONLY {
                client.flags.remove(flag);
            } else if !off {
                client.flags.insert(flag);
            }
        }
        self.recalculate_sizes();
        self.join_focus();
    }

    /// The panes that a client shows now, in order, unless they are hidden by a zoom.
    pub fn shown_panes(&self, id: ClientId) -> Vec<PaneId> {
        let window = self.clients.get(&id).and_then(|client| self.sessions.get(&client.session?)?.current_window());
        let Some(window) = window.and_then(|id| self.windows.get(&id)) else { return Vec::new() };
        window.panes().iter().copied().filter(|pane| window.rect(*pane).is_some()).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::Face;
    use crate::fake::Bench;

    #[test]
    fn a_client_without_a_command_runs_the_one_that_is_set() {
        let mut bench = Bench::new(Face::Tmux);
        bench.lines(&["new-session -d -s a", "set -s default-client-command 'attach-session -t a'"]);
        bench.terminal((80, 24), &[]);
        assert_eq!((bench.mux.sessions.len(), bench.format("", "#{session_attached}")), (1, "1".to_owned()));
    }

    #[test]
    fn sessions_that_nobody_shows_go_where_the_option_says_so() {
        let mut bench = Bench::new(Face::Tmux);
        bench.lines(&["new-session -d -s stays", "set -g exit-empty off"]);
        let client = bench.terminal((80, 24), &["new-session", "-s", "goes"]);
        bench.line("set -t goes destroy-unattached on");
        assert_eq!(bench.line("list-sessions -F '#{session_name}'"), "goes\nstays");
        bench.keys(client, b"\x02d");
        assert_eq!(bench.line("list-sessions -F '#{session_name}'"), "stays");
        // Of a group the last one stays.
        bench.lines(&["new-session -d -s one -t group", "new-session -d -s two -t group"]);
        bench.lines(&["set -t one destroy-unattached keep-last", "set -t two destroy-unattached keep-last"]);
        assert_eq!(bench.line("list-sessions -F '#{session_name}' -f '#{session_grouped}'").lines().count(), 1);
    }
}
