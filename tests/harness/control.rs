//! A control client on pipes: lines in, blocks and notifications out.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use super::{Home, LIMIT, wait::poll};

/// The client; it is killed with this value.
pub struct Control {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<Vec<u8>>,
    notifications: VecDeque<String>,
    blocks: VecDeque<Block>,
    open: Option<Block>,
}

/// The answer to one command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The command's number.
    pub number: u64,
    /// Whether it ended with `%end` rather than `%error`.
    pub ok: bool,
    /// The lines between the guards.
    pub lines: Vec<String>,
}

impl Control {
    /// Starts the program with `-C` and takes the block of its first command.
    #[track_caller]
    pub fn open(home: &Home, args: &[&str]) -> Control {
        let mut command = home.command(home.program());
        let words = home.words(&[&["-C"], args].concat());
        command.args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
        let mut child = command.spawn().unwrap();
        let input = child.stdin.take();
        let mut output = BufReader::new(child.stdout.take().expect("piped"));
        let (to, lines) = channel();
        std::thread::spawn(move || {
            loop {
                let mut line = Vec::new();
                match output.read_until(b'\n', &mut line) {
                    Ok(1..) if to.send(line).is_ok() => {}
                    _ => return,
                }
            }
        });
        let (notifications, blocks, open) = (VecDeque::new(), VecDeque::new(), None);
        let mut control = Control { child, input, lines, notifications, blocks, open };
        let first = control.block();
        assert!(first.ok, "{args:?}: {first:?}");
        control
    }

    /// Takes one more line, waiting for it at most until `deadline`. False when there is none.
    fn take_line(&mut self, deadline: Instant) -> bool {
        let rest = deadline.saturating_duration_since(Instant::now());
        let line = match self.lines.recv_timeout(rest) {
            Ok(line) => String::from_utf8_lossy(&line).trim_end_matches('\n').to_owned(),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return false,
        };
        match (&mut self.open, guard(&line)) {
            (None, Some(("%begin", number))) => self.open = Some(Block { number, ok: true, lines: Vec::new() }),
            (Some(block), Some((end @ ("%end" | "%error"), number))) if number == block.number => {
                block.ok = end == "%end";
                self.blocks.extend(self.open.take());
            }
            (Some(block), _) => block.lines.push(line),
            (None, _) => {
                assert!(line.starts_with('%'), "a line outside of any block that is no notification: {line:?}");
                self.notifications.push_back(line);
            }
        }
        true
    }

    /// Sends a line without waiting for anything.
    #[track_caller]
    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// Sends bytes as they are.
    #[track_caller]
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        self.input.as_mut().expect("its input is open").write_all(bytes).unwrap();
    }

    /// Takes the input away, to be written by another thread.
    pub fn take_input(&mut self) -> ChildStdin {
        self.input.take().expect("its input is open")
    }

    /// The next block.
    #[track_caller]
    pub fn block(&mut self) -> Block {
        let deadline = Instant::now() + LIMIT;
        loop {
            if let Some(block) = self.blocks.pop_front() {
                return block;
            }
            assert!(
                self.take_line(deadline),
                "no block came; open: {:?}, said before: {:?}",
                self.open,
                self.notifications
            );
        }
    }

    /// Sends one command and gives the lines of its answer; fails the test when it is an error.
    #[track_caller]
    pub fn command(&mut self, line: &str) -> Vec<String> {
        self.send(line);
        let block = self.block();
        assert!(block.ok, "{line}: {block:?}");
        block.lines
    }

    /// Sends one command that must fail, and gives its error.
    #[track_caller]
    pub fn refused(&mut self, line: &str) -> String {
        self.send(line);
        let block = self.block();
        assert!(!block.ok, "{line}: {block:?}");
        block.lines.join("\n")
    }

    /// Waits for a notification that begins so; those before it are dropped.
    #[track_caller]
    pub fn notification(&mut self, start: &str) -> String {
        let deadline = Instant::now() + LIMIT;
        let mut others = Vec::new();
        loop {
            while let Some(line) = self.notifications.pop_front() {
                if line.starts_with(start) {
                    return line;
                }
                others.push(line);
            }
            assert!(self.take_line(deadline), "waited for {start:?}, had {others:?}");
        }
    }

    /// Waits until the output of a pane, unescaped and joined, holds a text.
    #[track_caller]
    pub fn wait_output(&mut self, pane: &str, text: &str) -> Vec<u8> {
        let (start, mut bytes) = (format!("%output {pane} "), Vec::new());
        while !String::from_utf8_lossy(&bytes).contains(text) {
            let line = self.notification(&start);
            bytes.extend(unescape(&line[start.len()..]));
        }
        bytes
    }

    /// Closes its input.
    pub fn close(&mut self) {
        self.input = None;
    }

    /// Waits for its end; gives the exit code and the notifications that came until then.
    #[track_caller]
    pub fn wait_end(&mut self) -> (i32, Vec<String>) {
        let deadline = Instant::now() + LIMIT;
        while self.take_line(deadline) {}
        let status = poll(Duration::from_secs(5), || self.child.try_wait().unwrap());
        let status = status.unwrap_or_else(|| panic!("still runs; said {:?}", self.notifications));
        (status.code().unwrap_or(-1), self.notifications.drain(..).collect())
    }
}

impl Drop for Control {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The guard that a line is: its word and the command's number.
fn guard(line: &str) -> Option<(&str, u64)> {
    let mut words = line.split(' ');
    let (word, _time, number, flags) = (words.next()?, words.next()?, words.next()?, words.next()?);
    let is_guard =
        matches!(word, "%begin" | "%end" | "%error") && words.next().is_none() && flags.parse::<u32>().is_ok();
    is_guard.then_some((word, number.parse().ok()?))
}

/// Takes the octal escapes of `%output` away.
fn unescape(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let (mut plain, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let octal = bytes.get(at + 1..at + 4).filter(|digits| digits.iter().all(|digit| (b'0'..=b'7').contains(digit)));
        match octal.filter(|_| bytes[at] == b'\\') {
            Some(digits) => {
                let value = digits.iter().fold(0_u32, |value, digit| value * 8 + u32::from(digit - b'0'));
                plain.push(u8::try_from(value).unwrap());
                at += 4;
            }
            None => {
                plain.push(bytes[at]);
                at += 1;
            }
        }
    }
    plain
}

#[test]
fn guards_and_escapes_are_read() {
    assert_eq!(guard("%begin 1700000000 12 1"), Some(("%begin", 12)));
    assert_eq!(guard("%begin 1700000000 12 1 2"), None);
    assert_eq!(guard("%output %0 1 2"), None);
    assert_eq!(unescape(r"a\015\012\134x\1"), b"a\r\n\\x\\1");
}
