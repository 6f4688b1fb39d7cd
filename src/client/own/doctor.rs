//! `rove doctor`: what may be wrong, found without changing anything.

mod store;

use std::io;
use std::os::unix::fs::MetadataExt;

use super::{Invocation, SocketPath, ask, complain, environment, line};
use crate::client::hello::takes_utf8;
use crate::kept;
use crate::os::{paths, tty};

const USAGE: &str = "usage: rove doctor [--dry-run]";

/// Prints one line for each thing looked at. Status 1 when something is wrong.
pub(super) fn doctor(socket: &SocketPath, invocation: &Invocation) -> i32 {
    let running = running(socket, invocation);
    let words: Vec<_> = invocation.argv.iter().map(|word| word.to_str()).collect();
    match words.as_slice() {
        [] => {}
        [Some("--dry-run")] => return store::dry_run(socket, invocation, &running),
        _ => return complain(USAGE, 2),
    }
    let mut checks = vec![server(socket, invocation), mode(socket), home(), terminal(), locale()];
    checks.extend(keeping(socket, invocation));
    let kept = kept::look(invocation.face, &socket.path, &running);
    checks.extend(kept.as_ref().into_iter().flat_map(store::checks));
    line(&format!("rove {} (as tmux: 3.7c)", env!("CARGO_PKG_VERSION")));
    for (good, text) in &checks {
        line(&format!("{} {text}", if *good { "ok  " } else { "BAD " }));
    }
    kept.iter().for_each(store::list);
    i32::from(checks.iter().any(|(good, _)| !good))
}

type Check = (bool, String);

/// The output of a command, when a server answers it.
fn answer(socket: &SocketPath, invocation: &Invocation, command: &[&str]) -> Option<String> {
    let answer = ask(socket, invocation, command).ok().filter(|answer| answer.code == 0)?;
    Some(String::from_utf8_lossy(&answer.stdout).trim_end().to_owned())
}

/// What the server has of what is kept.
fn running(socket: &SocketPath, invocation: &Invocation) -> kept::Running {
    let panes = ["list-panes", "-a", "-F", "#{pane_uuid} #{pane_pid} #{pane_dead}"];
    let panes = answer(socket, invocation, &panes).unwrap_or_default();
    let live = |line: &str| match line.split(' ').collect::<Vec<_>>()[..] {
        [uuid, pid, dead] if pid != "0" && dead != "1" => Some(uuid.to_owned()),
        _ => None,
    };
    let resume = answer(socket, invocation, &["show-options", "-sv", "resume"]);
    kept::Running { live: panes.lines().filter_map(live).collect(), resume: resume.map(|value| value == "on") }
}

/// Whether the server can write what it keeps.
fn keeping(socket: &SocketPath, invocation: &Invocation) -> Option<Check> {
    let error = answer(socket, invocation, &["display-message", "-p", "#{freeze_error}"])?;
    let good = error.is_empty();
    (!good).then_some((good, format!("disk: {error}")))
}

fn server(socket: &SocketPath, invocation: &Invocation) -> Check {
    match ask(socket, invocation, &["display-message", "-p", "#{server_sessions}"]) {
        Ok(answer) if answer.code == 0 => {
            let count = String::from_utf8_lossy(&answer.stdout).trim().to_owned();
            (true, format!("server: {}, {count} sessions", answer.who()))
        }
        Ok(answer) => (false, format!("server: {}", String::from_utf8_lossy(&answer.stderr).trim_end())),
        Err(error) => (error.is_absence(), format!("server: {}", error.words(socket))),
    }
}

fn mode(socket: &SocketPath) -> Check {
    let path = socket.path.display();
    match socket.path.symlink_metadata() {
        Err(_) => (true, format!("socket: {path} is not there")),
        Ok(it) => {
            let mode = it.mode() & 0o777;
            (mode & 0o007 == 0, format!("socket: {path} has mode {mode:03o}"))
        }
    }
}

fn home() -> Check {
    let Some(home) = paths::rove_home(&environment) else {
        return (false, "home: neither ROVE_HOME_DIR nor HOME is set".to_owned());
    };
    let path = home.display();
    match home.metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => (true, format!("home: {path} is not there yet")),
        Err(error) => (false, format!("home: {path}: {}", crate::os::words(&error))),
        Ok(it) => {
            let own = it.is_dir() && it.uid() == rustix::process::getuid().as_raw() && it.mode() & 0o022 == 0;
            (own, format!("home: {path} has mode {:03o}", it.mode() & 0o777))
        }
    }
}

fn terminal() -> Check {
    let Some(name) = tty::name(io::stdin()) else { return (true, "terminal: none on stdin".to_owned()) };
    let (size, term) = (tty::size(io::stdin()), environment("TERM").unwrap_or_default());
    let name = String::from_utf8_lossy(&name).into_owned();
    let text = format!("terminal: {name}, {} columns, {} rows, TERM={}", size.cols, size.rows, term.display());
    (!term.is_empty() && size.cols > 0 && size.rows > 0, text)
}

fn locale() -> Check {
    let good = takes_utf8(&environment);
    (good, format!("locale: {}", if good { "takes UTF-8" } else { "does not say UTF-8; use -u or set LANG" }))
}
