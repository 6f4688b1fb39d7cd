//! What must be known of the world before a launch, a resume or a proof, as requests that `src/` answers without knowing an engine.

use crate::engine::claude;
use crate::engines::{Engine, IdSource};
use crate::hook::{self, Reporter};
use crate::identity::How;
use crate::record::AgentRecord;
use crate::store::{self, Root};
use crate::table::Table;

/// The most files that one answer need name.
pub const FILES_MAX: usize = 4096;
/// The most bytes of a first line, or of a state file, that an answer need hold.
pub const TEXT_MAX: usize = 256 * 1024;

/// One thing to find out. Patterns are relative to the root, with `*` inside a component.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Probe {
    /// Is one of these programs on the path of the pane's login shell? `Answer::Program`.
    Program {
        /// Their names.
        names: &'static [&'static str],
    },
    /// The path of this very program. `Answer::Program`.
    OwnProgram,
    /// Which files match, and how long they are. `Answer::Files`.
    Files {
        /// Where.
        root: Root,
        /// Which.
        pattern: String,
    },
    /// Does another process hold a lock (`flock`) on this file? `Answer::Locked`.
    Lock {
        /// Where.
        root: Root,
        /// The file; no `*` in it.
        path: String,
    },
    /// The texts of small files, and the process that each is named after. `Answer::States`.
    States {
        /// Where.
        root: Root,
        /// Which: the last component is `*` with an ending.
        pattern: String,
    },
    /// The first lines of files changed since. `Answer::Heads`.
    Heads {
        /// Where.
        root: Root,
        /// Which.
        pattern: String,
        /// Not those last changed before this, in milliseconds since 1970.
        since_ms: u64,
    },
    /// Does this text stand in one of these files? `Answer::Holds`.
    Holds {
        /// Where.
        root: Root,
        /// Which.
        pattern: String,
        /// What.
        text: String,
    },
    /// The processes below the pane's shell with what they hold open. `Answer::Processes`.
    Processes,
    /// The processes above one. `Answer::Ancestors`.
    Ancestors {
        /// The one.
        pid: u32,
    },
    /// The texts of small files. `Answer::Texts`.
    Texts {
        /// Where.
        root: Root,
        /// Which.
        pattern: String,
    },
    /// The texts of small files below a directory of the user's. `Answer::Texts`.
    TextsIn {
        /// The directory.
        directory: String,
        /// Which.
        pattern: String,
    },
    /// Did this program itself make the directory? `Answer::OwnDirectory`.
    OwnDirectory {
        /// Its path, symbolic links resolved.
        path: String,
    },
    /// All processes of this machine that can be seen, without what they hold open. `Answer::Everyone`.
    Everyone,
}

/// A file that was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileFact {
    /// Its absolute path.
    pub path: String,
    /// Its length.
    pub bytes: u64,
}

/// A state file that was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StateFact {
    /// Its text.
    pub text: String,
    /// The name (`comm`) of the process whose id the file is named after, when one runs.
    pub comm: Option<String>,
    /// When that process began, in milliseconds since 1970.
    pub started_ms: u64,
}

/// The answer to a probe. One that can't be had is left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Its path, or that there is none.
    Program(Option<String>),
    /// The files, at most [`FILES_MAX`].
    Files(Vec<FileFact>),
    /// Whether it is held.
    Locked(bool),
    /// The state files.
    States(Vec<StateFact>),
    /// Path and first line of each.
    Heads(Vec<crate::identity::Candidate>),
    /// Whether it stands there.
    Holds(bool),
    /// The processes.
    Processes(Vec<crate::detect::Process>),
    /// Their ids, nearest first.
    Ancestors(Vec<u32>),
    /// The texts.
    Texts(Vec<String>),
    /// Whether it is one.
    OwnDirectory(bool),
    /// The processes.
    Everyone(Vec<crate::detect::Process>),
}

/// The transcript of the conversation in question.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Transcript {
    /// There is none.
    #[default]
    Absent,
    /// There is a file of no bytes.
    Empty,
    /// There is one.
    Present,
}

/// Whether the engine's program is there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Installed {
    /// At this path.
    At(String),
    /// It is not.
    No,
    /// Nobody could tell; the shell will.
    #[default]
    Unknown,
}

/// A pane that has a conversation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Holder {
    /// Where it is, for people.
    pub place: String,
    /// The command that leads there.
    pub way: String,
}

