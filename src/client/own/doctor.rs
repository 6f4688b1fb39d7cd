//! `rove doctor`: what may be wrong, found without changing anything.

use std::io;
use std::os::unix::fs::MetadataExt;

use super::{Invocation, SocketPath, ask, environment, line};
use crate::client::hello::takes_utf8;
use crate::os::{paths, tty};

/// Prints one line for each thing looked at. Status 1 when something is wrong.
pub(super) fn doctor(socket: &SocketPath, invocation: &Invocation) -> i32 {
    let checks = [server(socket, invocation), mode(socket), home(), terminal(), locale()];
    line(&format!("rove {} (as tmux: 3.7c)", env!("CARGO_PKG_VERSION")));
    for (good, text) in &checks {
        line(&format!("{} {text}", if *good { "ok  " } else { "BAD " }));
    }
    i32::from(checks.iter().any(|(good, _)| !good))
}

type Check = (bool, String);

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
