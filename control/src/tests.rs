//! What a control client reads, from a model on a bench: whole conversations, and what holds of every one.

use crate::Session;
use mux::fake::Bench;
use mux::{ClientId, Face, PaneId};
use proptest::prelude::*;
use std::time::Duration;

/// A control client on a bench, and all that it read.
struct Conversation {
    bench: Bench,
    client: ClientId,
    session: Session,
    read: Vec<u8>,
}

impl Conversation {
    /// A client attached to a session `a` of 80x24 with one window `zero`.
    fn new() -> Conversation {
        let mut bench = Bench::new(Face::Tmux);
        bench.line("new-session -d -s a -x 80 -y 24 -n zero cat");
        bench.events.clear();
        let client = bench.control(&["attach", "-t", "a"]);
        let mut conversation = Conversation { bench, client, session: Session::new(client, false), read: Vec::new() };
        conversation.tell();
        conversation.drain(usize::MAX);
        conversation
    }

    /// Tell the client what happened.
    fn tell(&mut self) {
        for event in std::mem::take(&mut self.bench.events) {
            if let mux::Event::PaneFlow(client, pane, action) = &event
                && *client == self.client
            {
                self.session.set_pane(*pane, action);
                continue;
            }
            self.session.event(&self.bench.mux, &event);
        }
    }

    fn line(&mut self, line: &str) {
        self.bench.control_line(self.client, line);
        self.tell();
    }

    fn other(&mut self, line: &str) {
        self.bench.line(line);
        self.tell();
    }

    fn output(&mut self, pane: u32, bytes: &[u8]) {
        let now = self.bench.now.instant;
        self.session.output(&self.bench.mux, now, PaneId(pane), bytes);
        self.bench.output(PaneId(pane), bytes);
        self.tell();
    }

    /// The client reads as much as this.
    fn drain(&mut self, most: usize) {
        self.session.flush(&self.bench.mux, self.bench.now.instant);
        let pending = self.session.pending();
        let count = most.min(pending.len());
        self.read.extend_from_slice(&pending[..count]);
        self.session.written(count);
    }

    /// What was read since the last time, times and numbers of guards left out.
    fn text(&mut self) -> String {
        self.drain(usize::MAX);
        let text = String::from_utf8_lossy(&std::mem::take(&mut self.read)).into_owned();
        let line = |line: &str| match line.split(' ').collect::<Vec<_>>().as_slice() {
            [guard @ ("%begin" | "%end" | "%error"), _, _, typed] => format!("{guard} {typed}\n"),
            _ => format!("{line}\n"),
        };
        text.lines().map(line).collect()
    }
}

#[test]
fn attaching() {
    let mut conversation = Conversation::new();
    assert_eq!(conversation.text(), "%begin 0\n%end 0\n%session-changed $0 a\n");
}

#[test]
fn answers_errors_and_what_follows_from_commands() {
    let mut conversation = Conversation::new();
    conversation.text();
    conversation.line("display-message -p hello");
    assert_eq!(conversation.text(), "%begin 1\nhello\n%end 1\n");
    conversation.line("kill-window -t nope");
    assert_eq!(conversation.text(), "%begin 1\ncan't find window: nope\n%error 1\n");
    conversation.line("rename-window one ; display-message -p x");
    assert_eq!(conversation.text(), "%begin 1\n%end 1\n%window-renamed @0 one\n%begin 1\nx\n%end 1\n");
    conversation.line("new-window -n two cat");
    assert_eq!(conversation.text(), "%begin 1\n%end 1\n%session-window-changed $0 @1\n%window-add @1\n");
    conversation.line("kill-window -t @0");
    assert_eq!(conversation.text(), "%begin 1\n%end 1\n%window-close @0\n");
    conversation.other("new-session -d -s b cat");
    assert_eq!(conversation.text(), "%unlinked-window-add @2\n%sessions-changed\n");
    conversation.line("display-message hi\n");
    assert_eq!(conversation.text(), "%begin 1\n%end 1\n%message hi\n");
}

#[test]
fn output_is_escaped_and_stops_while_it_is_off() {
    let mut conversation = Conversation::new();
    conversation.text();
    conversation.output(0, b"a\\b\r\n\xc3\xa9");
    assert_eq!(conversation.text(), "%output %0 a\\134b\\015\\012\u{e9}\n");
    conversation.line("refresh-client -A '%0:off'");
    conversation.output(0, b"unseen");
    conversation.line("refresh-client -A '%0:on'");
    conversation.output(0, b"seen");
    assert_eq!(conversation.text(), "%begin 1\n%end 1\n%begin 1\n%end 1\n%output %0 seen\n");
    conversation.line("refresh-client -A '%0:pause'");
    conversation.output(0, b"unseen");
    conversation.line("refresh-client -A '%0:continue'");
    assert_eq!(conversation.text(), "%begin 1\n%end 1\n%pause %0\n%begin 1\n%end 1\n%continue %0\n");
}

#[test]
fn who_is_too_slow_is_paused() {
    let mut conversation = Conversation::new();
    conversation.line("refresh-client -f pause-after=1");
    conversation.text();
    conversation.output(0, &[b'x'; 300_000]);
    conversation.output(0, b"waits");
    conversation.bench.now.instant += Duration::from_secs(2);
    conversation.drain(0);
    let text = conversation.text();
    assert!(text.ends_with("%pause %0\n"), "{}", &text[text.len().saturating_sub(80)..]);
    assert!(!text.contains("waits"));
}