/// What is known of the world when a plan is made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// The engine's program.
    pub installed: Installed,
    /// The path of this program, for an engine that it has to begin a conversation of.
    pub this_program: String,
    /// The transcript of the conversation.
    pub transcript: Transcript,
    /// Where it is, every copy.
    pub paths: Vec<String>,
    /// Another live pane that has the conversation.
    pub holder: Option<Holder>,
    /// A process outside our panes has it open.
    pub open_elsewhere: bool,
    /// A new UUID, for a conversation that has to begin anew.
    pub fresh_id: String,
    /// The time, in milliseconds since 1970.
    pub now_ms: u64,
    /// The recorded directory is not there.
    pub directory_gone: bool,
    /// This program made the directory.
    pub own_directory: bool,
    /// Who an engine's hook is to call; `None` for nobody.
    pub reporter: Option<Reporter>,
}

impl Facts {
    /// Facts about conversation `id` out of the answers to [`for_conversation`]. `holder`, `this_program`, `fresh_id` and
    /// `now_ms` are the caller's to fill.
    pub fn new(table: &Table, id: Option<&str>, answers: &[Answer]) -> Facts {
        let mut facts = Facts::default();
        for answer in answers {
            match answer {
                Answer::Program(Some(path)) => facts.installed = Installed::At(path.clone()),
                Answer::Program(None) => facts.installed = Installed::No,
                Answer::Files(files) => facts.add_files(files),
                Answer::Locked(locked) => facts.open_elsewhere |= locked,
                Answer::States(states) => {
                    facts.open_elsewhere |= states.iter().any(|state| is_live_on(table, state, id));
                }
                Answer::Holds(true) => facts.transcript = Transcript::Present,
                Answer::OwnDirectory(own) => facts.own_directory = *own,
                // Those of a launch are the user's configuration; the reporter is the caller's to fill.
                Answer::Holds(false)
                | Answer::Heads(_)
                | Answer::Processes(_)
                | Answer::Everyone(_)
                | Answer::Ancestors(_)
                | Answer::Texts(_) => {}
            }
        }
        facts
    }

    fn add_files(&mut self, files: &[FileFact]) {
        for file in files {
            self.paths.push(file.path.clone());
            if file.bytes > 0 {
                self.transcript = Transcript::Present;
            } else if self.transcript == Transcript::Absent {
                self.transcript = Transcript::Empty;
            }
        }
    }
}

fn is_live_on(table: &Table, state: &StateFact, id: Option<&str>) -> bool {
    let is_engine = state.comm.as_deref().is_some_and(|comm| table.engine_of(comm, &[]).is_some());
    let is_of = |read: claude::State| read.is_of(state.started_ms) && Some(read.session_id.as_str()) == id;
    is_engine && claude::state(&state.text).is_some_and(is_of)
}

/// What to ask before launching or resuming `engine` on conversation `id` in the directory `cwd`.
pub fn for_conversation(engine: &Engine, id: Option<&str>, cwd: &str) -> Vec<Probe> {
    let names = if engine.command.is_empty() { engine.programs } else { &engine.command[..1] };
    let mut probes = vec![if names.is_empty() { Probe::OwnProgram } else { Probe::Program { names } }];
    let (Some(store), Some(id)) = (&engine.store, id) else { return probes };
    let root = store.root;
    let fill = |pattern: &&str| store::for_session(pattern, id, cwd);
    probes.extend(store.transcripts.iter().filter_map(fill).map(|pattern| Probe::Files { root, pattern }));
    let holds = |pattern| Probe::Holds { root, pattern, text: id.to_owned() };
    probes.extend(store.databases.iter().filter_map(fill).map(holds));
    if let Some(path) = store.lock.as_ref().and_then(fill) {
        probes.push(Probe::Lock { root, path });
    }
    if let Some(state) = store.state {
        probes.push(Probe::States { root, pattern: store::for_any(state, cwd) });
    }
    probes
}

/// What to ask about the directory of a launch: whether it is trusted anyhow, and what the user configured ([`Reporter::configured`]).
pub fn for_directory(engine: &Engine, directory: &str) -> Vec<Probe> {
    let mut probes = vec![Probe::OwnDirectory { path: directory.to_owned() }];
    for (root, pattern) in hook::files(engine) {
        probes.push(Probe::Texts { root, pattern: pattern.to_owned() });
        let pattern = format!("{}/{pattern}", root.below_home);
        probes.push(Probe::TextsIn { directory: directory.to_owned(), pattern });
    }
    probes
}

