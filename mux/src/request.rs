//! What a pane's program asks the terminal that it is shown on: colours of the palette, the clipboard.
//!
//! A program often asks for several things and takes the answer to the last as the end of all; so what it is answered
//! while a question is open waits behind it.

use crate::Mux;
use crate::alert::base64;
use crate::effect::Effect;
use crate::id::{ClientId, PaneId};
use crate::input::Now;
use crate::option::chain;
use crate::style::Colour;
use crate::timer::Timer;
use crate::values::OptionScope;
use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant};

/// How long a terminal has for its answer, as in tmux.
const PATIENCE: Duration = Duration::from_millis(500);

/// Most of a pane's questions and answers that wait.
const WAITING_MOST: usize = 512;

/// Panes with open questions.
pub(crate) type Requests = BTreeMap<PaneId, VecDeque<Waiting>>;

#[derive(Debug)]
pub(crate) enum Waiting {
    /// A client's terminal was asked.
    Asked { client: ClientId, what: Asked, bel: bool, until: Instant },
    /// An answer whose turn is later.
    Answer(Vec<u8>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Asked {
    /// OSC 4.
    Palette(u8),
    /// OSC 52.
    Clipboard,
}

/// What a terminal answered.
pub(crate) enum Told<'a> {
    Palette(u8, keymap::Rgb),
    Clipboard(Option<char>, &'a [u8]),
}

impl Told<'_> {
    fn answers(&self, asked: Asked) -> bool {
        match *self {
            Told::Palette(index, _) => asked == Asked::Palette(index),
            Told::Clipboard(..) => asked == Asked::Clipboard,
        }
    }

    fn text(&self, bel: bool) -> Vec<u8> {
        match *self {
            Told::Palette(index, keymap::Rgb { red, green, blue }) => palette_answer(index, [red, green, blue], bel),
            Told::Clipboard(selection, data) => clipboard_answer(selection, data, bel),
        }
    }
}

fn palette_answer(index: u8, rgb: [u8; 3], bel: bool) -> Vec<u8> {
    let end = if bel { "\x07" } else { "\x1b\\" };
    let rgb = rgb.map(|part| format!("{part:02x}{part:02x}")).join("/");
    format!("\x1b]4;{index};rgb:{rgb}{end}").into_bytes()
}

fn clipboard_answer(selection: Option<char>, data: &[u8], bel: bool) -> Vec<u8> {
    let end = if bel { "\x07" } else { "\x1b\\" };
    let selection = selection.map(String::from).unwrap_or_default();
    format!("\x1b]52;{selection};{}{end}", base64(data)).into_bytes()
}

impl Mux {
    /// The screen answered its program.
    pub(crate) fn answer_pane(&mut self, id: PaneId, bytes: Vec<u8>) {
        match self.requests.get_mut(&id) {
            Some(waiting) if waiting.len() < WAITING_MOST => waiting.push_back(Waiting::Answer(bytes)),
            _ => self.effect(Effect::WritePane(id, bytes)),
        }
    }

    /// A program asks for a colour that it has not set itself.
    pub(crate) fn ask_palette(&mut self, now: Now, id: PaneId, index: u8, bel: bool) {
        let chain = self.option_chain(OptionScope::Pane(id));
        let named = chain::items(&chain, "pane-colours").find(|(at, _)| *at == u32::from(index));
        if let Some(colour) = named.and_then(|(_, text)| Colour::parse(text)).and_then(Colour::rgb) {
            let [_, red, green, blue] = colour.to_be_bytes();
            let answer = palette_answer(index, [red, green, blue], bel);
            return self.answer_pane(id, answer);
        }
        let question = format!("\x1b]4;{index};?\x1b\\").into_bytes();
        self.ask_terminal(now, id, Asked::Palette(index), bel, question);
    }

    /// A program asks for the clipboard.
    pub(crate) fn ask_clipboard(&mut self, now: Now, id: PaneId, selections: &str, bel: bool) {
        if self.globals.server.text("set-clipboard") != "on" {
            return;
        }
        match self.globals.server.text("get-clipboard").as_str() {
            "off" => {}
            "buffer" => {
                if let Some(buffer) = self.buffers.top() {
                    let answer = clipboard_answer(selections.chars().next(), &buffer.data, bel);
                    self.answer_pane(id, answer);
                }
            }
            _ => self.ask_terminal(now, id, Asked::Clipboard, bel, b"\x1b]52;;?\x07".to_vec()),
        }
    }

    /// Asks the terminal that was used last of those that show the pane's session.
    fn ask_terminal(&mut self, now: Now, id: PaneId, what: Asked, bel: bool, question: Vec<u8>) {
        let Some(window) = self.panes.get(&id).map(|pane| pane.window) else { return };
        let sessions: Vec<_> = self.sessions_with(window).map(|session| session.id).collect();
        let shows = |session: Option<_>| session.is_some_and(|session| sessions.contains(&session));
        let clients = self.clients.values().filter(|client| client.is_drawn() && shows(client.session));
        let Some(client) = clients.max_by_key(|client| client.activity).map(|client| client.id) else { return };
        let waiting = self.requests.entry(id).or_default();
        if waiting.len() >= WAITING_MOST {
            return;
        }
        let until = now.instant + PATIENCE;
        waiting.push_back(Waiting::Asked { client, what, bel, until });
        self.timers.set_once(Timer::Request(id), until);
        self.effect(Effect::Terminal(client, question));
    }

