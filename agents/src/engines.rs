//! The table of engines: one row each, all that can be said in data. What a row can't say stands in `engine/`.

use crate::store::{Head, Root, Store};

pub use crate::row::{Engine, Failure, Flags, Ground, IdSource, Ids, Visibility};

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
pub static ENGINES: &[Engine] =
    &[AIDER, AMP, CLAUDE, CODEX, COPILOT, DISCOVERED, GEMINI, GOOSE, KIMI, KIMI_CODE, OPENCODE, PINNED, QWEN];

/// What most rows share.
pub(crate) const PLAIN: Engine = Engine {
    id: "",
    product: "",
    visibility: Visibility::Listed,
    ground: Ground::Own,
    command: &[],
    programs: &[],
    comms: &[],
    identity: IdSource::None,
    ids: Ids::Uuid,
    launch: &["{args}"],
    resume: &[],
    fork: &[],
    flags: Flags::NONE,
    store: None,
    failures: &[],
    scrub: &[],
    ready: &[],
    about: "",
};

const AIDER: Engine = Engine {
    id: "aider",
    product: "Aider",
    ground: Ground::Documents("0.86"),
    programs: &["aider"],
    comms: &["aider"],
    // It has no ids: the conversation is a file, which it keeps out of git by its own `.aider*`.
    identity: IdSource::Pinned { words: &["--chat-history-file", ".aider.chat.{session}.md"] },
    resume: &["--restore-chat-history", "--chat-history-file", ".aider.chat.{session}.md", "{args}"],
    flags: Flags {
        once: &["--message", "--msg", "-m", "--message-file", "-f", "--load"],
        session_valued: &["--chat-history-file"],
        session_alone: &["--restore-chat-history", "--no-restore-chat-history"],
        keeps_words: true,
        ..Flags::NONE
    },
    store: Some(Store {
        root: Root { moved_by: &[], below_home: "" },
        transcripts: &["{cwd}/.aider.chat.{session}.md"],
        databases: &[],
        lock: None,
        state: None,
        head: Head::Plain,
    }),
    ready: &["> "],
    about: "Pairs on the files of a repository; its conversation is a file of the pane's",
    ..PLAIN
};

const AMP: Engine = Engine {
    id: "amp",
    product: "Amp",
    ground: Ground::Documents("its help, 2026-11"),
    programs: &["amp"],
    comms: &["amp"],
    identity: IdSource::Precreated { command: &["threads", "new"], seed: "" },
    ids: Ids::Prefixed("T-"),
    resume: &["threads", "continue", "{session}", "{args}"],
    flags: Flags {
        valued: &[
            "--executor",
            "--features",
            "--log-file",
            "--log-level",
            "--mcp-config",
            "-m",
            "--mode",
            "--settings-file",
        ],
        once: &["-x", "--execute"],
        session_words: &["threads", "thread", "t", "continue", "c", "last", "l"],
        ..Flags::NONE
    },
    about: "Sourcegraph's agent; its threads are on its server, and one is made for the pane",
    ..PLAIN
};

