//! One control client's half of the conversation: blocks, what is held back while one is open, output and its pace.

use crate::notify;
use crate::wire::{cut, escape_output};
use mux::{ClientId, Event, Mux, PaneId};
use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant};

/// Bytes that may wait to be written before pane output is held back.
pub const OUTPUT_HIGH: usize = 256 * 1024;

/// Most pane output held back for one client; past it the client is too far behind.
const BACKLOG_LIMIT: usize = 16 << 20;

/// Longest `%output` payload in bytes, before escaping.
const LINE_LIMIT: usize = 2048;

/// How long pane output may wait for a client without `pause-after`.
const TOO_OLD: Duration = Duration::from_secs(300);

/// Output of a pane as far as this client is concerned.
#[derive(Debug, Default)]
struct PaneState {
    /// `refresh-client -A %N:off`.
    off: bool,
    /// `refresh-client -A %N:pause`, or too old with `pause-after`.
    paused: bool,
    /// Written by the pane, not yet put on the wire; with the time it came.
    waiting: VecDeque<(Instant, Vec<u8>)>,
}

/// One control client.
#[derive(Debug)]
pub struct Session {
    client: ClientId,
    line_end: &'static str,
    out: Vec<u8>,
    depth: u32,
    /// Notifications that came while a block was open, or while output that came before them waits.
    held: VecDeque<String>,
    panes: BTreeMap<PaneId, PaneState>,
    backlog: usize,
    last_values: BTreeMap<(String, String), String>,
}

impl Session {
    /// A conversation with a client that was just connected. With `terminal` (-CC) it opens with the DCS that
    /// terminals look for.
    pub fn new(client: ClientId, terminal: bool) -> Session {
        let out = if terminal { b"\x1bP1000p".to_vec() } else { Vec::new() };
        Session {
            client,
            line_end: "\n",
            out,
            depth: 0,
            held: VecDeque::new(),
            panes: BTreeMap::new(),
            backlog: 0,
            last_values: BTreeMap::new(),
        }
    }

    /// Whose conversation it is.
    pub fn client(&self) -> ClientId {
        self.client
    }

    /// Something happened.
    pub fn event(&mut self, mux: &Mux, event: &Event) {
        match event {
            Event::CommandBegan { client, time, number, typed } if *client == self.client => {
                self.guard("begin", *time, *number, *typed);
                self.depth += 1;
            }
            Event::CommandEnded { client, time, number, typed, failed } if *client == self.client => {
                self.depth = self.depth.saturating_sub(1);
                self.guard(if *failed { "error" } else { "end" }, *time, *number, *typed);
                self.release();
            }
            Event::CommandPrinted(client, text) if *client == self.client => {
                self.out.extend_from_slice(text);
                self.out.extend_from_slice(self.line_end.as_bytes());
            }
            event => {
                if let Some(line) = notify::line(mux, self.client, event) {
                    self.notify(line);
                }
            }
        }
    }

    /// A line of our own making (a subscription's value, `%pause`).
    pub fn notify(&mut self, line: String) {
        self.held.push_back(line);
        self.release();
    }

    fn guard(&mut self, word: &str, time: i64, number: u64, typed: bool) {
        // Two of these go round each command: they are put together without the formatter, which costs as much as a command.
        let (mut moment, mut count) = (itoa::Buffer::new(), itoa::Buffer::new());
        let flag = if typed { "1" } else { "0" };
        for part in ["%", word, " ", moment.format(time), " ", count.format(number), " ", flag, self.line_end] {
            self.out.extend_from_slice(part.as_bytes());
        }
    }

    /// Write what was held back, when no block is open and nothing older waits.
    fn release(&mut self) {
        if self.depth > 0 || self.backlog > 0 {
            return;
        }
        while let Some(line) = self.held.pop_front() {
            self.out.extend_from_slice(line.as_bytes());
            self.out.extend_from_slice(self.line_end.as_bytes());
        }
    }

    /// A pane wrote. False when the client is so far behind that it must go.
    pub fn output(&mut self, mux: &Mux, now: Instant, pane: PaneId, data: &[u8]) -> bool {
        let Some(client) = mux.clients.get(&self.client) else { return true };
        if client.flags.contains(mux::client::ClientFlags::NO_OUTPUT) || !self.sees(mux, pane) {
            return true;
        }
        let state = self.panes.entry(pane).or_default();
        if state.off || state.paused {
            return true;
        }
        let straight = self.depth == 0 && self.backlog == 0 && self.out.len() < OUTPUT_HIGH;
        if straight {
            write_output(&mut self.out, self.line_end, pane, data, client.pause_after_ms.map(|_| Duration::ZERO));
            return true;
        }
        state.waiting.push_back((now, data.to_vec()));
        self.backlog += data.len();
        self.backlog <= BACKLOG_LIMIT
    }

