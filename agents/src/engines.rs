//! The table of engines: one row each, all that can be said in data. What a row can't say stands in `engine/`.

use crate::store::{Head, Root, Store};

/// How the id of a conversation is had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdSource {
    /// The caller gives it at launch, after this flag.
    Pinned {
        /// The flag.
        flag: &'static str,
    },
    /// This command prints a fresh one before the launch.
    Precreated {
        /// The command and its arguments.
        command: &'static [&'static str],
    },
    /// The engine makes its own; it is found in what the process holds open.
    Discovered,
    /// There is none: the engine has no conversations to come back to.
    None,
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
    /// The programs it is started by, the first one first. Empty: this program itself.
    pub programs: &'static [&'static str],
    /// What its processes are called in `/proc/PID/comm`.
    pub comms: &'static [&'static str],
    /// How an id is had.
    pub identity: IdSource,
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
    /// Texts on its screen one of which shows that it waits for a message.
    pub ready: &'static [&'static str],
    /// One line for lists.
    pub about: &'static str,
}

const NO_FLAGS: Flags = Flags {
    valued: &[],
    many: &[],
    maybe: &[],
    once: &[],
    session_valued: &[],
    session_maybe: &[],
    session_alone: &[],
    session_words: &[],
};

/// What Claude Code and Codex set for the processes they start, by which one started inside would take itself for a part of the outer one.
const INHERITED: &[&str] = &[
    "AI_AGENT",
    "CLAUDECODE",
    "CLAUDE_CODE_CHILD_NOTES_DIR",
    "CLAUDE_CODE_CHILD_SESSION",
    "CLAUDE_CODE_ENTRYPOINT",
    "CLAUDE_CODE_EXECPATH",
    "CLAUDE_CODE_MESSAGING_SOCKET",
    "CLAUDE_CODE_MESSAGING_TOKEN",
    // Trust in a directory of ours, see `trust`: it must not go along to another one.
    "CLAUDE_CODE_SANDBOXED",
    "CLAUDE_CODE_SESSION_ATTENDED",
    "CLAUDE_CODE_SESSION_ID",
    "CLAUDE_EFFORT",
    "CLAUDE_ENV_FILE",
    "CLAUDE_PID",
    "CLAUDE_PROJECT_DIR",
    "CLAUDE_SESSION_ID",
    "CODEX_THREAD_ID",
];

/// All engines, sorted by id.
pub static ENGINES: &[Engine] = &[CLAUDE, CODEX, DISCOVERED, PINNED];

const CLAUDE: Engine = Engine {
    id: "claude",
    product: "Claude Code",
    visibility: Visibility::Listed,
    programs: &["claude"],
    comms: &["claude"],
    identity: IdSource::Pinned { flag: "--session-id" },
    launch: &["{args}"],
    resume: &["--resume", "{session}", "{args}"],
    fork: &["--resume", "{session}", "--fork-session", "{args}"],
    flags: Flags {
        valued: &[
            "--agent",
            "--agents",
            "--append-system-prompt",
            "--append-system-prompt-file",
            "--autocompact",
            "--debug-file",
            "--effort",
            "--fallback-model",
            "--input-format",
            "--json-schema",
            "--max-budget-usd",
            "--max-turns",
            "--model",
            "--name",
            "-n",
            "--output-format",
            "--output-style",
            "--permission-mode",
            "--permission-prompts",
            "--plugin-dir",
            "--plugin-url",
            "--remote-control-session-name-prefix",
            "--setting-sources",
            "--settings",
            "--system-prompt",
            "--system-prompt-file",
            "--system-prompt-snapshot",
        ],
        many: &[
            "--add-dir",
            "--allowed-tools",
            "--allowedTools",
            "--betas",
            "--disallowed-tools",
            "--disallowedTools",
            "--file",
            "--mcp-config",
            "--tools",
        ],
        maybe: &["--debug", "-d", "--prompt-suggestions", "--remote-control"],
        once: &["--tmux", "--worktree", "-w"],
        session_valued: &["--session-id"],
        session_maybe: &["--resume", "-r", "--from-pr", "--cloud", "--teleport"],
        session_alone: &["--continue", "-c", "--fork-session", "--background", "--bg"],
        session_words: &[],
    },
    store: Some(Store {
        root: Root { env: "CLAUDE_CONFIG_DIR", below_home: ".claude" },
        transcripts: &["projects/*/{session}.jsonl"],
        lock: None,
        state: Some("sessions/{pid}.json"),
        head: Head::Plain,
    }),
    failures: &[
        ("is already in use", Failure::InUse),
        ("No conversation found with session ID", Failure::NotFound),
        ("is currently running as a background agent", Failure::Background),
        ("Invalid session ID", Failure::Invalid),
        ("also needs --fork-session", Failure::Invalid),
        ("cannot be used with --continue or --resume", Failure::Invalid),
        ("Do you trust the files in this folder", Failure::Trust),
        ("Is this a project you created or one you trust", Failure::Trust),
        ("Please run /login", Failure::Auth),
        ("Invalid API key", Failure::Auth),
        ("Not logged in", Failure::Auth),
    ],
    scrub: INHERITED,
    ready: &["for shortcuts", "mode on", "shift+tab to cycle"],
    about: "Anthropic's agent; its conversation is pinned to the pane",
};