const CLAUDE: Engine = Engine {
    id: "claude",
    product: "Claude Code",
    visibility: Visibility::Listed,
    ground: Ground::Observed("2.1.332, 2.0.76"),
    command: &[],
    programs: &["claude"],
    comms: &["claude"],
    identity: IdSource::Pinned { words: &["--session-id", "{session}"] },
    ids: Ids::Uuid,
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
        ..Flags::NONE
    },
    store: Some(Store {
        root: Root { moved_by: &[("CLAUDE_CONFIG_DIR", "")], below_home: ".claude" },
        transcripts: &["projects/*/{session}.jsonl"],
        databases: &[],
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
    ground: Ground::Observed("0.171.0, 0.104.0"),
    command: &[],
    programs: &["codex"],
    comms: &["codex"],
    identity: IdSource::Discovered,
    ids: Ids::Uuid,
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
        ..Flags::NONE
    },
    store: Some(Store {
        root: Root { moved_by: &[("CODEX_HOME", "")], below_home: ".codex" },
        transcripts: &["sessions/*/*/*/rollout-*-{session}.jsonl", "sessions/*/*/*/rollout-*-{session}.jsonl.zst"],
        databases: &[],
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

const COPILOT: Engine = Engine {
    id: "copilot",
    product: "GitHub Copilot CLI",
    ground: Ground::Documents("1.0.102"),
    programs: &["copilot"],
    comms: &["copilot"],
    identity: IdSource::Pinned { words: &["--session-id={session}"] },
    // The value stands behind a `=`, as it may be left out.
    resume: &["--resume={session}", "{args}"],
    flags: Flags {
        valued: &[
            "--add-dir",
            "--add-github-mcp-tool",
            "--add-github-mcp-toolset",
            "--additional-mcp-config",
            "--agent",
            "--auto-tier",
            "-C",
            "--context",
            "--disable-mcp-server",
            "--enable-mcp-server",
            "--extension-sdk-path",
            "--log-dir",
            "--log-level",
            "--max-ai-credits",
            "--max-autopilot-continues",
            "--mcp-github-auth",
            "--mode",
            "--model",
            "--output-format",
            "--plugin-dir",
            "--reasoning-effort",
            "--stream",
        ],
        many: &[
            "--allow-tool",
            "--allow-url",
            "--available-tools",
            "--deny-tool",
            "--deny-url",
            "--excluded-tools",
            "--secret-env-vars",
        ],
        maybe: &["--bash-env", "--mouse"],
        // A name is given once; a prompt and what belongs to it too.
        once: &["-i", "--interactive", "-p", "--prompt", "--attachment", "-n", "--name", "--share"],
        session_valued: &["--session-id"],
        session_maybe: &["-r", "--resume", "--connect"],
        session_alone: &["--continue"],
        ..Flags::NONE
    },
    store: Some(Store {
        root: Root { moved_by: &[("COPILOT_HOME", "")], below_home: ".copilot" },
        transcripts: &["session-state/{session}/events.jsonl", "session-state/{session}.jsonl"],
        databases: &[],
        lock: None,
        state: None,
        head: Head::Plain,
    }),
    about: "GitHub's agent; its conversation is pinned to the pane",
    ..PLAIN
};

const DISCOVERED: Engine = Engine {
    id: "discovered",
    product: "Stand-in with its own ids",
    visibility: Visibility::StandIn,
    ground: Ground::Own,
    command: &[],
    programs: &[],
    comms: &["rove-discovered"],
    identity: IdSource::Discovered,
    ids: Ids::Uuid,
    launch: &["__engine", "discovered", "{args}"],
    resume: &["__engine", "discovered", "resume", "{args}", "{session}"],
    fork: &[],
    flags: Flags { session_words: &["resume"], ..Flags::NONE },
    store: Some(Store {
        root: Root { moved_by: &[("ROVE_DEMO_HOME", "")], below_home: "" },
        transcripts: &["discovered/sessions/rollout-*-{session}.jsonl"],
        databases: &[],
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

const GEMINI: Engine = Engine {
    id: "gemini",
    product: "Gemini CLI",
    ground: Ground::Documents("0.61.0"),
    programs: &["gemini"],
    comms: &["gemini"],
    identity: IdSource::Pinned { words: &["--session-id", "{session}"] },
    resume: &["--resume", "{session}", "{args}"],
    flags: Flags {
        valued: &["--approval-mode", "-m", "--model", "-o", "--output-format"],
        many: &[
            "--admin-policy",
            "--allowed-mcp-server-names",
            "--allowed-tools",
            "-e",
            "--extensions",
            "--include-directories",
            "--policy",
        ],
        once: &["-i", "--prompt-interactive", "-p", "--prompt", "-w", "--worktree"],
        session_valued: &["--session-id", "--session-file", "--delete-session"],
        session_maybe: &["-r", "--resume"],
        session_alone: &["--list-sessions"],
        ..Flags::NONE
    },
    store: Some(Store {
        root: Root { moved_by: &[("GEMINI_CLI_HOME", ".gemini")], below_home: ".gemini" },
        // The name has the beginning of the id only, the file has all of it.
        transcripts: &["tmp/*/chats/session-*-{session:8}.jsonl", "tmp/*/chats/session-*-{session:8}.json"],
        databases: &[],
        lock: None,
        state: None,
        head: Head::Plain,
    }),
    failures: &[
        ("already exists. Use --resume", Failure::InUse),
        ("Invalid session identifier", Failure::NotFound),
        ("No previous sessions found", Failure::NotFound),
    ],
    scrub: &["GEMINI_CLI"],
    ready: &["Type your message"],
    about: "Google's agent; its conversation is pinned to the pane",
    ..PLAIN
};

const GOOSE: Engine = Engine {
    id: "goose",
    product: "goose",
    ground: Ground::Documents("its sources, 1.50"),
    programs: &["goose"],
    comms: &["goose"],
    // It makes an id of its own, but finds a conversation by the name that it was given.
    identity: IdSource::Pinned { words: &["-n", "{session}"] },
    ids: Ids::Word,
    launch: &["session", "{args}"],
    resume: &["session", "-r", "-n", "{session}", "{args}"],
    fork: &["session", "-r", "-n", "{session}", "--fork", "{args}"],
    flags: Flags {
        valued: &[
            "--container",
            "--max-tool-repetitions",
            "--max-turns",
            "--with-builtin",
            "--with-extension",
            "--with-streamable-http-extension",
        ],
        session_valued: &["-n", "--name", "--session-id", "--id", "--path"],
        session_alone: &["-r", "--resume", "--fork"],
        ..Flags::NONE
    },
    store: Some(Store {
        root: Root {
            moved_by: &[("GOOSE_PATH_ROOT", "data"), ("XDG_DATA_HOME", "goose")],
            below_home: ".local/share/goose",
        },
        transcripts: &["sessions/{session}.jsonl"],
        databases: &["sessions/sessions.db", "sessions/sessions.db-wal"],
        lock: None,
        state: None,
        head: Head::Plain,
    }),
    failures: &[("No session found with name", Failure::NotFound)],
    about: "The agent of the goose project; its conversation is named after the pane",
    ..PLAIN
};

const KIMI: Engine = Engine {
    id: "kimi",
    product: "Kimi CLI",
    ground: Ground::Documents("its sources, 1.52.0"),
    // Its other name, `kimi`, is also that of the program below.
    programs: &["kimi-cli"],
    comms: &["kimi-cli"],
    // The same words make a conversation that is not there and take up one that is.
    identity: IdSource::Pinned { words: &["--session", "{session}"] },
    resume: &["--session", "{session}", "{args}"],
    flags: Flags {
        valued: KIMI_VALUED,
        once: &["-p", "--prompt", "-c", "--command"],
        session_maybe: &["-S", "--session", "-r", "--resume"],
        session_alone: &["-C", "--continue"],
        ..Flags::NONE
    },
    store: Some(Store {
        root: Root { moved_by: &[("KIMI_SHARE_DIR", "")], below_home: ".kimi" },
        transcripts: &["sessions/*/{session}/context.jsonl", "sessions/*/{session}.jsonl"],
        databases: &[],
        lock: None,
        state: None,
        head: Head::Plain,
    }),
    about: "Moonshot's first agent (kimi-cli); its conversation is pinned to the pane",
    ..PLAIN
};

const KIMI_VALUED: &[&str] = &[
    "--add-dir",
    "--agent",
    "--agent-file",
    "--config",
    "--config-file",
    "--input-format",
    "--max-ralph-iterations",
    "--max-retries-per-step",
    "--max-steps-per-turn",
    "--mcp-config",
    "--mcp-config-file",
    "-m",
    "--model",
    "--output-format",
    "--skills-dir",
    "-w",
    "--work-dir",
];

const KIMI_CODE: Engine = Engine {
    id: "kimi-code",
    product: "Kimi Code",
    ground: Ground::Documents("2.1"),
    programs: &["kimi"],
    comms: &["kimi", "kimi-co", "kimi-code"],
    identity: IdSource::Discovered,
    ids: Ids::Word,
    resume: &["--session", "{session}", "{args}"],
    flags: Flags {
        valued: KIMI_VALUED,
        once: &["-p", "--prompt"],
        session_maybe: &["-S", "--session", "-r", "--resume"],
        session_alone: &["-c", "-C", "--continue"],
        ..Flags::NONE
    },
    store: Some(Store {
        root: Root { moved_by: &[("KIMI_CODE_HOME", "")], below_home: ".kimi-code" },
        transcripts: &["sessions/*/{session}/agents/main/wire.jsonl"],
        databases: &[],
        lock: None,
        state: None,
        head: Head::Plain,
    }),
    about: "Moonshot's second agent (kimi); its conversation is found in its store",
    ..PLAIN
};

const OPENCODE: Engine = Engine {
    id: "opencode",
    product: "opencode",
    ground: Ground::Documents("1.18.33"),
    programs: &["opencode"],
    comms: &["opencode"],
    identity: IdSource::Precreated { command: &["import", "{file}"], seed: crate::engine::opencode::SEED },
    ids: Ids::Prefixed("ses_"),
    resume: &["--session", "{session}", "{args}"],
    fork: &["--session", "{session}", "--fork", "{args}"],
    flags: Flags {
        valued: &["--agent", "--hostname", "--log-level", "--mdns-domain", "-m", "--model", "--port", "--replay-limit"],
        many: &["--cors"],
        once: &["--prompt"],
        session_valued: &["-s", "--session"],
        session_alone: &["-c", "--continue", "--fork"],
        ..Flags::NONE
    },
    store: Some(Store {
        root: Root { moved_by: &[("XDG_DATA_HOME", "opencode")], below_home: ".local/share/opencode" },
        transcripts: &["storage/session/*/{session}.json"],
        databases: &["opencode.db", "opencode.db-wal"],
        lock: None,
        state: None,
        head: Head::Plain,
    }),
    scrub: &["OPENCODE", "OPENCODE_SERVER", "OPENCODE_PID"],
    ready: &["Ask anything", "ctrl+p commands"],
    about: "The agent of the opencode project; a conversation is made for the pane",
    ..PLAIN
};

const PINNED: Engine = Engine {
    id: "pinned",
    product: "Stand-in with given ids",
    visibility: Visibility::StandIn,
    ground: Ground::Own,
    command: &[],
    programs: &[],
    comms: &["rove-pinned"],
    identity: IdSource::Pinned { words: &["--session-id", "{session}"] },
    ids: Ids::Uuid,
    launch: &["__engine", "pinned", "{args}"],
    resume: &["__engine", "pinned", "--resume", "{session}", "{args}"],
    fork: &[],
    flags: Flags { session_valued: &["--session-id", "--resume"], ..Flags::NONE },
    store: Some(Store {
        root: Root { moved_by: &[("ROVE_DEMO_HOME", "")], below_home: "" },
        transcripts: &["pinned/projects/*/{session}.jsonl"],
        databases: &[],
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

const QWEN: Engine = Engine {
    id: "qwen",
    product: "Qwen Code",
    ground: Ground::Observed("0.24.4"),
    programs: &["qwen"],
    comms: &["qwen"],
    identity: IdSource::Pinned { words: &["--session-id", "{session}"] },
    resume: &["--resume", "{session}", "{args}"],
    fork: &["--resume", "{session}", "--fork-session", "{args}"],
    flags: Flags {
        valued: &[
            "--append-system-prompt",
            "--approval-mode",
            "--auth-type",
            "--channel",
            "--input-file",
            "--input-format",
            "--json-fd",
            "--json-file",
            "--json-schema",
            "--max-session-turns",
            "--max-subagent-depth",
            "--max-tool-calls",
            "--max-wall-time",
            "--mcp-config",
            "-m",
            "--model",
            "--openai-api-key",
            "--openai-base-url",
            "--openai-logging-dir",
            "-o",
            "--output-format",
            "--output-style",
            "--proxy",
            "--sandbox-image",
            "--system-prompt",
            "--telemetry-otlp-endpoint",
            "--telemetry-otlp-protocol",
            "--telemetry-outfile",
            "--telemetry-target",
        ],
        many: &[
            "--add-dir",
            "--allowed-mcp-server-names",
            "--allowed-tools",
            "--core-tools",
            "--disabled-slash-commands",
            "--exclude-tools",
            "-e",
            "--extensions",
            "--fallback-model",
            "--include-directories",
        ],
        once: &["-i", "--prompt-interactive", "-p", "--prompt", "--worktree"],
        session_valued: &["--session-id"],
        session_maybe: &["-r", "--resume"],
        session_alone: &["-c", "--continue", "--fork-session"],
        ..Flags::NONE
    },
    store: Some(Store {
        root: Root { moved_by: &[("QWEN_RUNTIME_DIR", ""), ("QWEN_HOME", "")], below_home: ".qwen" },
        transcripts: &["projects/*/chats/{session}.jsonl"],
        databases: &[],
        lock: None,
        state: None,
        head: Head::Plain,
    }),
    failures: &[
        ("already exists (active or archived)", Failure::InUse),
        ("No saved session found with ID", Failure::NotFound),
    ],
    scrub: &["QWEN_CODE", "QWEN_CODE_SESSION_ID"],
    ready: &["Type your message"],
    about: "Alibaba's agent; its conversation is pinned to the pane",
    ..PLAIN
};

/// The row of that id, stand-ins as well.
pub fn find(id: &str) -> Option<&'static Engine> {
    ENGINES.iter().find(|engine| engine.id == id)
}

/// The rows that users see.
pub fn listed() -> impl Iterator<Item = &'static Engine> {
    ENGINES.iter().filter(|engine| engine.visibility == Visibility::Listed)
}

#[cfg(test)]
mod tests;
