//! `rove resume`: the picker in this pane, or attached to the session of this directory; one conversation; a list for
//! scripts.

use std::ffi::OsString;
use std::io;

use super::{complain, environment, inside, open_words, sessions};
use crate::cli::Invocation;
use crate::client::{Commands, run_at};
use crate::os::paths::{self, SocketPath};
use crate::os::tty;

const USAGE: &str = "usage: rove resume [conversation] | rove resume --list [--all] [--json]";

/// What is asked for.
#[derive(Debug, PartialEq, Eq)]
enum Asked {
    /// To choose from all directories, or from this one.
    Choose { all: bool },
    /// This one.
    One(String),
    /// To print what there is.
    List { all: bool, json: bool },
}

fn asked(words: &[OsString]) -> Option<Asked> {
    let (mut list, mut all, mut json, mut one) = (false, false, false, None);
    for word in words {
        match word.to_str()? {
            "--list" => list = true,
            "--all" | "-a" => all = true,
            "--json" => json = true,
            id if !id.starts_with('-') && one.is_none() => one = Some(id.to_owned()),
            _ => return None,
        }
    }
    match (list, one) {
        (true, None) => Some(Asked::List { all, json }),
        (false, None) if !json => Some(Asked::Choose { all }),
        (false, Some(id)) if !all && !json => Some(Asked::One(id)),
        _ => None,
    }
}

/// The command for the server.
fn words(asked: &Asked) -> Vec<OsString> {
    let words: Vec<&str> = match asked {
        Asked::Choose { all: true } => vec!["resume-picker", "-a"],
        Asked::Choose { all: false } => vec!["resume-picker"],
        Asked::One(id) => vec!["resume-conversation", id],
        Asked::List { all, json } => {
            let flags = [(*all, "-a"), (*json, "-j")].into_iter().filter(|(on, _)| *on).map(|(_, flag)| flag);
            ["start-server", ";", "list-conversations"].into_iter().chain(flags).collect()
        }
    };
    words.into_iter().map(OsString::from).collect()
}

pub(super) fn resume(socket: &SocketPath, mut invocation: Invocation, commands: &Commands<'_>) -> i32 {
    let Some(asked) = asked(&invocation.argv) else { return complain(USAGE, 2) };
    let inside = environment("TMUX").is_some_and(|value| inside(&value, &socket.path));
    if inside || matches!(asked, Asked::List { .. }) {
        invocation.argv = words(&asked);
        return run_at(socket, &invocation, commands);
    }
    if !tty::is_terminal(io::stdin()) || !tty::is_terminal(io::stdout()) {
        return complain("rove resume needs a terminal: start it in one, or use `rove resume --list`", 1);
    }
    let here = paths::working_directory(&environment).unwrap_or_else(|| "/".into());
    let sessions = sessions(socket, &invocation);
    invocation.argv = open_words(&here, &sessions, false);
    invocation.argv.push(";".into());
    invocation.argv.extend(words(&asked));
    run_at(socket, &invocation, commands)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Option<Asked> {
        asked(&line.split_whitespace().map(OsString::from).collect::<Vec<_>>())
    }

    #[test]
    fn words_read() {
        assert_eq!(read(""), Some(Asked::Choose { all: false }));
        assert_eq!(read("--all"), Some(Asked::Choose { all: true }));
        assert_eq!(read("5e1f"), Some(Asked::One("5e1f".into())));
        assert_eq!(read("--list --json"), Some(Asked::List { all: false, json: true }));
        for wrong in ["--json", "--list x", "x y", "--last", "-x"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
