//! rove's own verbs, as far as the client does them: mostly it asks the server and then is a client of one command.

mod daemon;
mod doctor;
mod engines;
mod exits;
mod resume;

use std::ffi::OsString;
use std::io::{self, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use super::ask::{Answer, ask};
use super::{Commands, complain, environment, place, print, run_at};
use crate::cli::{Invocation, Own, hint};
use crate::os::paths::{self, SocketPath};
use crate::os::tty;

/// Does one of rove's own verbs; `invocation.argv` holds the words after it. Gives the exit status.
pub fn own(own: Own, invocation: Invocation, commands: &Commands<'_>) -> i32 {
    let socket = match place(&invocation) {
        Ok(socket) => socket,
        Err(text) => return complain(&text, 1),
    };
    match own {
        Own::Open => open(&socket, invocation, commands),
        Own::Attach => attach(&socket, invocation, commands),
        Own::Daemon => daemon::daemon(&socket, invocation, commands),
        Own::Doctor => doctor::doctor(&socket, &invocation),
        Own::Engines => engines::engines(&invocation),
        Own::Exits => exits::exits(&socket, &invocation),
        Own::Reset => reset(&socket, invocation, commands),
        Own::Resume => resume::resume(&socket, invocation, commands),
        // Both are done before there is a socket.
        Own::Demo | Own::Help => complain(hint().trim_end(), 2),
    }
}

/// The sessions there are: name and directory. Empty without a server.
fn sessions(socket: &SocketPath, invocation: &Invocation) -> Vec<(String, PathBuf)> {
    let command = ["list-sessions", "-F", "#{session_name}:#{session_path}"];
    let Ok(Answer { code: 0, stdout, .. }) = ask(socket, invocation, &command) else { return Vec::new() };
    let lines = stdout.split(|byte| *byte == b'\n');
    let parts = lines.filter_map(|line| {
        let colon = line.iter().position(|byte| *byte == b':')?;
        let (name, path) = (&line[..colon], &line[colon + 1..]);
        Some((String::from_utf8_lossy(name).into_owned(), PathBuf::from(OsString::from_vec(path.to_vec()))))
    });
    parts.collect()
}

/// Attaches to the session of a directory, or makes it.
fn open(socket: &SocketPath, mut invocation: Invocation, commands: &Commands<'_>) -> i32 {
    if !tty::is_terminal(io::stdin()) || !tty::is_terminal(io::stdout()) {
        return complain("rove needs a terminal: start it in one, or use `rove new -d` and `rove help`", 1);
    }
    let here = paths::working_directory(&environment).unwrap_or_else(|| "/".into());
    let directory = match invocation.argv.first() {
        None => here,
        Some(word) => match here.join(word).canonicalize() {
            Ok(path) if path.is_dir() => path,
            Ok(path) => return complain(&format!("rove: {}: not a directory", path.display()), 1),
            Err(error) => {
                return complain(&format!("rove: {}: {}", word.display(), crate::os::words(&error)), 1);
            }
        },
    };
    let sessions = sessions(socket, &invocation);
    let inside = environment("TMUX").is_some_and(|value| inside(&value, &socket.path));
    invocation.argv = open_words(&directory, &sessions, inside);
    run_at(socket, &invocation, commands)
}

/// Whether `TMUX` names this socket.
fn inside(variable: &OsString, socket: &Path) -> bool {
    variable.as_bytes().split(|byte| *byte == b',').next() == Some(socket.as_os_str().as_bytes())
}

/// The command that opens a directory.
fn open_words(directory: &Path, sessions: &[(String, PathBuf)], inside: bool) -> Vec<OsString> {
    let same = |path: &Path| path == directory || path.canonicalize().is_ok_and(|path| path == *directory);
    let words = |list: &[&str]| list.iter().map(OsString::from).collect::<Vec<_>>();
    if let Some((name, _)) = sessions.iter().find(|(_, path)| same(path)) {
        let target = format!("={name}");
        return words(&[if inside { "switch-client" } else { "attach-session" }, "-t", &target]);
    }
    let name = free_name(directory, sessions);
    let mut command = words(&["new-session", if inside { "-d" } else { "-A" }, "-s", &name, "-c"]);
    command.push(directory.into());
    if inside {
        command.extend(words(&[";", "switch-client", "-t", &format!("={name}")]));
    }
    command
}

/// The directory's own name as a session can have it; with a number if another directory's session has it.
fn free_name(directory: &Path, sessions: &[(String, PathBuf)]) -> String {
    let base = directory.file_name().map_or_else(|| "root".into(), |name| name.to_string_lossy());
    let usable = |c: char| if matches!(c, '.' | ':') || c.is_control() { '_' } else { c };
    let base: String = base.chars().map(usable).take(60).collect();
    let taken = |name: &str| sessions.iter().any(|(it, _)| it == name);
    let numbered = (2..).map(|number| format!("{base}-{number}"));
    std::iter::once(base.clone()).chain(numbered).find(|name| !taken(name)).unwrap_or(base)
}

/// Attaches to a named session or the last one; when that fails, says which there are.
fn attach(socket: &SocketPath, mut invocation: Invocation, commands: &Commands<'_>) -> i32 {
    let named = invocation.argv.first().is_some_and(|word| !word.as_bytes().starts_with(b"-"));
    let target = named.then(|| OsString::from("-t"));
    let words = std::mem::take(&mut invocation.argv);
    invocation.argv = [OsString::from("attach-session")].into_iter().chain(target).chain(words).collect();
    let status = run_at(socket, &invocation, commands);
    if status != 0 && named {
        let sessions = sessions(socket, &invocation);
        let names: Vec<&str> = sessions.iter().map(|(name, _)| name.as_str()).collect();
        if !names.is_empty() {
            complain(&format!("sessions: {}", names.join(", ")), 1);
        }
    }
    status
}

/// Ends everything, after a question.
fn reset(socket: &SocketPath, mut invocation: Invocation, commands: &Commands<'_>) -> i32 {
    let (mut hard, mut sure) = (false, false);
    for word in &invocation.argv {
        match word.to_str() {
            Some("--hard") => hard = true,
            Some("--yes" | "-y") => sure = true,
            _ => return complain("usage: rove reset [--hard] [--yes]", 2),
        }
    }
    if !sure {
        if !tty::is_terminal(io::stdin()) {
            return complain("rove reset ends all sessions and forgets them; without a terminal it needs --yes", 1);
        }
        let more = if hard { ", tasks and the layout too" } else { "" };
        print(&format!(
            "This ends all sessions and forgets them{more}. Worktrees and conversations stay. Go on? [y/N] "
        ));
        let mut answer = String::new();
        let _ = io::stdin().read_line(&mut answer);
        if !matches!(answer.trim(), "y" | "Y" | "yes") {
            return complain("nothing was done", 1);
        }
    }
    let words = ["start-server", ";", "reset-server"];
    invocation.argv = words.into_iter().chain(hard.then_some("-h")).map(OsString::from).collect();
    run_at(socket, &invocation, commands)
}

/// Prints a line and ends it.
fn line(text: &str) {
    let _ = writeln!(io::stdout(), "{text}");
}

#[cfg(test)]
mod tests;