#[derive(Clone, Debug)]
enum Step {
    Line(usize),
    Other(usize),
    Output(u32, Vec<u8>),
    Read(usize),
    Wait(u64),
}

const LINES: &[&str] = &[
    "display-message -p hello",
    "display-message -p '%begin 1 1 1'",
    "display-message note",
    "nope",
    "kill-window -t nope",
    "rename-window x",
    "rename-window y ; rename-window z ; display-message -p done",
    "new-window -d cat",
    "split-window -d cat",
    "kill-pane -a",
    "refresh-client -A '%0:off'",
    "refresh-client -A '%0:on'",
    "refresh-client -A '%1:pause'",
    "refresh-client -A '%1:continue'",
    "refresh-client -f pause-after=1",
    "refresh-client -f '!pause-after'",
    "set-hook -g window-renamed 'display-message -p hooked'",
    "if-shell -F 1 'display-message -p body'",
    "run-shell 'echo out'",
    "list-windows",
    "set-buffer x",
];

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (0..LINES.len()).prop_map(Step::Line),
        2 => (0..LINES.len()).prop_map(Step::Other),
        6 => (0..3u32, prop::collection::vec(any::<u8>(), 1..200)).prop_map(|(pane, bytes)| Step::Output(pane, bytes)),
        1 => (0..3u32).prop_map(|pane| Step::Output(pane, vec![b'x'; 150_000])),
        4 => (0..100_000usize).prop_map(Step::Read),
        1 => (0..3000u64).prop_map(Step::Wait),
    ]
}

fn octal(text: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut at = 0;
    while at < text.len() {
        if text[at] == b'\\' {
            bytes.push(text[at + 1..at + 4].iter().fold(0u32, |sum, digit| sum * 8 + u32::from(digit - b'0')) as u8);
            at += 4;
        } else {
            bytes.push(text[at]);
            at += 1;
        }
    }
    bytes
}

/// Checks what holds of every conversation, and gives the output of a pane in it.
fn check(read: &[u8], pane: u32) -> Vec<u8> {
    let mut block: Option<String> = None;
    let mut output = Vec::new();
    for line in read.split(|byte| *byte == b'\n') {
        let text = String::from_utf8_lossy(line);
        let mut words = text.splitn(2, ' ');
        let (word, rest) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        match (&block, word) {
            // A line of output may look like a guard; only that of the block itself ends it.
            (Some(open), "%end" | "%error") if open == rest => block = None,
            (Some(_), _) => {
                let kinds = ["%output", "%extended-output", "%window-", "%layout-", "%session", "%pause", "%continue"];
                assert!(!kinds.iter().any(|kind| word.starts_with(kind)), "inside a block: {text}");
            }
            (None, "%begin") => block = Some(rest.to_owned()),
            (None, "%end" | "%error") => panic!("an end without its begin: {text}"),
            (None, _) => {
                // What a job printed comes after the block of its command, as from tmux 3.7c.
                assert!(line.is_empty() || line[0] == b'%' || line == b"out", "outside of every block: {text}");
                let head = format!("%output %{pane} ");
                let extended = format!("%extended-output %{pane} ");
                if let Some(data) = line.strip_prefix(head.as_bytes()) {
                    output.extend(octal(data));
                } else if let Some(data) = line.strip_prefix(extended.as_bytes()) {
                    let at = data.windows(3).position(|window| window == b" : ").expect("its age is before the data");
                    output.extend(octal(&data[at + 3..]));
                }
            }
        }
    }
    assert_eq!(block, None, "a block without its end");
    output
}

/// True when the pieces stand in the text in this order; some may be missing.
fn in_order(output: &[u8], pieces: &[Vec<u8>]) -> bool {
    let mut rest = output;
    for piece in pieces {
        if let Some(after) = rest.strip_prefix(piece.as_slice()) {
            rest = after;
        }
    }
    rest.is_empty()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn blocks_hold_answers_only_and_output_keeps_its_order(steps in prop::collection::vec(step(), 1..60)) {
        let mut conversation = Conversation::new();
        conversation.other("split-window -d cat");
        let mut pieces: Vec<Vec<u8>> = Vec::new();
        for step in steps {
            match step {
                Step::Line(at) => conversation.line(LINES[at]),
                Step::Other(at) => conversation.other(LINES[at]),
                Step::Output(pane, bytes) => {
                    if pane == 0 {
                        // Pieces that no other begins with, so that their order shows.
                        let mut piece = format!("<{}>", pieces.len()).into_bytes();
                        piece.extend(bytes.iter().filter(|byte| !b"<\x1b".contains(byte)));
                        conversation.output(0, &piece);
                        pieces.push(piece);
                    } else {
                        conversation.output(pane, &bytes);
                    }
                }
                Step::Read(most) => conversation.drain(most),
                Step::Wait(ms) => {
                    conversation.bench.advance(Duration::from_millis(ms));
                    conversation.tell();
                }
            }
        }
        for _ in 0..1000 {
            conversation.drain(usize::MAX);
            if !conversation.session.is_busy() {
                break;
            }
        }
        let output = check(&conversation.read, 0);
        prop_assert!(in_order(&output, &pieces), "{:?}", String::from_utf8_lossy(&output));
    }
}