    /// A client's terminal answered: to the pane that asked first, after what stood before it. False when none had asked.
    pub(crate) fn told(&mut self, now: Now, from: ClientId, told: &Told<'_>) -> bool {
        let asked = |waiting: &Waiting| matches!(waiting, Waiting::Asked { client, what, .. } if *client == from && told.answers(*what));
        let Some((id, at)) =
            self.requests.iter().find_map(|(id, waiting)| Some((*id, waiting.iter().position(asked)?)))
        else {
            return false;
        };
        let Some(waiting) = self.requests.get_mut(&id) else { return false };
        let mut rest = waiting.split_off(at + 1);
        std::mem::swap(waiting, &mut rest);
        // What was asked before and not answered is given up: terminals answer in order.
        for item in rest {
            match item {
                Waiting::Answer(bytes) => self.effect(Effect::WritePane(id, bytes)),
                item if asked(&item) => {
                    let Waiting::Asked { bel, .. } = item else { continue };
                    self.effect(Effect::WritePane(id, told.text(bel)));
                }
                Waiting::Asked { .. } => {}
            }
        }
        self.let_answers_go(now, id);
        true
    }

    /// Questions that are open for too long, and those of terminals that are gone, are given up.
    pub(crate) fn let_answers_go(&mut self, now: Now, id: PaneId) {
        let Some(mut waiting) = self.requests.remove(&id) else { return };
        while let Some(item) = waiting.pop_front() {
            match item {
                Waiting::Answer(bytes) => self.effect(Effect::WritePane(id, bytes)),
                Waiting::Asked { client, until, .. } if until > now.instant && self.clients.contains_key(&client) => {
                    waiting.push_front(item);
                    self.timers.set(Timer::Request(id), until);
                    self.requests.insert(id, waiting);
                    return;
                }
                Waiting::Asked { .. } => {}
            }
        }
        self.timers.cancel(Timer::Request(id));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Face;
    use crate::fake::Bench;

    const PANE: PaneId = PaneId(0);

    fn bench() -> (Bench, ClientId) {
        let mut bench = Bench::new(Face::Tmux);
        let client = bench.terminal((80, 24), &["new-session", "cat"]);
        bench.effects.clear();
        (bench, client)
    }

    /// What a client's terminal was sent beside pictures.
    fn sent(bench: &mut Bench) -> String {
        let mut sent = Vec::new();
        bench.effects.retain(|effect| match effect {
            Effect::Terminal(_, bytes) => {
                sent.extend_from_slice(bytes);
                false
            }
            _ => true,
        });
        String::from_utf8(sent).unwrap()
    }

    fn typed(bench: &mut Bench) -> String {
        String::from_utf8(bench.typed(PANE)).unwrap()
    }

    #[test]
    fn a_colour_is_asked_of_the_terminal_and_later_answers_wait() {
        let (mut bench, client) = bench();
        bench.output(PANE, b"\x1b]4;99;?\x07\x1b[5n");
        assert_eq!(sent(&mut bench), "\x1b]4;99;?\x1b\\");
        assert_eq!(typed(&mut bench), "");
        bench.keys(client, b"\x1b]4;98;rgb:01/02/03\x1b\\");
        assert_eq!(typed(&mut bench), "");
        bench.keys(client, b"\x1b]4;99;rgb:0101/0202/0303\x1b\\");
        assert_eq!(typed(&mut bench), "\x1b]4;99;rgb:0101/0202/0303\x07\x1b[0n");
        bench.output(PANE, b"\x1b[5n");
        assert_eq!(typed(&mut bench), "\x1b[0n");
    }

    #[test]
    fn a_terminal_that_is_silent_is_not_waited_for() {
        let (mut bench, _) = bench();
        bench.output(PANE, b"\x1b]4;1;?\x07\x1b]4;2;?\x07\x1b[5n");
        bench.advance(PATIENCE);
        assert_eq!(typed(&mut bench), "\x1b[0n");
        assert!(bench.mux.requests.is_empty());
    }

    #[test]
    fn without_a_terminal_nobody_is_asked() {
        let mut bench = Bench::new(Face::Tmux);
        bench.line("new-session -d cat");
        bench.output(PANE, b"\x1b]4;1;?\x07\x1b[5n");
        assert_eq!(typed(&mut bench), "\x1b[0n");
    }

    #[test]
    fn a_program_gets_the_clipboard_where_it_may() {
        let (mut bench, client) = bench();
        bench.line("set-buffer Hello");
        bench.output(PANE, b"\x1b]52;c;?\x07");
        assert_eq!(typed(&mut bench), "", "set-clipboard is external");
        bench.line("set -s set-clipboard on");
        bench.output(PANE, b"\x1b]52;pc;?\x07");
        assert_eq!(typed(&mut bench), "\x1b]52;p;SGVsbG8=\x07");
        bench.line("set -s get-clipboard request");
        bench.effects.clear();
        bench.output(PANE, b"\x1b]52;c;?\x1b\\");
        assert_eq!(sent(&mut bench), "\x1b]52;;?\x07");
        bench.keys(client, b"\x1b]52;c;UmVxdWVzdA==\x07");
        assert_eq!(typed(&mut bench), "\x1b]52;c;UmVxdWVzdA==\x1b\\");
        assert_eq!(bench.line("show-buffer"), "Hello");
        bench.line("set -s get-clipboard both");
        bench.output(PANE, b"\x1b]52;c;?\x1b\\");
        bench.keys(client, b"\x1b]52;c;UmVxdWVzdA==\x07");
        assert_eq!(bench.line("show-buffer"), "Request");
        bench.line("set -s get-clipboard off");
        bench.effects.clear();
        bench.output(PANE, b"\x1b]52;c;?\x1b\\");
        assert_eq!((sent(&mut bench), typed(&mut bench)), (String::new(), String::new()));
    }
}
