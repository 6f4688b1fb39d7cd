//! The newest abnormal ends of panes' programs, for `inspect`: a diagnostic tail, never replayed into a pane.
//!
//! Pure: the caller gives time and bytes, and saves [`ExitLog::encode`] under [`key`].

use crate::key::Key;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// Ends that are kept.
pub const DEATHS_MAX: usize = 50;
/// Lines of a tail.
pub const LINES_MAX: usize = 40;
/// Raw bytes that are looked at for a tail.
pub const RAW_MAX: usize = 16 << 10;
/// Characters of a line.
pub const LINE_MAX: usize = 500;

/// The key of the log's file, `pty-exits.json` in the home.
pub fn key() -> Key {
    Key::home("pty-exits.json")
}

/// How a program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// It exited with this code.
    Code(i32),
    /// This signal ended it.
    Signal(i32),
}

/// One abnormal end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Death {
    /// The pane's uuid.
    pub pane: String,
    /// Name of the session it stood in.
    #[serde(default)]
    pub session: String,
    /// The command, for people.
    #[serde(default)]
    pub command: String,
    /// The exit code, when it exited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<i32>,
    /// Name of the signal that ended it, as `SIGSEGV`; its number when it has no name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signal: Option<String>,
    /// When, in seconds of Unix time.
    pub time: u64,
    /// The last lines, as plain text.
    #[serde(default)]
    pub tail: Vec<String>,
}

/// The newest abnormal ends, oldest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExitLog {
    deaths: VecDeque<Death>,
}

impl ExitLog {
    /// The log of a saved file. One that is not readable is an error, and the caller starts afresh.
    pub fn decode(json: &[u8]) -> Result<ExitLog, serde_json::Error> {
        let mut deaths: VecDeque<Death> = serde_json::from_slice(json)?;
        while deaths.len() > DEATHS_MAX {
            deaths.pop_front();
        }
        Ok(ExitLog { deaths })
    }

    /// The file to save.
    pub fn encode(&self) -> Vec<u8> {
        let mut json = serde_json::to_vec_pretty(&self.deaths).expect("strings and numbers are always JSON");
        json.push(b'\n');
        json
    }

    /// Adds the end of a pane's program, `raw` being its newest output. A clean exit is left out; true when it was not.
    ///
    /// It is for the pane's own program: one that returns to a live shell is no end.
    pub fn record(&mut self, pane: &str, session: &str, command: &str, end: End, time_s: u64, raw: &[u8]) -> bool {
        let (code, signal) = match end {
            End::Code(0) => return false,
            End::Code(code) => (Some(code), None),
            End::Signal(number) => (None, Some(signal_name(number))),
        };
        let (pane, session, command) = (pane.into(), session.into(), command.into());
        self.deaths.push_back(Death { pane, session, command, code, signal, time: time_s, tail: tail(raw) });
        while self.deaths.len() > DEATHS_MAX {
            self.deaths.pop_front();
        }
        true
    }

    /// Takes out what is known of a pane. True when there was something.
    pub fn forget(&mut self, pane: &str) -> bool {
        let before = self.deaths.len();
        self.deaths.retain(|death| death.pane != pane);
        self.deaths.len() != before
    }

    /// The ends, newest first.
    pub fn newest(&self) -> impl Iterator<Item = &Death> {
        self.deaths.iter().rev()
    }
}

/// The last [`LINES_MAX`] lines of `raw` as plain text, from its last [`RAW_MAX`] bytes, each of [`LINE_MAX`] characters
/// at most. A line overwritten after a carriage return shows what was written last.
pub fn tail(raw: &[u8]) -> Vec<String> {
    let cut = &raw[raw.len().saturating_sub(RAW_MAX)..];
    let text = plain(cut);
    let lines: Vec<String> = text
        .split('\n')
        .map(|line| line.trim_end_matches('\r'))
        .map(|line| line.rsplit('\r').next().unwrap_or(line))
        .map(|line| line.trim_end().chars().take(LINE_MAX).collect())
        .collect();
    let end = lines.iter().rposition(|line: &String| !line.is_empty()).map_or(0, |last| last + 1);
    lines[end.saturating_sub(LINES_MAX)..end].to_vec()
}

/// `bytes` without escape sequences and controls, except new line, carriage return and tab (as a space).
fn plain(bytes: &[u8]) -> String {
    let mut kept = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    // A cut in the middle of a character leaves its tail.
    while let [0x80..=0xbf, after @ ..] = rest {
        rest = after;
    }
    while let [first, after @ ..] = rest {
        rest = after;
        match first {
            0x1b => rest = after_escape(after),
            0x08 => drop(kept.pop_if(|last: &mut u8| *last != b'\n' && last.is_ascii())),
            b'\t' => kept.push(b' '),
            b'\n' | b'\r' => kept.push(*first),
            0..0x20 | 0x7f => {}
            _ => kept.push(*first),
        }
    }
    let text = String::from_utf8_lossy(&kept);
    // C1 controls as UTF-8 are controls too.
    text.chars().filter(|&c| c == '\n' || c == '\r' || !c.is_control()).collect()
}