    fn sees(&self, mux: &Mux, pane: PaneId) -> bool {
        let window = mux.panes.get(&pane).map(|pane| pane.window);
        let session = mux.clients.get(&self.client).and_then(|client| mux.sessions.get(&client.session?));
        match (window, session) {
            (Some(window), Some(session)) => session.index_of(window).is_some(),
            _ => false,
        }
    }

    /// Put waiting output on the wire as far as there is room, each pane in turn. False when it waited too long.
    pub fn flush(&mut self, mux: &Mux, now: Instant) -> bool {
        let pause_after = mux.clients.get(&self.client).and_then(|client| client.pause_after_ms);
        let mut alive = true;
        let mut pauses = Vec::new();
        for (pane, state) in &mut self.panes {
            let Some((since, _)) = state.waiting.front() else { continue };
            let age = now.saturating_duration_since(*since);
            match pause_after {
                Some(limit) if age.as_millis() as u64 > limit => {
                    self.backlog -= state.waiting.drain(..).map(|(_, data)| data.len()).sum::<usize>();
                    state.paused = true;
                    pauses.push(*pane);
                }
                None if age > TOO_OLD => alive = false,
                _ => {}
            }
        }
        for pane in pauses {
            self.notify(format!("%pause {pane}"));
        }
        while self.depth == 0 && self.backlog > 0 && self.out.len() < OUTPUT_HIGH {
            for (pane, state) in &mut self.panes {
                let Some((since, data)) = state.waiting.pop_front() else { continue };
                self.backlog -= data.len();
                let age = pause_after.map(|_| now.saturating_duration_since(since));
                write_output(&mut self.out, self.line_end, *pane, &data, age);
            }
        }
        self.release();
        alive
    }

    /// `refresh-client -A`: what becomes of a pane's output. Unknown words change nothing.
    pub fn set_pane(&mut self, pane: PaneId, action: &str) {
        let state = self.panes.entry(pane).or_default();
        let drop_waiting = matches!(action, "off" | "pause");
        match action {
            "on" => state.off = false,
            "off" => state.off = true,
            "pause" if !state.paused => {
                state.paused = true;
                self.held.push_back(format!("%pause {pane}"));
            }
            "continue" if state.paused => {
                state.paused = false;
                self.held.push_back(format!("%continue {pane}"));
            }
            _ => {}
        }
        if drop_waiting {
            let state = self.panes.entry(pane).or_default();
            self.backlog -= state.waiting.drain(..).map(|(_, data)| data.len()).sum::<usize>();
        }
        self.release();
    }

    /// True when this client wants no output of the pane at all, so that the pane need not be read for it.
    pub fn is_off(&self, pane: PaneId) -> bool {
        self.panes.get(&pane).is_some_and(|state| state.off)
    }

    /// True when so much output waits that the panes this client sees should not be read for it.
    pub fn is_behind(&self) -> bool {
        self.backlog > OUTPUT_HIGH
    }

    /// Forget a pane that is gone.
    pub fn forget_pane(&mut self, pane: PaneId) {
        if let Some(state) = self.panes.remove(&pane) {
            self.backlog -= state.waiting.into_iter().map(|(_, data)| data.len()).sum::<usize>();
        }
        self.release();
    }

    /// A subscription's present value: told when it differs from the one told before. `place` is what follows the name.
    pub fn subscription(&mut self, name: &str, place: &str, value: &str) {
        let key = (name.to_owned(), place.to_owned());
        if self.last_values.get(&key).is_some_and(|last| last == value) {
            return;
        }
        self.last_values.insert(key, value.to_owned());
        let line = format!("%subscription-changed {name} {place} : {value}");
        self.notify(crate::wire::one_line(&line));
    }

    /// Forget what was told of a subscription.
    pub fn unsubscribe(&mut self, name: &str) {
        self.last_values.retain(|(other, _), _| other != name);
    }

    /// Bytes to be written.
    pub fn pending(&self) -> &[u8] {
        &self.out
    }

    /// This many of them were written.
    pub fn written(&mut self, count: usize) {
        self.out.drain(..count.min(self.out.len()));
    }

    /// True while something is to be written or waits.
    pub fn is_busy(&self) -> bool {
        !self.out.is_empty() || self.backlog > 0
    }
}

fn write_output(out: &mut Vec<u8>, line_end: &str, pane: PaneId, data: &[u8], age: Option<Duration>) {
    let mut rest = data;
    while !rest.is_empty() {
        let (piece, after) = rest.split_at(cut(rest, LINE_LIMIT));
        rest = after;
        let head = match age {
            Some(age) => format!("%extended-output {pane} {} : ", age.as_millis()),
            None => format!("%output {pane} "),
        };
        out.extend_from_slice(head.as_bytes());
        escape_output(piece, out);
        out.extend_from_slice(line_end.as_bytes());
    }
}
