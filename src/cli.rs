//! The command line of both faces: what was asked for. Pure: reads arguments and nothing else; does nothing.

mod help;
mod options;
mod server;
mod verbs;

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;

pub use crate::os::paths::Face;
use crate::protocol::Manner;
pub use server::ServerOptions;
pub use verbs::{Maps, Own, VERBS, Verb, find};

/// A client to be, as its command line describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invocation {
    /// Which face.
    pub face: Face,
    /// What kind of client.
    pub manner: Manner,
    /// `-T` and `-2`, as given.
    pub features: Vec<OsString>,
    /// `-l`, or a name that starts with `-`.
    pub login: bool,
    /// `-u`.
    pub utf8: bool,
    /// `-N`: no server is started.
    pub no_start: bool,
    /// `-D`: this process becomes the server.
    pub foreground: bool,
    /// `-L`.
    pub label: Option<OsString>,
    /// `-S`.
    pub socket: Option<OsString>,
    /// `-f`, each; empty: the default files.
    pub config: Vec<OsString>,
    /// How many `-v`.
    pub verbosity: u8,
    /// `-c`.
    pub shell_command: Option<OsString>,
    /// The command and its arguments; empty: the default command.
    pub argv: Vec<OsString>,
}

impl Invocation {
    /// One without options.
    pub fn new(face: Face) -> Invocation {
        Invocation {
            face,
            manner: Manner::Command,
            features: Vec::new(),
            login: false,
            utf8: false,
            no_start: false,
            foreground: false,
            label: None,
            socket: None,
            config: Vec::new(),
            verbosity: 0,
            shell_command: None,
            argv: Vec::new(),
        }
    }
}

/// What the program is to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Request {
    /// Be a client.
    Client(Invocation),
    /// One of rove's own verbs; `argv` holds the words after it.
    Own(Own, Invocation),
    /// Print to stdout and end well.
    Print(String),
    /// Print to stderr and end with this status.
    Refuse(String, i32),
}

/// Reads a whole command line, the program's name included.
pub fn parse(args: &[OsString]) -> Request {
    let (name, rest) = match args.split_first() {
        Some((name, rest)) => (name.as_os_str(), rest),
        None => (OsStr::new("rove"), args),
    };
    let face = face_of(name);
    let mut base = Invocation::new(face);
    base.login = name.as_bytes().starts_with(b"-");
    match (face, rest.first()) {
        (Face::Tmux, _) => tmux(base, rest),
        (Face::Rove, Some(word)) if word == "tmux" => tmux(Invocation { face: Face::Tmux, ..base }, &rest[1..]),
        (Face::Rove, _) => rove(base, rest),
    }
}

/// Which face a program called by this name has: tmux if its file name has `tmux` in it.
pub fn face_of(name: &OsStr) -> Face {
    let bytes = name.as_bytes();
    let file = bytes.rsplit(|byte| *byte == b'/').next().unwrap_or(bytes);
    if file.windows(4).any(|part| part == b"tmux") { Face::Tmux } else { Face::Rove }
}

fn tmux(base: Invocation, rest: &[OsString]) -> Request {
    match options::read("tmux", base, rest) {
        Ok(options::Read::Invocation(invocation)) => Request::Client(invocation),
        Ok(options::Read::Help) => Request::Print(help::tmux_usage()),
        Ok(options::Read::Version) => Request::Print("tmux 3.7c\n".to_owned()),
        Err(error) => Request::Refuse(format!("{error}{}", help::tmux_usage()), 1),
    }
}

fn rove(base: Invocation, rest: &[OsString]) -> Request {
    match rest.first().and_then(|word| word.to_str()) {
        Some("--help") => return help::request(&rest[1..]),
        Some("--version") => return Request::Print(help::version()),
        _ => {}
    }
    let mut invocation = match options::read("rove", base, rest) {
        Ok(options::Read::Invocation(invocation)) => invocation,
        Ok(options::Read::Help) => return help::request(&[]),
        Ok(options::Read::Version) => return Request::Print(help::version()),
        Err(error) => return Request::Refuse(format!("{error}{}", help::hint()), 2),
    };
    let default = invocation.argv.is_empty();
    if default {
        let opens = invocation.manner == Manner::Command && !invocation.foreground;
        return if opens { Request::Own(Own::Open, invocation) } else { Request::Client(invocation) };
    }
    if invocation.argv.len() == 1 && is_directory_name(&invocation.argv[0]) {
        return Request::Own(Own::Open, invocation);
    }
    let Some(verb) = invocation.argv[0].to_str().and_then(find) else { return Request::Client(invocation) };
    let words = invocation.argv.split_off(1);
    if words.first().is_some_and(|word| word == "--help") {
        return help::request(&[verb.name.into()]);
    }
    match verb.maps {
        Maps::Words(words_before) => {
            invocation.argv = words_before.iter().map(OsString::from).chain(words).collect();
            Request::Client(invocation)
        }
        Maps::Target(command) => {
            let named = words.first().is_some_and(|word| !word.as_bytes().starts_with(b"-"));
            let target = named.then(|| OsString::from("-t"));
            // A session that is kept can be meant, without a server too.
            let before = ["start-server", ";", command].map(OsString::from);
            invocation.argv = before.into_iter().chain(target).chain(words).collect();
            Request::Client(invocation)
        }
        Maps::Own(Own::Help) => help::request(&words),
        Maps::Own(own) => {
            invocation.argv = words;
            Request::Own(own, invocation)
        }
    }
}

/// `.`, or something with a `/`: no command's name.
fn is_directory_name(word: &OsStr) -> bool {
    matches!(word.as_bytes(), b"." | b"..") || word.as_bytes().contains(&b'/')
}

/// The usage of the rove face, in one line.
pub fn hint() -> String {
    help::hint()
}

/// What to say to a word that is no command of rove's nor of tmux's. The status that goes with it is 2.
pub fn unknown(word: &OsStr) -> String {
    format!("rove: unknown command: {}\n{}", word.display(), help::hint())
}

#[cfg(test)]
mod tests;
