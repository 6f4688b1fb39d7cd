//! What runs inside panes to tell the server something: an engine's hook (`__report TOKEN [JSON]`), and a pane's shell after its engine ended
//! (`__report TOKEN --ended STATUS HEAD TAIL`). Neither may disturb what it runs in: it ends well and soon, whatever happens.

use std::ffi::{OsStr, OsString};
use std::io::{Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use super::ask::{Answer, ask};
use super::environment;
use crate::cli::{Face, Invocation};
use crate::os::paths::SocketPath;

/// The hidden first word.
pub const REPORT: &str = "__report";

/// How long a hook may hold its engine up.
const HOOK_LIMIT: Duration = Duration::from_millis(1500);
/// How long a shell waits for what it is told.
const SHELL_LIMIT: Duration = Duration::from_secs(5);
/// The most that a hook's input is read of.
const INPUT_LIMIT: u64 = 1 << 20;
/// The server's status for a report that came before the words it is about.
const NOT_YET: i32 = 75;
/// When to ask again then.
const GAP: Duration = Duration::from_millis(10);

/// Reports; `args` are the words after the hidden one. Gives the exit status, which is 0 for all that a hook may be told.
pub fn report(args: &[String]) -> i32 {
    let mut args = args.to_vec();
    if let Some(token) = args.first_mut().filter(|token| *token == agents::hook::OWN_TOKEN) {
        *token = environment("ROVE_PANE").unwrap_or_default().to_string_lossy().into_owned();
    }
    match args.as_slice() {
        [token, flag, status, head, tail] if flag == "--ended" => ended(token, status, head, tail),
        [token] => {
            let token = token.clone();
            within(HOOK_LIMIT, move || {
                let mut text = String::new();
                let _ = std::io::stdin().take(INPUT_LIMIT).read_to_string(&mut text);
                told(&token, &text);
            });
            0
        }
        [token, text] => {
            let (token, text) = (token.clone(), text.clone());
            within(HOOK_LIMIT, move || told(&token, &text));
            0
        }
        _ => 0,
    }
}

fn told(token: &str, text: &str) {
    if let Some(session) = agents::hook::read(text) {
        say(&["report-agent", token, &session]);
    }
}

/// Prints the line about an engine's end: what the server has to say of it, or that this is its shell.
fn ended(token: &str, status: &str, head: &str, tail: &str) -> i32 {
    let mark = format!("{head} {status}");
    let mut out = std::io::stdout();
    if out.write_all(mark.as_bytes()).and_then(|()| out.flush()).is_err() {
        return 0;
    }
    let (token, status) = (token.to_owned(), status.to_owned());
    let line = within(SHELL_LIMIT, move || {
        let since = Instant::now();
        loop {
            let answer = say(&["report-agent", "-e", &status, &token, &mark])?;
            if answer.code != NOT_YET || since.elapsed() > SHELL_LIMIT {
                let text = String::from_utf8_lossy(&answer.stdout).trim_end().to_owned();
                return Some(text).filter(|text| answer.code == 0 && !text.is_empty());
            }
            std::thread::sleep(GAP);
        }
    });
    let rest = line.flatten().map_or_else(|| tail.to_owned(), |line| format!(": {line}"));
    // Nobody is left to be told that it could not be written.
    let _ = writeln!(out, "{rest}");
    0
}

/// Runs a command at the server of this pane, if there is one.
fn say(command: &[&str]) -> Option<Answer> {
    let place = environment("ROVE").or_else(|| environment("TMUX"))?;
    let path = place.as_bytes().split(|byte| *byte == b',').next().filter(|path| !path.is_empty())?;
    let socket = SocketPath { path: OsStr::from_bytes(path).into(), private: false };
    let invocation = Invocation { argv: vec![OsString::from(REPORT)], ..Invocation::new(Face::Rove) };
    ask(&socket, &invocation, command).ok()
}

/// What `work` gives, or `None` when that takes too long: the process ends then, and the work with it.
fn within<T: Send + 'static>(limit: Duration, work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || sender.send(work()));
    receiver.recv_timeout(limit).ok()
}
