//! What a row of the table of engines holds.

use crate::probe::Transcript;
use crate::session;
use crate::store::Store;

/// How the id of a conversation is had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdSource {
    /// The caller gives it at launch, in these words before the user's own: an id, a name or a file, with `{session}` in it.
    Pinned {
        /// The words.
        words: &'static [&'static str],
    },
    /// A command of the engine's makes a conversation before the launch, and prints its id or takes it from a file.
    Precreated {
        /// The arguments of the command; `{file}` stands for the file.
        command: &'static [&'static str],
        /// What the file holds, with `{session}`, `{cwd}` and `{now}` in it; empty when there is none and the id is printed.
        seed: &'static str,
    },
    /// The engine makes its own; it is found in what the process holds open, or in its store.
    Discovered,
    /// Nothing tells it. Only one that the user's own arguments name is known.
    None,
}

/// The shape of an engine's ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ids {
    /// UUIDs, with their hyphens.
    Uuid,
    /// Words that begin so.
    Prefixed(&'static str),
    /// Any word that is fit for a file name.
    Word,
}

impl Ids {
    /// Whether `text` is such an id.
    pub fn fits(self, text: &str) -> bool {
        match self {
            Ids::Uuid => session::is_uuid(text),
            Ids::Prefixed(prefix) => text.len() > prefix.len() && text.starts_with(prefix) && session::is_safe(text),
            Ids::Word => session::is_safe(text),
        }
    }
}

/// What a row rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ground {
    /// These versions were watched.
    Observed(&'static str),
    /// The engine's own documents, help texts or sources, of these versions; it was not run with a model.
    Documents(&'static str),
    /// The user's file of engines.
    User,
    /// This very program.
    Own,
}

impl Ground {
    /// One phrase for lists.
    pub fn words(self) -> String {
        match self {
            Ground::Observed(versions) => format!("observed ({versions})"),
            Ground::Documents(versions) => format!("from documents ({versions})"),
            Ground::User => "your engines.toml".to_owned(),
            Ground::Own => "this program".to_owned(),
        }
    }
}

/// Who sees a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visibility {
    /// Users.
    Listed,
    /// Only who names it: the stand-ins of the demo, which are this program itself.
    StandIn,
}

/// What an engine's words of refusal mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The id to be pinned has a transcript already: resume it.
    InUse,
    /// No conversation has that id.
    NotFound,
    /// Another process has the conversation open.
    ActiveWriter,
    /// The conversation runs in the background, without a terminal.
    Background,
    /// The id or the flags are not accepted.
    Invalid,
    /// The directory is not one that it may work in.
    Trust,
    /// Nobody is logged in.
    Auth,
}

/// How a user's argument reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flags {
    /// Flags followed by one value, which belong to the launch and are kept.
    pub valued: &'static [&'static str],
    /// Flags followed by any number of values, kept.
    pub many: &'static [&'static str],
    /// Flags followed by a value or not, kept.
    pub maybe: &'static [&'static str],
    /// Flags for one launch only, followed by a value or not: they go with the prompt.
    pub once: &'static [&'static str],
    /// Flags that choose a conversation, followed by one value. Never kept.
    pub session_valued: &'static [&'static str],
    /// Flags that choose a conversation, followed by a value or not. Never kept.
    pub session_maybe: &'static [&'static str],
    /// Flags that choose a conversation, alone. Never kept.
    pub session_alone: &'static [&'static str],
    /// Subcommands that choose a conversation, maybe followed by its id.
    pub session_words: &'static [&'static str],
    /// Words that are no flags belong to the launch, as files to work on do, and are no prompt.
    pub keeps_words: bool,
}

impl Flags {
    /// Of an engine whose flags nobody told: those with a value are taken for a flag and a prompt.
    pub const NONE: Flags = Flags {
        valued: &[],
        many: &[],
        maybe: &[],
        once: &[],
        session_valued: &[],
        session_maybe: &[],
        session_alone: &[],
        session_words: &[],
        keeps_words: false,
    };
}

/// An engine. In `launch`, `resume` and `fork`, `{session}` is the id and `{args}` the user's own flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Engine {
    /// Its name in commands, records and options.
    pub id: &'static str,
    /// Its name for people.
    pub product: &'static str,
    /// Who sees it.
    pub visibility: Visibility,
    /// What the row rests on.
    pub ground: Ground,
    /// The words it is started with, when they are more than the first program's name.
    pub command: &'static [&'static str],
    /// The programs it is started by, the first one first. Empty: this program itself.
    pub programs: &'static [&'static str],
    /// What its processes are called in `/proc/PID/comm`.
    pub comms: &'static [&'static str],
    /// How an id is had.
    pub identity: IdSource,
    /// What an id looks like.
    pub ids: Ids,
    /// Arguments of a launch.
    pub launch: &'static [&'static str],
    /// Arguments of a resume; empty when it can't.
    pub resume: &'static [&'static str],
    /// Arguments of a fork; empty when it can't.
    pub fork: &'static [&'static str],
    /// How the user's own arguments read.
    pub flags: Flags,
    /// Where its files are.
    pub store: Option<Store>,
    /// What its refusals say, and mean. Looked for in this order.
    pub failures: &'static [(&'static str, Failure)],
    /// Variables of the environment that must not reach it: those of an engine this program may itself have been started from.
    pub scrub: &'static [&'static str],
    /// Texts on its screen one of which shows that it waits for a message; empty when none is known.
    pub ready: &'static [&'static str],
    /// One line for lists.
    pub about: &'static str,
}

impl Engine {
    /// What a text on its screen says went wrong, when it is one of its refusals.
    pub fn failure(&self, text: &str) -> Option<Failure> {
        self.failures.iter().find(|(words, _)| text.contains(words)).map(|(_, failure)| *failure)
    }

    /// Whether a text on its screen shows that it waits for a message.
    pub fn is_ready(&self, text: &str) -> bool {
        self.ready.is_empty() || self.ready.iter().any(|words| text.contains(words))
    }

    /// Whether a conversation of it can come back.
    pub fn resumes(&self) -> bool {
        !self.resume.is_empty()
    }

    /// One phrase on how its conversation is known, for lists. Command lines stand in backticks.
    pub fn identity_words(&self) -> String {
        let from_store = self.store.is_some_and(|store| !store.transcripts.is_empty());
        match self.identity {
            IdSource::Pinned { words } => format!("given at launch: `{}`", words.join(" ").replace("{session}", "ID")),
            IdSource::Precreated { command, .. } => {
                format!(
                    "made before the launch: `{} {}`",
                    self.programs[0],
                    command.join(" ").replace("{file}", "FILE")
                )
            }
            IdSource::Discovered if from_store => "found in what its process holds open, else in its store".to_owned(),
            IdSource::Discovered => "found in what its process holds open".to_owned(),
            IdSource::None if self.resumes() => "only when its arguments name one".to_owned(),
            IdSource::None => "not at all".to_owned(),
        }
    }

    /// The words it is started with; none for this program itself.
    pub fn start_words(&self) -> Vec<String> {
        let words = if self.command.is_empty() { &self.programs[..self.programs.len().min(1)] } else { self.command };
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    /// The names under which it may be installed, for people.
    pub fn program_names(&self) -> String {
        if self.command.is_empty() { self.programs.join(" or ") } else { self.command[0].to_owned() }
    }

    /// Whether the conversation is there. Where nothing on this machine tells, one that was launched before is.
    pub(crate) fn has_transcript(&self, found: Transcript, launched: bool) -> bool {
        found == Transcript::Present || self.store.is_none() && launched
    }
}
