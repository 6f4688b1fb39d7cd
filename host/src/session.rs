//! Signals to what runs in a pane: its process groups, and all that is left of its session.

use std::collections::BTreeSet;
use std::os::fd::AsFd;

use rustix::process::{Pid, Signal};

/// A process found in `/proc`.
struct Process {
    pid: i32,
    session: i32,
}

/// Sends a signal to the child's group and to the terminal's foreground group.
pub(crate) fn signal_groups(child: i32, master: impl AsFd, signal: Signal) {
    let foreground = rustix::termios::tcgetpgrp(master).ok().map(|pid| pid.as_raw_nonzero().get());
    let groups: BTreeSet<i32> = [Some(child), foreground].into_iter().flatten().collect();
    for group in groups.into_iter().filter_map(Pid::from_raw) {
        // A child that was started a moment ago leads no group yet.
        if rustix::process::kill_process_group(group, signal).is_err() && group.as_raw_nonzero().get() == child {
            signal_process(child, signal);
        }
    }
}

/// Sends a signal to one process.
pub(crate) fn signal_process(pid: i32, signal: Signal) {
    if let Some(pid) = Pid::from_raw(pid) {
        let _ = rustix::process::kill_process(pid, signal);
    }
}

/// Lets a process go on that somebody has stopped.
pub fn continue_stopped(pid: i32) {
    let stat = std::fs::read(format!("/proc/{pid}/stat")).unwrap_or_default();
    let state = stat.iter().rposition(|byte| *byte == b')').and_then(|at| stat.get(at + 2));
    if state == Some(&b'T') {
        signal_process(pid, Signal::CONT);
    }
}

/// Sends a signal to every process in these sessions: see [`members`].
pub(crate) fn signal_sessions(sessions: &[(i32, bool)], signal: Signal) {
    for pid in members(sessions) {
        signal_process(pid, signal);
    }
}

/// The processes of these sessions, each given by its leader and whether that still is our child. A session whose
/// leader is reaped and whose number is a process again is not ours any more: a pid is not given out while a session
/// bears it.
pub(crate) fn members(sessions: &[(i32, bool)]) -> Vec<i32> {
    members_by_session(sessions).into_iter().map(|(pid, _)| pid).collect()
}

/// The same, each with its session.
pub(crate) fn members_by_session(sessions: &[(i32, bool)]) -> Vec<(i32, i32)> {
    if sessions.is_empty() {
        return Vec::new();
    }
    let processes = processes();
    let pids: BTreeSet<i32> = processes.iter().map(|process| process.pid).collect();
    let ours = |session: i32| sessions.iter().any(|(pid, led)| *pid == session && (*led || !pids.contains(pid)));
    processes.iter().filter(|process| ours(process.session)).map(|process| (process.pid, process.session)).collect()
}

/// All processes that can be seen but for zombies, which no signal reaches.
fn processes() -> Vec<Process> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    let pids = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    pids.filter_map(|pid| read_stat(pid, &std::fs::read(format!("/proc/{pid}/stat")).ok()?)).collect()
}

/// Reads state and session out of a stat line; the name in parentheses may hold anything.
fn read_stat(pid: i32, line: &[u8]) -> Option<Process> {
    let after_name = line.iter().rposition(|byte| *byte == b')')? + 1;
    let rest = std::str::from_utf8(&line[after_name..]).ok()?;
    let mut fields = rest.split_ascii_whitespace();
    let state = fields.next()?;
    let session = fields.nth(2)?.parse().ok()?;
    (state != "Z" && state != "X").then_some(Process { pid, session })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_parentheses_does_not_shift_the_fields() {
        let process = read_stat(7, b"7 (a) S 1) (x) S 1 5 6 34816 7 0").unwrap();
        assert_eq!((process.pid, process.session), (7, 6));
        assert!(read_stat(7, b"7 (a) Z 1 5 6 0 0").is_none());
        assert!(read_stat(7, b"7 (a) S 1 5").is_none());
        assert!(read_stat(7, b"").is_none());
    }
}
