//! What a pane's program does: its output, bells, titles, clipboard; monitors of activity and silence; timers.

use crate::effect::Effect;
use crate::event::Event;
use crate::id::{ClientId, PaneId, SessionId, WindowId};
use crate::input::Now;
use crate::mode::{Kind, Shown};
use crate::queue::Wait;
use crate::timer::Timer;
use crate::world::World;
use crate::{Client, Mux, Winlink};
use std::time::Duration;
use term::Event as Said;

/// How long a program may hold its picture back at most.
const HELD_MOST: Duration = Duration::from_secs(1);

/// The name of a command: its first word without `exec` and options' dashes, without its directory.
pub fn default_name(command: &str) -> String {
    let command = command.strip_prefix("exec ").unwrap_or(command);
    let command = command.trim_start_matches([' ', '-']);
    let word = command.split(' ').next().unwrap_or("");
    let base = if word.starts_with('/') { word.rsplit('/').next().unwrap_or(word) } else { word };
    let end = base.trim_end_matches(|c: char| !c.is_alphanumeric() && !c.is_ascii_punctuation());
    end.to_owned()
}

/// What monitors saw of a window since they were last looked at.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Seen {
    bell: bool,
    activity: bool,
}

/// A kind of alert: the options and the hook it has.
struct Alert {
    name: &'static str,
    hook: &'static str,
    action: &'static str,
    visual: &'static str,
    flag: fn(&mut Winlink) -> &mut bool,
    /// It is told anew while its flag stands.
    repeats: bool,
}

const BELL: Alert = Alert {
    name: "Bell",
    hook: "alert-bell",
    action: "bell-action",
    visual: "visual-bell",
    flag: |link| &mut link.bell,
    repeats: true,
};

const ACTIVITY: Alert = Alert {
    name: "Activity",
    hook: "alert-activity",
    action: "activity-action",
    visual: "visual-activity",
    flag: |link| &mut link.activity,
    repeats: false,
};

const SILENCE: Alert = Alert {
    name: "Silence",
    hook: "alert-silence",
    action: "silence-action",
    visual: "visual-silence",
    flag: |link| &mut link.silence,
    repeats: false,
};

impl Mux {
    /// A pane's program wrote. As [`crate::Input::PaneOutput`], without running what follows from it: a flood is taken in
    /// pieces, and the model runs once a turn.
    pub fn pane_output(&mut self, now: Now, world: &dyn World, id: PaneId, bytes: &[u8]) {
        self.tell_ground(now, world, id);
        let Some(pane) = self.panes.get_mut(&id) else { return self.popup_output(now, id, bytes) };
        pane.written += bytes.len() as u64;
        pane.unseen_changes |= pane.in_mode();
        pane.last_output = Some(now.seconds());
        pane.terminal.feed(bytes);
        let said = pane.terminal.take_events();
        let window = pane.window;
        if pane.terminal.modes().contains(term::Modes::THEME_UPDATES) != pane.told_theme.is_some() {
            self.themes_at = None;
        }
        match pane.terminal.synchronised() {
            true => self.timers.set_once(Timer::Held(id), now.instant + HELD_MOST),
            false => self.timers.cancel(Timer::Held(id)),
        }
        if let Some(start) = &mut pane.agent_start {
            start.hear(bytes);
        }
        if pane.agent.as_ref().is_some_and(|agent| agent.id.is_none()) {
            // What it was told is lost with it until its conversation is known.
            self.timers.set_by(Timer::Agents, now.instant + crate::agent::LOOK_SOON);
        }
        if let Some(job) = pane.pipe {
            self.effect(Effect::WriteJob(job, bytes.to_vec()));
        }
        for event in said {
            self.pane_said(now, id, event);
        }
        if let Some(entry) = self.windows.get_mut(&window) {
            entry.activity = now.unix;
        }
        if self.window_flag(window, "automatic-rename") {
            self.schedule_rename(now, window);
        }
        if self.is_heard("pane-activity", id) {
            self.fire_pane("pane-activity", id);
        }
        self.note_activity(now, window);
    }