/// What follows an escape sequence whose ESC is gone. One that never ends takes the rest.
fn after_escape(bytes: &[u8]) -> &[u8] {
    let Some((first, rest)) = bytes.split_first() else { return bytes };
    match first {
        b'[' => match rest.iter().position(|byte| !(0x20..0x40).contains(byte)) {
            // An unfinished one is given up at a control, which keeps its meaning.
            Some(end) if rest[end] < 0x20 => &rest[end..],
            Some(end) => &rest[end + 1..],
            None => &[],
        },
        b']' | b'P' | b'X' | b'^' | b'_' | b'k' => {
            let end = rest.iter().position(|byte| matches!(byte, 0x07 | 0x18 | 0x1a | 0x1b));
            match end.map(|end| &rest[end..]) {
                Some([0x1b, b'\\', after @ ..]) => after,
                Some(after @ [0x1b, ..]) => after,
                Some([_, after @ ..]) => after,
                _ => &[],
            }
        }
        0x20..0x30 => {
            let end = rest.iter().position(|byte| !(0x20..0x30).contains(byte));
            end.map_or(&[], |end| &rest[end + 1..])
        }
        0x30..0x7f => rest,
        _ => bytes,
    }
}

/// The name of a signal, as `SIGSEGV`; its number when it has no name.
pub fn signal_name(number: i32) -> String {
    const NAMES: [(i32, &str); 16] = [
        (1, "SIGHUP"),
        (2, "SIGINT"),
        (3, "SIGQUIT"),
        (4, "SIGILL"),
        (5, "SIGTRAP"),
        (6, "SIGABRT"),
        (7, "SIGBUS"),
        (8, "SIGFPE"),
        (9, "SIGKILL"),
        (10, "SIGUSR1"),
        (11, "SIGSEGV"),
        (12, "SIGUSR2"),
        (13, "SIGPIPE"),
        (14, "SIGALRM"),
        (15, "SIGTERM"),
        (31, "SIGSYS"),
    ];
    let named = NAMES.iter().find(|(known, _)| *known == number);
    named.map_or_else(|| number.to_string(), |(_, name)| (*name).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tail_is_the_last_40_lines_without_colour() {
        let raw: String = (0..100).map(|n| format!("\x1b[1;3{}mline {n}\x1b[0m\r\n", n % 8)).collect();
        let mut log = ExitLog::default();
        assert!(log.record("p", "s", "crash", End::Signal(11), 5, raw.as_bytes()));
        let death = log.newest().next().unwrap();
        assert_eq!(death.signal.as_deref(), Some("SIGSEGV"));
        assert_eq!(death.tail.len(), 40);
        assert_eq!((death.tail[0].as_str(), death.tail[39].as_str()), ("line 60", "line 99"));
        assert!(!death.tail.iter().any(|line| line.contains('\x1b')));
    }

    #[test]
    fn the_newest_50_are_kept_and_come_back() {
        let mut log = ExitLog::default();
        for n in 0..60 {
            log.record(&n.to_string(), "", "", if n % 2 == 0 { End::Code(n + 1) } else { End::Signal(9) }, 0, b"");
        }
        let again = ExitLog::decode(&log.encode()).unwrap();
        assert_eq!(again, log);
        let panes: Vec<&str> = again.newest().map(|death| death.pane.as_str()).collect();
        assert_eq!((panes.len(), panes[0], panes[49]), (50, "59", "10"));
    }

    #[test]
    fn a_clean_exit_is_left_out() {
        let mut log = ExitLog::default();
        assert!(!log.record("p", "", "", End::Code(0), 0, b"bye"));
        assert_eq!(log.newest().count(), 0);
    }

    #[test]
    fn a_pane_is_forgotten_with_all_its_ends() {
        let mut log = ExitLog::default();
        for pane in ["a", "b", "a"] {
            log.record(pane, "", "", End::Code(1), 0, b"words");
        }
        assert!(log.forget("a") && !log.forget("a"));
        assert_eq!(log.newest().map(|death| death.pane.as_str()).collect::<Vec<_>>(), ["b"]);
    }

    #[test]
    fn a_long_line_is_cut() {
        let mut raw = b"first\n".to_vec();
        raw.extend(vec![b'x'; 64 << 10]);
        let lines = tail(&raw);
        assert_eq!(lines.len(), 1, "more than the last 16 KiB was looked at");
        assert_eq!(lines[0].len(), LINE_MAX);
    }

    #[test]
    fn sequences_and_controls_are_stripped() {
        for (raw, text) in [
            ("\x1b]0;title\x07a", "a"),
            ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
            ("\x1bPq#0\x1b\\b", "b"),
            ("\x1b(B\x1b)0c\x1b=", "c"),
            ("10%\r100%\r\n", "100%"),
            ("ab\x08c\x07\x00", "ac"),
            ("日本\u{9b}31m", "日本31m"),
            ("x\x1b[31", "x"),
            ("x\x1b]never ends", "x"),
            ("x\x1b", "x"),
            ("x\x1b[3\ny", "x|y"),
            ("\u{301}a", "\u{301}a"),
        ] {
            assert_eq!(tail(raw.as_bytes()).join("|"), text, "{raw:?}");
        }
        assert_eq!(tail(&"日".as_bytes()[1..]), Vec::<String>::new());
    }

    #[test]
    fn any_bytes_give_plain_lines() {
        let mut random = crate::sim::Random::new(4);
        for _ in 0..2_000 {
            let raw: Vec<u8> = (0..random.below(300)).map(|_| random.below(256) as u8).collect();
            for line in tail(&raw) {
                assert!(line.chars().all(|c| !c.is_control()) && line.chars().count() <= LINE_MAX, "{raw:?}");
            }
        }
    }

    #[test]
    fn a_bad_file_is_an_error() {
        assert!(ExitLog::decode(b"").is_err());
        assert!(ExitLog::decode(b"{").is_err());
    }
}
