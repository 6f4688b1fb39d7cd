//! rove's own words: a row each. Everything else after `rove` is a tmux command.

/// What a verb becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Maps {
    /// These words, then the user's.
    Words(&'static [&'static str]),
    /// This command; the user's first word, unless it is an option, is its target (`-t`).
    Target(&'static str),
    /// The client does it.
    Own(Own),
}

/// What only the client can do, or has to prepare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Own {
    /// Attach to the session of a directory, or make it.
    Open,
    /// Attach, and say which sessions there are when there is no such one.
    Attach,
    /// The server as a process.
    Daemon,
    /// Look for what may be wrong, and at what would come back.
    Doctor,
    /// Say which engines there are.
    Engines,
    /// Show which programs ended abnormally.
    Exits,
    /// Play the demonstration.
    Demo,
    /// Go on with a conversation, or list them.
    Resume,
    /// End everything and forget it.
    Reset,
    /// Help.
    Help,
}

/// A row.
#[derive(Debug, Clone, Copy)]
pub struct Verb {
    /// The word.
    pub name: &'static str,
    /// What may follow it.
    pub usage: &'static str,
    /// One line about it.
    pub about: &'static str,
    /// What it becomes.
    pub maps: Maps,
}

const fn verb(name: &'static str, usage: &'static str, maps: Maps, about: &'static str) -> Verb {
    Verb { name, usage, about, maps }
}

/// A server that was not there first brings back what it keeps.
const LIST: &[&str] = &["start-server", ";", "list-sessions"];

/// All of them, by name.
pub static VERBS: &[Verb] = &[
    verb("attach", "[name]", Maps::Own(Own::Attach), "Attach to a session, or to the one used last"),
    verb(
        "daemon",
        "status|start|restart|stop",
        Maps::Own(Own::Daemon),
        "The server: is it there; start, replace, stop it",
    ),
    verb(
        "demo",
        "[options]",
        Maps::Own(Own::Demo),
        "Kill everything and see conversations come back, in a place of its own",
    ),
    verb(
        "doctor",
        "[--codeword [--yes] [engine] | --dry-run]",
        Maps::Own(Own::Doctor),
        "Look at server, terminal and what would come back, and change nothing; --dry-run prints each command, --codeword tries an engine's return",
    ),
    verb("engines", "", Maps::Own(Own::Engines), "Say which coding agents there are and how each comes back"),
    verb("exits", "[--json]", Maps::Own(Own::Exits), "Show the programs that ended abnormally, with their last lines"),
    verb("help", "[command]", Maps::Own(Own::Help), "Show this, or more about one command"),
    verb("kill", "[name]", Maps::Target("kill-session"), "End a session and forget it"),
    verb("ls", "[-F format] [-f filter]", Maps::Words(LIST), "List the sessions, also those to come back"),
    verb("new", "[-d] [-s name] [-c directory] [command]", Maps::Words(&["new-session"]), "Make a session"),
    verb(
        "reset",
        "[--hard] [--yes]",
        Maps::Own(Own::Reset),
        "End all sessions and forget them; --hard forgets tasks too",
    ),
    verb(
        "resume",
        "[conversation] | --list [--all] [--json]",
        Maps::Own(Own::Resume),
        "Pick a conversation of this directory and go on with it, or list them",
    ),
    verb(
        "routine",
        "list|add|enable|disable|remove|run",
        Maps::Words(&["start-server", ";", "routine"]),
        "Commands that run at their times: add NAME every 10m|at HH:MM COMMAND",
    ),
    verb("stop", "[name]", Maps::Target("stop-session"), "End a session's processes and keep the session for later"),
    verb("tmux", "[options] [command]", Maps::Words(&[]), "Be tmux"),
];

/// The row of a word.
pub fn find(name: &str) -> Option<&'static Verb> {
    VERBS.iter().find(|verb| verb.name == name)
}