    fn pane_said(&mut self, now: Now, id: PaneId, event: Said) {
        match event {
            Said::Reply(bytes) => self.answer_pane(id, bytes),
            Said::PaletteQuery { index, bel } => self.ask_palette(now, id, index, bel),
            Said::ClipboardQuery { selections, bel } => self.ask_clipboard(now, id, &selections, bel),
            Said::Bell => self.bell(id),
            Said::Title(title) if self.pane_flag(id, "allow-set-title") => self.set_pane_title(id, &title),
            Said::Rename(name) if self.pane_flag(id, "allow-rename") => {
                self.rename_by_program(now, id, &name);
            }
            Said::Prompt(mark) => self.shell_told(now, id, mark),
            Said::Clipboard { selections, data } => self.program_clipboard(now, id, &selections, data),
            Said::Passthrough(bytes) => self.pass_through(id, &bytes),
            Said::Notification { .. } | Said::Progress | Said::Colours => self.redraw(),
            _ => {}
        }
    }

    fn rename_by_program(&mut self, now: Now, id: PaneId, name: &str) {
        let Some(window) = self.panes.get(&id).map(|pane| pane.window) else { return };
        let name = crate::windows::inert_name(name);
        if let Some(entry) = self.windows.get_mut(&window) {
            let resolved = crate::option::resolve("automatic-rename");
            match (name.is_empty(), resolved) {
                (true, Ok(option)) => drop(entry.options.unset(&option)),
                _ => entry.options.set_flag("automatic-rename", false),
            }
        }
        if name.is_empty() {
            self.schedule_rename(now, window);
        } else {
            self.rename_window(window, name);
        }
    }

    /// Bytes for the terminals of all clients that show a pane, or may show it, as `allow-passthrough` says.
    fn pass_through(&mut self, id: PaneId, bytes: &[u8]) {
        let hidden_too = match self.pane_text(id, "allow-passthrough").as_str() {
            "on" => false,
            "all" => true,
            _ => return,
        };
        let window = self.panes.get(&id).map(|pane| pane.window);
        let has = |client: &Client| {
            let session = client.session.and_then(|id| self.sessions.get(&id));
            session.zip(window).is_some_and(|(session, window)| session.index_of(window).is_some())
        };
        let reached = |client: &Client| match hidden_too {
            true => has(client),
            false => self.shown_panes(client.id).contains(&id),
        };
        let drawn = self.clients.values().filter(|client| client.is_drawn());
        let clients: Vec<ClientId> = drawn.filter(|client| reached(client)).map(|client| client.id).collect();
        for client in clients {
            self.effect(Effect::Terminal(client, bytes.to_vec()));
        }
    }

    /// A program sets the clipboard: only where the user trusts programs with it.
    fn program_clipboard(&mut self, now: Now, id: PaneId, selections: &str, data: Vec<u8>) {
        if self.globals.server.text("set-clipboard") != "on" {
            return;
        }
        self.set_clipboards(id, selections, &data);
        self.add_buffer(data, now.seconds());
    }

    /// Put data into the clipboards of the clients that show a pane.
    pub(crate) fn set_clipboards(&mut self, id: PaneId, selections: &str, data: &[u8]) {
        self.event(Event::PaneSetClipboard(id));
        let clients: Vec<ClientId> = self
            .clients
            .values()
            .filter(|client| client.is_drawn() && self.shown_panes(client.id).contains(&id))
            .map(|client| client.id)
            .collect();
        for client in clients {
            self.set_clipboard(client, selections, data);
        }
    }

    /// Put data into the selections of a client's terminal (OSC 52); with none named it chooses.
    pub(crate) fn set_clipboard(&mut self, client: ClientId, selections: &str, data: &[u8]) {
        let text = format!("\x1b]52;{selections};{}\x07", base64(data));
        self.effect(Effect::Terminal(client, text.into_bytes()));
    }

    /// Add a paste buffer under an automatic name.
    pub(crate) fn add_buffer(&mut self, data: Vec<u8>, now: i64) {
        self.add_buffer_named(None, data, now);
    }