const CODEX: Engine = Engine {
    id: "codex",
    product: "Codex",
    visibility: Visibility::Listed,
    programs: &["codex"],
    comms: &["codex"],
    identity: IdSource::Discovered,
    // Its daemon outlives the pane, owns the conversation's files, and gives every hook the first pane's environment.
    launch: &["-c", "features.daemon_auto_start=false", "{args}"],
    // Flags stand before the id, or they land in the place of the prompt.
    resume: &["-c", "features.daemon_auto_start=false", "resume", "{args}", "{session}"],
    fork: &["-c", "features.daemon_auto_start=false", "fork", "{args}", "{session}"],
    flags: Flags {
        valued: &[
            "--add-dir",
            "-a",
            "--ask-for-approval",
            "-c",
            "--config",
            "-C",
            "--cd",
            "--disable",
            "--enable",
            "--local-provider",
            "-m",
            "--model",
            "-p",
            "--profile",
            "--remote",
            "--remote-auth-token-env",
            "-s",
            "--sandbox",
        ],
        many: &[],
        maybe: &[],
        // An image belongs to a prompt.
        once: &["-i", "--image"],
        session_valued: &[],
        session_maybe: &[],
        session_alone: &["--last", "--all", "--include-non-interactive", "--worktree"],
        session_words: &["resume", "fork"],
    },
    store: Some(Store {
        root: Root { env: "CODEX_HOME", below_home: ".codex" },
        transcripts: &["sessions/*/*/*/rollout-*-{session}.jsonl", "sessions/*/*/*/rollout-*-{session}.jsonl.zst"],
        lock: Some("thread-writer-locks/{session}.lock"),
        state: None,
        head: Head::SessionMeta,
    }),
    failures: &[
        ("already has an active writer", Failure::ActiveWriter),
        ("This conversation is open in another app", Failure::ActiveWriter),
        ("No saved session found with ID", Failure::NotFound),
        ("no rollout found for thread id", Failure::NotFound),
        ("Do you trust the contents of this directory", Failure::Trust),
        ("Not logged in", Failure::Auth),
        ("Please run codex login", Failure::Auth),
    ],
    scrub: INHERITED,
    ready: &["for shortcuts", "default ·"],
    about: "OpenAI's agent; its conversation is found in what it holds open",
};

const DISCOVERED: Engine = Engine {
    id: "discovered",
    product: "Stand-in with its own ids",
    visibility: Visibility::StandIn,
    programs: &[],
    comms: &["rove-discovered"],
    identity: IdSource::Discovered,
    launch: &["__engine", "discovered", "{args}"],
    resume: &["__engine", "discovered", "resume", "{args}", "{session}"],
    fork: &[],
    flags: Flags { session_words: &["resume"], ..NO_FLAGS },
    store: Some(Store {
        root: Root { env: "ROVE_DEMO_HOME", below_home: "" },
        transcripts: &["discovered/sessions/rollout-*-{session}.jsonl"],
        lock: Some("discovered/locks/{session}.lock"),
        state: None,
        head: Head::SessionMeta,
    }),
    failures: &[
        ("is open in another process", Failure::ActiveWriter),
        ("already has an active writer", Failure::ActiveWriter),
        ("No saved session found with ID", Failure::NotFound),
    ],
    scrub: INHERITED,
    ready: &["discovered>"],
    about: "Stand-in for an engine that makes its own ids",
};