/// What to ask when a hook told of conversation `id`, before [`crate::identity::learn`].
pub fn for_report(engine: &Engine, id: &str, cwd: &str) -> Vec<Probe> {
    let mut probes = vec![Probe::Processes];
    let Some(store) = &engine.store else { return probes };
    let root = store.root;
    if let Some(state) = store.state {
        probes.push(Probe::States { root, pattern: store::for_any(state, cwd) });
    }
    if store.head != store::Head::Plain {
        let patterns = store.transcripts.iter().filter_map(|pattern| store::for_session(pattern, id, cwd));
        probes.extend(patterns.map(|pattern| Probe::Heads { root, pattern, since_ms: 0 }));
    }
    probes
}

/// What to ask before [`crate::resume::plan`].
pub fn probes(engine: &Engine, record: &AgentRecord) -> Vec<Probe> {
    for_conversation(engine, record.id.as_deref(), &record.cwd)
}

/// What to ask before [`crate::identity::prove`]. The heads of transcripts that the processes hold open are wanted as well: they match
/// the same patterns.
pub fn for_identity(engine: &Engine, record: &AgentRecord) -> Vec<Probe> {
    let mut probes = vec![Probe::Processes];
    let Some(store) = &engine.store else { return probes };
    let root = store.root;
    if let Some(state) = store.state {
        probes.push(Probe::States { root, pattern: store::for_any(state, &record.cwd) });
    }
    let is_known = matches!(record.how, Some(How::Hook | How::OpenFile | How::Argv));
    if engine.identity == IdSource::Discovered && !is_known {
        let patterns = store.transcripts.iter().map(|pattern| store::for_any(pattern, &record.cwd));
        probes.extend(patterns.map(|pattern| Probe::Heads { root, pattern, since_ms: record.launched_ms }));
        probes.push(Probe::Everyone);
    }
    probes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::{ENGINES, find};

    const ID: &str = "5e1f7e57-0000-4000-8000-000000000001";

    fn facts(id: Option<&str>, answers: &[Answer]) -> Facts {
        Facts::new(&Table::default(), id, answers)
    }

    #[test]
    fn every_row_asks_for_its_program_and_its_transcript() {
        for engine in ENGINES {
            let asked = for_conversation(engine, Some(ID), "/w");
            assert!(matches!(asked[0], Probe::Program { .. } | Probe::OwnProgram), "{}", engine.id);
            let names_id = |probe: &Probe| match probe {
                Probe::Files { pattern, .. } => pattern.contains(&ID[..8]),
                Probe::Holds { text, .. } => text == ID,
                _ => false,
            };
            assert_eq!(asked.iter().any(names_id), engine.store.is_some(), "{}", engine.id);
            assert_eq!(for_conversation(engine, None, "/w").len(), 1);
            assert_eq!(for_identity(engine, &AgentRecord::default())[0], Probe::Processes);
        }
    }

    #[test]
    fn the_paths_of_claude_are_looked_for_by_id() {
        let root = Root { moved_by: &[("CLAUDE_CONFIG_DIR", "")], below_home: ".claude" };
        let asked = for_conversation(find("claude").unwrap(), Some(ID), "/w");
        assert!(asked.contains(&Probe::Files { root, pattern: format!("projects/*/{ID}.jsonl") }));
        assert!(asked.contains(&Probe::States { root, pattern: "sessions/*.json".into() }));
    }

    #[test]
    fn answers_become_facts() {
        let file = |bytes| FileFact { path: "/x".into(), bytes };
        assert_eq!(facts(None, &[]), Facts::default());
        assert_eq!(facts(None, &[Answer::Files(vec![file(0)])]).transcript, Transcript::Empty);
        assert_eq!(facts(None, &[Answer::Files(vec![file(3), file(0)])]).transcript, Transcript::Present);
        assert!(facts(None, &[Answer::Locked(true), Answer::Locked(false)]).open_elsewhere);
        let state = |comm: Option<&str>| StateFact {
            text: format!(r#"{{"pid":5,"sessionId":"{ID}","startedAt":1000000}}"#),
            comm: comm.map(str::to_owned),
            started_ms: 999_000,
        };
        assert!(facts(Some(ID), &[Answer::States(vec![state(Some("claude"))])]).open_elsewhere);
        for dead in [None, Some("bash")] {
            assert!(!facts(Some(ID), &[Answer::States(vec![state(dead)])]).open_elsewhere);
        }
        let reused = StateFact { started_ms: 2_000_000, ..state(Some("claude")) };
        assert!(!facts(Some(ID), &[Answer::States(vec![reused])]).open_elsewhere, "another process of that id");
        assert!(!facts(Some("other"), &[Answer::States(vec![state(Some("claude"))])]).open_elsewhere);
    }
}