    /// The same with another beginning of the name.
    pub(crate) fn add_buffer_named(&mut self, prefix: Option<&str>, data: Vec<u8>, now: i64) {
        let limit = self.globals.server.number("buffer-limit").max(1) as usize;
        if let Some((name, gone)) = self.buffers.add_named(prefix.unwrap_or("buffer"), data, limit, now) {
            for gone in gone {
                self.event(Event::BufferDeleted(gone));
            }
            self.event(Event::BufferChanged(name));
            self.changed();
        }
    }

    fn bell(&mut self, id: PaneId) {
        let Some(window) = self.panes.get(&id).map(|pane| pane.window) else { return };
        self.fire_pane("pane-bell", id);
        if self.window_flag(window, "monitor-bell") {
            self.alerts.entry(window).or_default().bell = true;
        }
        self.event(Event::Bell(id));
        self.redraw();
    }

    fn ring(&mut self, session: SessionId, visual: &str, what: &str, index: i32, current: bool) {
        let clients: Vec<ClientId> =
            self.clients_of(session).filter(|client| client.is_drawn()).map(|client| client.id).collect();
        for client in clients {
            if visual != "on" {
                self.effect(Effect::Terminal(client, b"\x07".to_vec()));
            }
            if visual != "off" {
                let place = if current { "current window".to_owned() } else { format!("window {index}") };
                self.pending_messages.push((client, format!("{what} in {place}")));
            }
        }
    }

    /// A window was used, or its program wrote: its monitors look at it once the commands at hand are done.
    pub(crate) fn note_activity(&mut self, now: Now, window: WindowId) {
        self.watch_silence(now, window);
        if self.window_flag(window, "monitor-activity") {
            self.alerts.entry(window).or_default().activity = true;
        }
    }

    /// Tell of what monitors saw. False when there was nothing.
    pub(crate) fn check_alerts(&mut self) -> bool {
        let seen = std::mem::take(&mut self.alerts);
        for (window, alerts) in &seen {
            if alerts.bell {
                self.alert(*window, &BELL);
            }
            if alerts.activity {
                self.alert(*window, &ACTIVITY);
            }
        }
        !seen.is_empty()
    }

    /// An alert of a window, in every place it has: its flag, its hook, what clients hear and see.
    fn alert(&mut self, window: WindowId, kind: &Alert) {
        let mut told = Vec::new();
        for (session, index) in self.links(window) {
            let action = self.session_text(session, kind.action);
            let watched = self.clients_of(session).next().is_some();
            let Some(entry) = self.sessions.get_mut(&session) else { continue };
            let current = entry.current == index;
            let Some(link) = entry.windows.get_mut(&index) else { continue };
            let flag = (kind.flag)(link);
            if *flag && !kind.repeats {
                continue;
            }
            *flag |= !(current && watched);
            self.changed();
            if !action_applies(&action, current) {
                continue;
            }
            self.fire(kind.hook, self.link_payload(session, index, window));
            if !told.contains(&session) {
                told.push(session);
                let visual = self.session_text(session, kind.visual);
                self.ring(session, &visual, kind.name, index, current);
            }
        }
    }

    /// Count a window's silence from now on. False when nobody asks for it.
    pub(crate) fn watch_silence(&mut self, now: Now, window: WindowId) -> bool {
        let silence = self.windows.get(&window).map_or(0, |entry| self.window_number(entry, "monitor-silence"));
        match u64::try_from(silence).ok().filter(|seconds| *seconds > 0) {
            Some(seconds) => self.timers.set(Timer::Silence(window), now.instant + Duration::from_secs(seconds)),
            None => self.timers.cancel(Timer::Silence(window)),
        }
        silence > 0
    }

    fn note_silence(&mut self, now: Now, window: WindowId) {
        if self.watch_silence(now, window) {
            self.alert(window, &SILENCE);
        }
    }

    /// Clear a pane's history.
    pub(crate) fn clear_history(&mut self, id: PaneId) {
        if let Some(pane) = self.panes.get_mut(&id) {
            pane.terminal.clear_history();
        }
        self.effect(Effect::MarkPane(id, crate::Mark::HistoryCleared));
        self.redraw();
    }

