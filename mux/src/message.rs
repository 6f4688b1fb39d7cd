//! What is said to whom: output and errors of commands, messages in the status line, the message log.

use crate::Mux;
use crate::client::Message;
use crate::commands::Commands;
use crate::effect::{Effect, Farewell};
use crate::event::Event;
use crate::id::{ClientId, SessionId};
use crate::input::Now;
use crate::mode::{Kind, Mode, Shown};
use crate::queue::Context;
use crate::timer::Timer;
use std::time::Duration;

/// The version of tmux that scripts are told.
pub const TMUX_VERSION: &str = "3.7c";

/// Most lines kept of the message log, whatever `message-limit` says.
const MESSAGE_LIMIT_MOST: i64 = 100_000;

/// What stands in the message log.
#[derive(Clone, Debug)]
pub enum Logged {
    /// Words.
    Text(String),
    /// A command that was run: words before it, the list it stood in and its place there.
    Command {
        /// Who ran it.
        who: String,
        /// The list.
        commands: Commands,
        /// The place.
        at: usize,
    },
}

impl std::fmt::Display for Logged {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Logged::Text(text) => f.write_str(text),
            Logged::Command { who, commands, at } => {
                write!(f, "{who}{}", crate::command::print_command(&commands.list[*at]))
            }
        }
    }
}

impl Mux {
    /// A command's output, one line or more, without the last line feed.
    pub(crate) fn print(&mut self, context: &Context<'_>, text: &str) {
        self.print_bytes(context, crate::raw::bytes(text).into_owned(), true);
    }

    /// The same for bytes. `sanitise`: what a client without UTF-8 can't show becomes `_`.
    pub(crate) fn print_bytes(&mut self, context: &Context<'_>, bytes: Vec<u8>, sanitise: bool) {
        // Of what a configuration prints nobody is told, as in tmux.
        let Some(client) = context.client.filter(|id| self.clients.contains_key(id)) else { return };
        self.print_bytes_to(client, bytes, sanitise);
    }

    /// A line of output for a client, whatever it runs.
    pub(crate) fn print_to(&mut self, id: ClientId, text: &str) {
        self.print_bytes_to(id, text.as_bytes().to_vec(), true);
    }

    fn print_bytes_to(&mut self, id: ClientId, bytes: Vec<u8>, sanitise: bool) {
        let Some(client) = self.clients.get(&id) else { return };
        let bytes = if sanitise && !client.utf8 { ascii(&bytes) } else { bytes };
        if client.is_control() {
            self.event(Event::CommandPrinted(id, bytes));
        } else if client.session.is_none() {
            let mut line = bytes;
            line.push(b'\n');
            self.effect(Effect::Stdout(id, line));
        } else {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            self.show_text(id, &text);
        }
    }

    /// Lines for a terminal client: collected in the view mode of its active pane.
    fn show_text(&mut self, id: ClientId, text: &str) {
        let Some(pane) = self.active_pane_of(id) else { return };
        self.leave_fleeting_mode(pane);
        let Some(pane) = self.panes.get_mut(&pane) else { return };
        match pane.modes.last_mut().and_then(Shown::text_mut) {
            Some(mode) if mode.kind() == Kind::View => mode.append(text),
            _ => {
                let mut mode = Mode::view(pane.terminal.size());
                mode.append(text);
                let before = pane.mode_name();
                pane.modes.push(mode.into());
                let id = pane.id;
                self.mode_changed(id, true, before);
            }
        }
        self.redraw();
    }

    /// Show what was wrong in the configuration to a client that came to a session, once.
    pub(crate) fn show_config_errors(&mut self, id: ClientId) {
        let Some(client) = self.clients.get(&id).filter(|_| self.configured) else { return };
        let control = client.is_control();
        for error in std::mem::take(&mut self.config_errors) {
            if control {
                self.event(Event::ConfigError(id, error));
            } else {
                self.show_text(id, &error);
            }
        }
    }