const PINNED: Engine = Engine {
    id: "pinned",
    product: "Stand-in with given ids",
    visibility: Visibility::StandIn,
    programs: &[],
    comms: &["rove-pinned"],
    identity: IdSource::Pinned { flag: "--session-id" },
    launch: &["__engine", "pinned", "{args}"],
    resume: &["__engine", "pinned", "--resume", "{session}", "{args}"],
    fork: &[],
    flags: Flags { session_valued: &["--session-id", "--resume"], ..NO_FLAGS },
    store: Some(Store {
        root: Root { env: "ROVE_DEMO_HOME", below_home: "" },
        transcripts: &["pinned/projects/*/{session}.jsonl"],
        lock: None,
        state: None,
        head: Head::Plain,
    }),
    failures: &[
        ("is already in use", Failure::InUse),
        ("No conversation found with session ID", Failure::NotFound),
        ("Invalid session ID", Failure::Invalid),
        ("is currently running as a background agent", Failure::Background),
        ("Do you trust the files in this folder", Failure::Trust),
        ("Not logged in", Failure::Auth),
    ],
    scrub: INHERITED,
    ready: &["pinned>"],
    about: "Stand-in for an engine that takes an id at launch",
};

/// The row of that id, stand-ins as well.
pub fn find(id: &str) -> Option<&'static Engine> {
    ENGINES.iter().find(|engine| engine.id == id)
}

/// The rows that users see.
pub fn listed() -> impl Iterator<Item = &'static Engine> {
    ENGINES.iter().filter(|engine| engine.visibility == Visibility::Listed)
}

impl Engine {
    /// What a text on its screen says went wrong, when it is one of its refusals.
    pub fn failure(&self, text: &str) -> Option<Failure> {
        self.failures.iter().find(|(words, _)| text.contains(words)).map(|(_, failure)| *failure)
    }

    /// Whether a text on its screen shows that it waits for a message.
    pub fn is_ready(&self, text: &str) -> bool {
        self.ready.iter().any(|words| text.contains(words))
    }

    /// Whether a conversation of it can come back.
    pub fn resumes(&self) -> bool {
        !self.resume.is_empty() && self.identity != IdSource::None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_unique_sorted_and_described() {
        assert!(ENGINES.windows(2).all(|pair| pair[0].id < pair[1].id));
        for engine in ENGINES {
            assert!(
                !engine.about.is_empty() && !engine.product.is_empty() && !engine.ready.is_empty(),
                "{}",
                engine.id
            );
            assert_eq!(find(engine.id), Some(engine));
            assert!(engine.comms.iter().all(|comm| comm.len() <= 15), "the kernel cuts comm at 15: {}", engine.id);
        }
    }

    #[test]
    fn stand_ins_are_rows_that_no_list_shows() {
        let seen: Vec<_> = listed().map(|engine| engine.id).collect();
        assert_eq!(seen, ["claude", "codex"]);
        assert!(find("pinned").is_some() && find("discovered").is_some());
    }

    #[test]
    fn every_resume_says_where_the_id_goes() {
        for engine in ENGINES.iter().filter(|engine| engine.resumes()) {
            for template in [engine.resume, engine.fork].into_iter().filter(|template| !template.is_empty()) {
                assert_eq!(template.iter().filter(|word| **word == "{session}").count(), 1, "{}", engine.id);
                assert_eq!(template.iter().filter(|word| **word == "{args}").count(), 1, "{}", engine.id);
            }
        }
    }

    #[test]
    fn refusals_are_told_apart_by_their_words() {
        let claude = find("claude").unwrap();
        assert_eq!(claude.failure("Error: Session ID 5e1f is already in use."), Some(Failure::InUse));
        assert_eq!(claude.failure("No conversation found with session ID: 5e1f"), Some(Failure::NotFound));
        let codex = find("codex").unwrap();
        assert_eq!(
            codex.failure("thread/resume failed: thread 01 already has an active writer (code -32600)"),
            Some(Failure::ActiveWriter)
        );
        assert_eq!(codex.failure("no rollout found for thread id 01 (code -32600)"), Some(Failure::NotFound));
        assert_eq!(codex.failure("all is well"), None);
    }
}