    /// Lines shown in a pane's view mode.
    pub(crate) fn show_in_pane(&mut self, id: PaneId, text: &str) {
        self.leave_fleeting_mode(id);
        let Some(pane) = self.panes.get_mut(&id) else { return };
        if pane.modes.last().is_none_or(|mode| !mode.is(Kind::View)) {
            let before = pane.mode_name();
            pane.modes.push(Shown::view(pane.terminal.size()));
            self.mode_changed(id, true, before);
        }
        if let Some(mode) = self.text_mode(id) {
            mode.append(text);
        }
        self.redraw();
    }

    /// Draw the status line anew after `status-interval`.
    pub(crate) fn schedule_status(&mut self, now: Now) {
        let interval = self
            .clients
            .values()
            .filter(|client| client.is_drawn())
            .filter_map(|client| client.session)
            .map(|session| self.session_number(session, "status-interval"))
            .filter(|interval| *interval > 0)
            .min();
        match interval {
            Some(seconds) => self.timers.set(Timer::Status, now.instant + Duration::from_secs(seconds as u64)),
            None => self.timers.cancel(Timer::Status),
        }
    }

    /// Do what is due.
    pub(crate) fn run_timers(&mut self, now: Now, world: &mut dyn World) {
        while let Some(timer) = self.timers.take_due(now.instant) {
            match timer {
                Timer::Escape(client) => self.flush_keys(now, world, client),
                Timer::Message(client) => drop(self.clear_message(client)),
                Timer::Prefix(client) => self.prefix_lapsed(client),
                Timer::Repeat(client) => self.end_repeat(client),
                Timer::Drag(pane) => self.drag_due(now, pane),
                Timer::Click(client) => self.clicks_over(now, world, client),
                Timer::Clock => self.run_clocks(now, world),
                Timer::Overlay(client) => self.clear_overlay(client),
                Timer::Panes(pane) => self.leave_fleeting_mode(pane),
                Timer::Status => {
                    self.schedule_status(now);
                    self.redraw();
                }
                Timer::Rename(window) => self.rename_automatically(now, world, window),
                Timer::Delay(number) => {
                    if let Some(items) = self.delayed.remove(&number) {
                        self.queues.append(None, items);
                    }
                    self.wake(&Wait::Delay(number));
                }
                Timer::Held(pane) => {
                    if let Some(pane) = self.panes.get_mut(&pane) {
                        pane.terminal.end_synchronised();
                    }
                    self.redraw();
                }
                Timer::Request(pane) => self.let_answers_go(now, pane),
                Timer::Lock(session) => self.lock_session(session),
                Timer::Silence(window) => self.note_silence(now, window),
                Timer::Subscriptions => self.check_subscriptions(now, world),
                Timer::Animation => self.redraw(),
                Timer::Monitors => self.check_monitors(now, world),
                Timer::Thaw => self.thaw_next(now, world),
                Timer::Return(pane) => self.thaw_pane(now, world, pane),
                Timer::Agents => self.find_agents(now, world),
                Timer::Routines => self.run_routines(now, world),
                Timer::Idle => self.exit_if_idle(),
            }
        }
        for (client, text) in std::mem::take(&mut self.pending_messages) {
            self.show_message(now, client, text, None);
        }
    }
}

fn action_applies(action: &str, current: bool) -> bool {
    match action {
        "any" => true,
        "current" => current,
        "other" => !current,
        _ => false,
    }
}

/// RFC 4648 base64 with padding.
pub(crate) fn base64(data: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(data.len().div_ceil(3) * 4);
    for chunk in data.chunks(3) {
        let bits = chunk.iter().fold(0u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for at in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * at) & 63) as usize] as char;
            out.push(if at <= chunk.len() { letter } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_is_named_after_its_command() {
        assert_eq!(default_name("/bin/sh"), "sh");
        assert_eq!(default_name("exec vim file"), "vim");
        assert_eq!(default_name("-bash"), "bash");
        assert_eq!(default_name(""), "");
    }

    #[test]
    fn base64_pads() {
        assert_eq!(base64(b""), "");
        assert_eq!(base64(b"f"), "Zg==");
        assert_eq!(base64(b"fo"), "Zm8=");
        assert_eq!(base64(b"foobar"), "Zm9vYmFy");
    }
}