    /// Print what was wrong in the configuration among what a command prints, once.
    pub(crate) fn tell_config_errors(&mut self, context: &mut Context<'_>) {
        let control = context.client.filter(|id| self.clients.get(id).is_some_and(crate::Client::is_control));
        for error in std::mem::take(&mut self.config_errors) {
            match control {
                Some(client) => self.event(Event::ConfigError(client, error)),
                None => self.print(context, &error),
            }
        }
    }

    /// Note something wrong that nobody is there to be told of.
    pub(crate) fn note_error(&mut self, text: String) {
        const MOST: usize = 1000;
        if self.config_errors.len() < MOST {
            self.config_errors.push(text);
        }
    }

    /// Tell whoever ran a command that it failed.
    pub(crate) fn report_error(&mut self, context: &Context<'_>, text: &str) {
        let place = context.place();
        let Some(client) = context.client.and_then(|id| self.clients.get_mut(&id)) else {
            self.note_error(place.map_or_else(|| text.to_owned(), |place| format!("{place}: {text}")));
            return;
        };
        let id = client.id;
        client.status = 1;
        let told = client.is_control() || client.session.is_none();
        if told {
            let text = format!("{} message: {text}", client.name);
            self.log_message(context.now, text);
        }
        let Some(client) = self.clients.get(&id) else { return };
        if client.is_control() {
            let bytes = if client.utf8 { crate::raw::bytes(text).into_owned() } else { ascii(text.as_bytes()) };
            self.event(Event::CommandPrinted(id, bytes));
        } else if client.session.is_none() {
            let text = if client.utf8 {
                text.to_owned()
            } else {
                String::from_utf8_lossy(&ascii(text.as_bytes())).into_owned()
            };
            let mut line = crate::raw::bytes(&text).into_owned();
            line.push(b'\n');
            self.effect(Effect::Stderr(id, line));
        } else {
            let mut chars = text.chars();
            let text = chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default();
            self.show_message(context.now, id, text, None);
        }
    }

    /// A message over a client's status line; a control client is told as `%message`.
    pub fn show_message(&mut self, now: Now, id: ClientId, text: String, delay: Option<Duration>) {
        self.log_message(now, format!("{} message: {text}", self.client_name(id)));
        let Some(client) = self.clients.get(&id) else { return };
        if client.is_control() {
            self.event(Event::Message(id, text));
            return;
        }
        let session = client.session;
        let delay = delay.unwrap_or_else(|| {
            let ms = session.map_or(750, |session| self.session_number(session, "display-time"));
            Duration::from_millis(ms.max(0) as u64)
        });
        let until = (!delay.is_zero()).then(|| now.instant + delay);
        match until {
            Some(at) => self.timers.set(Timer::Message(id), at),
            None => self.timers.cancel(Timer::Message(id)),
        }
        if let Some(client) = self.clients.get_mut(&id) {
            client.message = Some(Message { text, until });
        }
        self.redraw();
    }

    /// Take a client's message away. True when there was one.
    pub(crate) fn clear_message(&mut self, id: ClientId) -> bool {
        self.timers.cancel(Timer::Message(id));
        let cleared = self.clients.get_mut(&id).is_some_and(|client| client.message.take().is_some());
        if cleared {
            self.redraw();
        }
        cleared
    }

    /// Put a line into the message log.
    pub(crate) fn log_message(&mut self, now: Now, text: String) {
        self.log(now, Logged::Text(text));
    }

    /// Put something into the message log; the oldest over the limit goes.
    pub(crate) fn log(&mut self, now: Now, logged: Logged) {
        let limit = self.globals.server.number("message-limit").clamp(0, MESSAGE_LIMIT_MOST) as usize;
        self.message_log.push_back((now.seconds(), logged));
        while self.message_log.len() > limit {
            self.message_log.pop_front();
        }
    }

    /// A client's name; empty when it is gone.
    pub(crate) fn client_name(&self, id: ClientId) -> String {
        self.clients.get(&id).map_or(String::new(), |client| client.name.clone())
    }

    /// Let a client go, with words that fit how it speaks.
    pub(crate) fn dismiss(&mut self, id: ClientId, why: &str) {
        let farewell = match self.clients.get(&id) {
            None => return,
            Some(client) if client.is_control() => Farewell::Control(None, client.status),
            Some(client) if client.session.is_none() => Farewell::Done(client.status),
            Some(_) => Farewell::Exited(why.to_owned()),
        };
        self.send_away(id, farewell);
    }

