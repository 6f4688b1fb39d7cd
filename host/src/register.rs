//! Which sessions a host leads, in a file beside its socket, for the next host should this one be killed. The system then
//! kills the panes' own children (see `spawn.rs`); what they had started may be deaf to the hangup that comes with that,
//! and nobody else would know whose it was.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use rustix::process::Signal;

use crate::session;

/// The variable of a child's environment by which its session is known again, as its number may be another's by then.
const MARK: &[u8] = b"ROVE_PANE=";
/// The file is written anew when it has grown to this.
const COMPACT: u64 = 64 * 1024;
/// More than that is no register.
const READ_LIMIT: u64 = 1024 * 1024;

/// The sessions that are led now, and their file.
#[derive(Debug)]
pub(crate) struct Register {
    path: PathBuf,
    file: Option<File>,
    written: u64,
    sessions: BTreeMap<i32, Vec<u8>>,
}

fn path_of(socket: &Path) -> PathBuf {
    let mut path = socket.as_os_str().to_owned();
    path.push(".panes");
    path.into()
}

impl Register {
    /// An empty one. Its file is there with the first session.
    pub(crate) fn new(socket: &Path) -> Register {
        Register { path: path_of(socket), file: None, written: 0, sessions: BTreeMap::new() }
    }

    /// A session begins; `env` is its leader's environment.
    pub(crate) fn add(&mut self, pid: i32, env: &[(Vec<u8>, Vec<u8>)]) {
        let name = &MARK[..MARK.len() - 1];
        let Some((_, value)) = env.iter().find(|(variable, _)| variable == name) else { return };
        if value.is_empty() || !value.iter().all(u8::is_ascii_graphic) {
            return;
        }
        self.sessions.insert(pid, value.clone());
        self.write(&line(pid, value));
    }

    /// A session's leader ended by itself, or all of it was ended.
    pub(crate) fn remove(&mut self, pid: i32) {
        if self.sessions.remove(&pid).is_some() {
            self.write(format!("-{pid}\n").as_bytes());
        }
    }

    /// Appends, so that what is there stays whole whenever the host is killed. A disk that fails costs the next host its
    /// knowledge, and this one nothing.
    fn write(&mut self, bytes: &[u8]) {
        if self.written > COMPACT || self.file.is_none() {
            let all: Vec<u8> = self.sessions.iter().flat_map(|(pid, value)| line(*pid, value)).collect();
            let _ = std::fs::remove_file(&self.path);
            let opened = OpenOptions::new().create_new(true).append(true).mode(0o600).open(&self.path);
            self.file = opened.ok();
            self.written = 0;
            return self.append(&all);
        }
        self.append(bytes);
    }

    fn append(&mut self, bytes: &[u8]) {
        if let Some(file) = &mut self.file {
            let _ = file.write_all(bytes);
            self.written += bytes.len() as u64;
        }
    }
}

impl Drop for Register {
    fn drop(&mut self) {
        // A host that ends by itself has ended its sessions.
        let _ = std::fs::remove_file(&self.path);
    }
}

fn line(pid: i32, value: &[u8]) -> Vec<u8> {
    [format!("+{pid} ").as_bytes(), value, b"\n"].concat()
}

/// Kills what is left of the sessions of a host that was killed, and forgets them. Only to be called when no host
/// answers at the socket.
pub(crate) fn sweep(socket: &Path) {
    let path = path_of(socket);
    let is_ours = std::fs::symlink_metadata(&path).is_ok_and(|it| it.is_file() && it.len() <= READ_LIMIT);
    let Some(text) = is_ours.then(|| std::fs::read(&path).ok()).flatten() else { return };
    let left = sessions(&text);
    let leaders: Vec<(i32, bool)> = left.keys().map(|pid| (*pid, true)).collect();
    for (pid, session) in session::members_by_session(&leaders) {
        if left.get(&session).is_some_and(|value| bears(pid, value)) {
            session::signal_process(pid, Signal::KILL);
        }
    }
    let _ = std::fs::remove_file(&path);
}

/// The sessions that a register says are there.
fn sessions(text: &[u8]) -> BTreeMap<i32, Vec<u8>> {
    let mut sessions = BTreeMap::new();
    for line in text.split(|byte| *byte == b'\n') {
        let Some((sign, rest)) = line.split_first() else { continue };
        let mut words = rest.splitn(2, |byte| *byte == b' ');
        let pid = words.next().and_then(|word| std::str::from_utf8(word).ok()?.parse::<i32>().ok());
        match (sign, pid.filter(|pid| *pid > 1), words.next()) {
            (b'+', Some(pid), Some(value)) if !value.is_empty() => drop(sessions.insert(pid, value.to_vec())),
            (b'-', Some(pid), None) => drop(sessions.remove(&pid)),
            _ => {}
        }
    }
    sessions
}

/// Whether a process has the mark of a session in its environment.
fn bears(pid: i32, value: &[u8]) -> bool {
    let Ok(environment) = std::fs::read(format!("/proc/{pid}/environ")) else { return false };
    environment.split(|byte| *byte == 0).any(|entry| entry.strip_prefix(MARK) == Some(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_register_is_read_as_it_was_written_and_half_a_line_costs_itself() {
        let text = b"+12 a\n+13 b\n-12\n+14 c d\n-99\nrubbish\n+1 x\n+-5 x\n+15 \n+16 e";
        let expected = [(13, b"b".to_vec()), (14, b"c d".to_vec()), (16, b"e".to_vec())];
        assert_eq!(sessions(text), BTreeMap::from(expected));
    }

    #[test]
    fn it_has_what_lives_and_goes_with_a_host_that_ends() {
        let socket = std::env::temp_dir().join(format!("rove-register-{}", std::process::id()));
        let env = |value: &str| vec![(b"ROVE_PANE".to_vec(), value.as_bytes().to_vec())];
        let mut register = Register::new(&socket);
        register.add(5, &[]);
        assert!(!path_of(&socket).exists());
        for pid in 10..10_000 {
            register.add(pid, &env("a-long-value-that-fills-the-file"));
            register.remove(pid);
        }
        register.add(7, &env("seven"));
        let text = std::fs::read(path_of(&socket)).unwrap();
        assert_eq!(sessions(&text), BTreeMap::from([(7, b"seven".to_vec())]));
        assert!((text.len() as u64) < COMPACT + 100);
        drop(register);
        assert!(!path_of(&socket).exists());
    }
}
