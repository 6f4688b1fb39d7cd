//! Sessions or windows in the place of a pane's screen, of which what is typed leaves those that fit, the best first.
//! What is typed stands in a prompt over the pane.

use super::Shown;
use crate::client::ClientFlags;
use crate::prompt::{Answer, Prompt, Question, Seat, Takes};
use crate::queue::{Context, State};
use crate::target::Found;
use crate::{ClientId, Mux, Now, PaneId, SessionId, World};
use keymap::{Key, KeyCode, MouseAction, MouseKey};
use std::cell::Cell;
use std::rc::Rc;
use term::Terminal;

/// How a row looks without `-F`.
const FORMAT: &str = "#{?window_format,#{window_name} #[dim]#{session_name}:#{window_index}#{window_flags} \
                      #{pane_current_command},#{session_name} #[dim]#{session_windows} windows\
                      #{?session_attached, (attached),}}#[default]";

/// How the mode is entered.
pub(crate) struct Switching {
    /// Windows are listed, not sessions.
    pub(crate) windows: bool,
    /// Format of a row.
    pub(crate) format: Option<String>,
    /// The command for what is chosen, `%%` standing for it.
    pub(crate) template: Option<String>,
    /// The pane fills the window meanwhile.
    pub(crate) zooms: bool,
}

/// A session or a window that fits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fit {
    /// What is shown.
    pub text: String,
    /// The columns of the characters that were typed.
    pub columns: Vec<usize>,
    session: SessionId,
    index: Option<i32>,
}

/// The list of them.
#[derive(Debug)]
pub struct Switch {
    windows: bool,
    format: String,
    template: String,
    zoomed: bool,
    fits: Vec<Fit>,
    current: usize,
    offset: usize,
    /// Rows of the list; the one below them is the prompt's.
    rows: usize,
}

impl Switch {
    /// The rows that are shown, and which of them is the current one.
    pub fn visible(&self) -> impl Iterator<Item = (bool, &Fit)> {
        let rows = self.fits.iter().enumerate().skip(self.offset).take(self.rows);
        rows.map(|(at, fit)| (at == self.current, fit))
    }

    pub(super) fn resized(&mut self, terminal: &Terminal) {
        self.rows = usize::from(terminal.size().rows).saturating_sub(1);
        self.go(self.current);
    }

    fn go(&mut self, to: usize) {
        self.current = to.min(self.fits.len().saturating_sub(1));
        let first = (self.current + 1).saturating_sub(self.rows.max(1));
        self.offset = self.offset.clamp(first, self.current);
    }

    /// Move by a key; false when it is none that moves.
    fn moved(&mut self, key: &str) -> bool {
        let (at, last) = (self.current, self.fits.len().saturating_sub(1));
        self.go(match key {
            "Up" | "C-p" | "C-k" => at.checked_sub(1).unwrap_or(last),
            "Down" | "C-n" | "C-j" if at == last => 0,
            "Down" | "C-n" | "C-j" => at + 1,
            "PPage" => at.saturating_sub(self.rows),
            "NPage" => at + self.rows,
            "WheelUpPane" => at.saturating_sub(1),
            "WheelDownPane" => at + 1,
            _ => return false,
        });
        true
    }
}

impl Mux {
    fn switch_mut(&mut self, id: PaneId) -> Option<&mut Switch> {
        match self.panes.get_mut(&id)?.modes.last_mut()? {
            Shown::Switch(switch) => Some(switch),
            _ => None,
        }
    }

    /// Let a pane show sessions or windows to choose from.
    pub(crate) fn enter_switch_mode(&mut self, context: &mut Context<'_>, id: PaneId, how: Switching) {
        if self.switch_mut(id).is_some() || self.prompt_at(Seat::Pane(id)).is_some() {
            return;
        }
        self.leave_fleeting_mode(id);
        let Some(pane) = self.panes.get_mut(&id) else { return };
        let (window, before) = (pane.window, pane.mode_name());
        let zooms = how.zooms && !self.windows.get(&window).is_some_and(crate::Window::zoomed);
        let switch = Switch {
            windows: how.windows,
            format: how.format.unwrap_or_else(|| FORMAT.to_owned()),
            template: how.template.unwrap_or_else(|| "switch-client -Zt '%%'".to_owned()),
            zoomed: zooms,
            fits: Vec::new(),
            current: 0,
            offset: 0,
            rows: usize::from(pane.terminal.size().rows).saturating_sub(1),
        };
        pane.modes.push(Shown::Switch(Box::new(switch)));
        let question = Question { text: "(search) ".to_owned(), initial: String::new() };
        let prompt = Prompt::new(Answer::Switch(id), Rc::new(State::default()));
        let history = "search".to_owned();
        let prompt = Prompt { questions: vec![question], takes: Takes::Incremental, history, ..prompt };
        self.place_prompt(Seat::Pane(id), prompt);
        if zooms {
            self.zoom(window, Some(id));
        }
        self.find_fits(context.now, context.world, id, "");
        self.mode_changed(id, true, before);
        self.redraw();
    }