    /// Let a client go. What its queue holds is dropped.
    pub(crate) fn send_away(&mut self, id: ClientId, farewell: Farewell) {
        let Some(client) = self.clients.get_mut(&id) else { return };
        if client.leaving {
            return;
        }
        client.leaving = true;
        client.prompt = None;
        self.clear_overlay(id);
        let Some(client) = self.clients.get_mut(&id) else { return };
        let attached = client.session.is_some();
        let name = client.name.clone();
        self.queues.remove(id);
        self.forget_waits(id);
        self.effect(Effect::EndClient(id, farewell));
        // Nothing is drawn otherwise without a client that only gave a command.
        if attached {
            self.event(Event::ClientDetached(id, name));
            self.recalculate_sizes();
            self.redraw();
        }
    }

    /// Detach a client, as `detach-client` does.
    pub(crate) fn detach(&mut self, id: ClientId, kill_parent: bool) {
        let Some(client) = self.clients.get(&id) else { return };
        let name = client.session.and_then(|id| self.sessions.get(&id)).map_or("", |session| session.name.as_str());
        let farewell = match (client.is_control(), kill_parent) {
            (true, _) => Farewell::Control(None, 0),
            (false, true) => Farewell::DetachedKill(format!("detached and SIGHUP (from session {name})")),
            (false, false) => Farewell::Detached(format!("detached (from session {name})")),
        };
        self.send_away(id, farewell);
    }

    /// The clients of a session that is gone go to another one, or leave (options `detach-on-destroy`).
    pub(crate) fn leave_session(&mut self, now: Now, gone: &crate::Session) {
        let clients: Vec<ClientId> =
            self.clients.values().filter(|client| client.session == Some(gone.id)).map(|client| client.id).collect();
        for client in clients {
            let heir = self.heir_session(gone, client);
            match heir {
                Some(session) => self.switch_client(now, client, session),
                None => self.dismiss(client, "exited"),
            }
        }
        for client in self.clients.values_mut() {
            client.last_session = client.last_session.filter(|last| *last != gone.id);
        }
    }

    fn heir_session(&self, gone: &crate::Session, client: ClientId) -> Option<SessionId> {
        let chain = [&gone.options, &self.globals.session];
        let rule = crate::option::chain::text(&chain, "detach-on-destroy");
        let stays = self
            .clients
            .get(&client)
            .is_some_and(|client| client.flags.contains(crate::client::ClientFlags::NO_DETACH_ON_DESTROY));
        let newest = |unattached: bool| {
            self.sessions
                .values()
                .filter(|session| !unattached || self.clients_of(session.id).next().is_none())
                .max_by_key(|session| session.activity)
                .map(|session| session.id)
        };
        match rule.as_str() {
            "off" => newest(false),
            "no-detached" => newest(true),
            "next" | "previous" => self.neighbour_session(&gone.name, rule == "next"),
            _ if stays => newest(false),
            _ => None,
        }
    }

    fn neighbour_session(&self, name: &str, forward: bool) -> Option<SessionId> {
        let mut sessions: Vec<(&str, SessionId)> =
            self.sessions.values().map(|session| (session.name.as_str(), session.id)).collect();
        sessions.sort_unstable();
        let after = sessions.iter().find(|(other, _)| *other > name).or(sessions.first());
        let before = sessions.iter().rev().find(|(other, _)| *other < name).or(sessions.last());
        if forward { after } else { before }.map(|(_, id)| *id)
    }
}

/// What a client without UTF-8 is shown: each character that is not printable ASCII becomes `_` for each of its columns.
pub fn ascii(bytes: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(bytes);
    let mut out = Vec::with_capacity(bytes.len());
    for c in text.chars() {
        match c {
            '\n' => out.push(b'\n'),
            ' '..='~' => out.push(c as u8),
            _ => out.extend(std::iter::repeat_n(b'_', crate::style::character_width(c).max(1))),
        }
    }
    out
}