    /// It was left.
    pub(super) fn switch_left(&mut self, id: PaneId, switch: &Switch) {
        self.take_prompt(Seat::Pane(id));
        if let Some(window) = self.panes.get(&id).map(|pane| pane.window).filter(|_| switch.zoomed) {
            self.unzoom(window);
        }
    }

    /// What fits what is typed, the best first.
    pub(crate) fn find_fits(&mut self, now: Now, world: &dyn World, id: PaneId, typed: &str) {
        let Some(switch) = self.switch_mut(id) else { return };
        let (windows, format) = (switch.windows, switch.format.clone());
        let mut fits: Vec<(i64, Fit)> = Vec::new();
        for found in self.switch_places(windows) {
            let Some(session) = found.session else { continue };
            let values = [("window_format".to_owned(), u8::from(windows).to_string())];
            let text = self.expand_at(None, found, &format, &values, world, now);
            if let Some((score, columns)) = crate::format::fuzzy_match(typed, &text) {
                fits.push((score, Fit { text, columns, session, index: found.index.filter(|_| windows) }));
            }
        }
        fits.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        if let Some(switch) = self.switch_mut(id) {
            switch.fits = fits.into_iter().map(|(_, fit)| fit).collect();
            (switch.current, switch.offset) = (0, 0);
        }
        self.redraw();
    }

    /// All sessions, or all their windows, by name.
    fn switch_places(&self, windows: bool) -> Vec<Found> {
        let mut places = Vec::new();
        for session in self.sessions.values() {
            for (index, link) in &session.windows {
                let Some(window) = self.windows.get(&link.window) else { continue };
                if !windows && *index != session.current {
                    continue;
                }
                let name = if windows { &window.name } else { &session.name };
                let found = Found {
                    session: Some(session.id),
                    index: Some(*index),
                    window: Some(window.id),
                    pane: Some(window.active),
                    ..Found::default()
                };
                places.push((name, &session.name, found));
            }
        }
        places.sort_by_key(|(name, session, found)| (*name, *session, found.index));
        places.into_iter().map(|(.., found)| found).collect()
    }

    /// A key of the mode itself; false for one that its prompt takes.
    pub(crate) fn switch_key(&mut self, context: &mut Context<'_>, id: PaneId, key: Key) -> bool {
        let name = keymap::key_name(key);
        let client = context.target_client.or(context.client);
        match name.as_str() {
            "Enter" => self.choose_switch(context, id, client),
            "Escape" | "C-[" | "C-c" | "C-g" => self.end_mode(id),
            _ => {
                let moved = self.switch_mut(id).is_some_and(|switch| switch.moved(&name));
                if moved {
                    self.redraw();
                }
                return moved;
            }
        }
        true
    }

    /// The mouse over it: the wheel moves, a click goes to a row, a double one chooses it.
    pub(super) fn switch_mouse(
        &mut self,
        context: &mut Context<'_>,
        id: PaneId,
        client: Option<ClientId>,
        key: Key,
        mouse: &crate::keys::Mouse,
    ) {
        let Some(place) = self.mouse_in_pane(id, mouse) else { return };
        let KeyCode::Mouse(MouseKey { action, button, .. }) = key.code() else { return };
        let Some(switch) = self.switch_mut(id) else { return };
        let row = switch.offset + usize::from(place.row);
        let is_row = usize::from(place.row) < switch.rows && row < switch.fits.len();
        match action {
            MouseAction::WheelUp => drop(switch.moved("WheelUpPane")),
            MouseAction::WheelDown => drop(switch.moved("WheelDownPane")),
            MouseAction::Down | MouseAction::DoubleClick if button == 1 && is_row => {
                switch.go(row);
                if action == MouseAction::DoubleClick {
                    self.choose_switch(context, id, client);
                }
            }
            _ => {}
        }
        self.redraw();
    }

    /// Run the command with what is current, and leave.
    fn choose_switch(&mut self, context: &mut Context<'_>, id: PaneId, client: Option<ClientId>) {
        let Some(switch) = self.switch_mut(id) else { return };
        let (template, fit) = (switch.template.clone(), switch.fits.get(switch.current).cloned());
        let Some((fit, session)) = fit.and_then(|fit| Some((fit.clone(), self.sessions.get(&fit.session)?))) else {
            return;
        };
        let target = match fit.index {
            None => format!("={}:", session.name),
            Some(index) if session.windows.contains_key(&index) => format!("={}:{index}.", session.name),
            Some(_) => return,
        };
        let text = crate::command::template::replace_all(&template, &[target]);
        match self.commands(&text, None, context.world) {
            Ok(commands) => {
                let reads = |client: &crate::Client| client.flags.contains(ClientFlags::READ_ONLY);
                let read_only = client.and_then(|id| self.clients.get(&id)).is_some_and(reads);
                let state = State { key: context.state.key, read_only, current: Cell::new(None), ..State::default() };
                let items = self.queues.items(&commands, &Rc::new(state));
                self.queues.append(client, items);
            }
            Err(error) => {
                if let Some(client) = client {
                    self.show_message(context.now, client, error, None);
                }
            }
        }
        self.end_mode(id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Face;
    use crate::fake::Bench;

    fn bench() -> (Bench, ClientId) {
        let mut bench = Bench::new(Face::Tmux);
        let client = bench.terminal((40, 6), &["new-session", "-s", "alpha", "-n", "edit", "cat"]);
        bench.lines(&["new-session -d -s beta -n build", "new-window -d -t beta:3 -n logs", "set -g @a none"]);
        (bench, client)
    }

    fn shown(bench: &mut Bench) -> Vec<String> {
        let switch = bench.mux.switch_mut(PaneId(0)).expect("the pane is in the mode");
        let mark = |current: bool| if current { ">" } else { "" };
        switch.visible().map(|(current, fit)| format!("{}{}", mark(current), fit.text)).collect()
    }

    #[test]
    fn what_is_typed_leaves_what_fits() {
        let (mut bench, client) = bench();
        bench.line("switch-mode -w -F '#{window_name} #{session_name}'");
        assert_eq!(bench.format("%0", "#{pane_mode}"), "switch-mode");
        assert_eq!(shown(&mut bench), [">build beta", "edit alpha", "logs beta"]);
        bench.keys(client, b"l");
        assert_eq!(shown(&mut bench)[0], ">logs beta");
        bench.keys(client, b"og");
        assert_eq!(shown(&mut bench), [">logs beta"]);
        assert_eq!(bench.mux.switch_mut(PaneId(0)).expect("a mode").fits[0].columns, [0, 1, 2]);
        bench.keys(client, b"\r");
        assert_eq!(bench.mux.clients[&client].session, bench.mux.session_named("beta"));
        assert_eq!(bench.format("beta:", "#{window_name}"), "logs");
        assert_eq!(bench.format("%0", "#{pane_in_mode}"), "0");
        assert!(bench.mux.prompt_at(Seat::Pane(PaneId(0))).is_none());
    }

    #[test]
    fn keys_and_the_mouse_move() {
        let (mut bench, client) = bench();
        bench.lines(&["set -g mouse on", "switch-mode -wF '#{window_name}' 'set -g @a %%'"]);
        for (keys, current) in [
            (&b"\x1b[B"[..], ">edit"),
            (b"\x0e", ">logs"),
            (b"\x0e", ">build"),
            (b"\x10", ">logs"),
            (b"\x1b[5~", ">build"),
            (b"\x1b[<65;3;2M", ">edit"),
            (b"\x1b[<0;3;3M", ">logs"),
        ] {
            bench.keys(client, keys);
            assert!(shown(&mut bench).contains(&current.to_owned()), "{current}: {:?}", shown(&mut bench));
        }
        // Left and right are for what is typed, or pasted.
        bench.keys(client, b"\x1b[200~it\x1b[201~\x1b[D\x1b[Dd");
        assert_eq!(shown(&mut bench), [">edit"]);
        bench.keys(client, b"\r");
        assert_eq!(bench.line("show -gv @a"), "=alpha:0.");
        bench.lines(&["switch-mode -F '#{session_name}' 'set -g @a %%'", "send-keys -t %0 Down Enter"]);
        assert_eq!(bench.line("show -gv @a"), "=beta:");
    }

    #[test]
    fn it_is_left_by_escape_and_by_other_modes() {
        let (mut bench, client) = bench();
        bench.lines(&["split-window -d cat", "switch-mode -Z"]);
        assert_eq!(bench.format("%0", "#{window_zoomed_flag}"), "1");
        bench.keys(client, b"zz\r");
        assert_eq!(shown(&mut bench), [""; 0], "nothing fits, so Enter chooses nothing");
        bench.keys(client, b"\x03");
        assert_eq!(bench.format("%0", "#{pane_in_mode}#{window_zoomed_flag}"), "00");
        bench.lines(&["switch-mode", "copy-mode", "send-keys -X cancel"]);
        assert_eq!(bench.format("%0", "#{pane_in_mode}"), "0");
        assert!(bench.mux.prompt_at(Seat::Pane(PaneId(0))).is_none());
        bench.lines(&["switch-mode -k -t %0", "send-keys -t %0 C-g"]);
        assert!(!bench.mux.panes.contains_key(&PaneId(0)));
        bench.mux.check();
    }

    #[test]
    fn it_is_in_no_list() {
        let (mut bench, _) = bench();
        assert!(!bench.line("list-commands").contains("switch-mode"));
        assert_eq!(bench.line("switch -t beta"), "", "and takes no short name away");
    }
}
