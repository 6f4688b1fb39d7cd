//! What the store holds and what would come back of it: looked at without changing anything, whether a server runs or not.

// It reads files and asks the system for programs and transcripts.
#![allow(clippy::disallowed_methods)]

use crate::cli::Face;
use crate::os::facts;
use agents::probe::{self, Answer, Facts, Holder};
use agents::{AgentRecord, Resume};
use mux::{Exit, Identity, Mux, Now, Pane, Program, Session};
use persist::exits::ExitLog;
use persist::store::Space;
use persist::{RealDisk, Store};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// What is known of the server, when one runs.
#[derive(Debug, Default)]
pub struct Running {
    /// Lasting ids of panes whose program runs.
    pub live: HashSet<String>,
    /// Agents come back with their conversations (option `resume`), as far as the server says.
    pub resume: Option<bool>,
}

/// What is kept.
#[derive(Debug)]
pub struct Kept {
    /// Where.
    pub directory: PathBuf,
    /// How much there is; `None` when there is no store.
    pub space: Option<Space>,
    /// Sessions in order.
    pub sessions: Vec<KeptSession>,
    /// Files that can't be used, each with what is used instead.
    pub problems: Vec<String>,
}

/// A session that would come back.
#[derive(Debug)]
pub struct KeptSession {
    /// Its name.
    pub name: String,
    /// How many windows it has.
    pub windows: usize,
    /// Its panes in order.
    pub panes: Vec<KeptPane>,
}

/// A pane that would come back.
#[derive(Debug)]
pub struct KeptPane {
    /// `window.pane`, by their indexes.
    pub place: String,
    /// `%N`.
    pub id: String,
    /// The window's name.
    pub window: String,
    /// Its program runs now.
    pub runs: bool,
    /// The directory its program would be started in.
    pub directory: String,
    /// Why that is another one than was kept.
    pub moved: Option<String>,
    /// What would be started.
    pub back: Back,
}

/// What would be started in a pane.
#[derive(Debug, PartialEq, Eq)]
pub enum Back {
    /// The login shell alone.
    Shell(String),
    /// A command.
    Command(Vec<String>),
    /// An agent, in its conversation.
    Conversation {
        /// The engine's name for people.
        product: String,
        /// The conversation.
        id: String,
        /// The engine's words.
        argv: Vec<String>,
    },
    /// An agent without its conversation, and why.
    Fresh {
        /// The engine's words.
        argv: Vec<String>,
        /// Why.
        why: String,
    },
    /// The login shell in place of an agent, and why.
    Refused {
        /// The shell.
        shell: String,
        /// Why.
        why: String,
        /// What to do.
        remedy: String,
    },
    /// Nothing: its program had ended, and the pane stays for its screen.
    Nothing(String),
}

/// Looks at the store of the server at a socket. `None` without a home.
pub fn look(face: Face, socket: &Path, running: &Running) -> Option<Kept> {
    let home = home(face, socket)?;
    let directory = home.join(persist::store::DIRECTORY);
    let mut kept = Kept { directory, space: None, sessions: Vec::new(), problems: Vec::new() };
    if kept.directory.symlink_metadata().is_err() {
        return Some(kept);
    }
    let mut store = Store::look(Box::new(RealDisk::default()), &home).checked(persist::record::check);
    kept.space = store.space().ok();
    let loaded = match store.load() {
        Ok(loaded) => loaded,
        Err(error) => {
            kept.problems.push(error.to_string());
            return Some(kept);
        }
    };
    let mut plan = persist::restore::from_store(&loaded);
    let mut mux = model(face, socket);
    let mut screens = Vec::new();
    plan.apply(&mut mux, now(), &mut |key| match store.read(key) {
        (Some(bytes), problem) => {
            screens.extend(problem.map(|problem| format!("{} {}", problem.file, problem.what)));
            Ok(Some(bytes))
        }
        (None, None) => Ok(None),
        (None, Some(problem)) => Err(format!("{} {}", problem.file, problem.what)),
    });
    plan.apply_settings(&mut mux);
    let resume = running.resume.unwrap_or_else(|| mux.globals.server.flag("resume"));
    let mut sweep = Sweep { running, resume, engines: crate::engines::load(), holders: HashMap::new() };
    kept.sessions = mux.sessions.values().map(|session| sweep.session(&mux, session)).collect();
    kept.problems.append(&mut plan.problems);
    kept.problems.append(&mut screens);
    Some(kept)
}

/// The abnormal ends that were noted: where, and which. The error says what is wrong with the file.
pub fn exits(face: Face, socket: &Path) -> Option<(PathBuf, Result<ExitLog, String>)> {
    let home = home(face, socket)?;
    let key = persist::exits::key();
    let path = home.join(key.file_name());
    let log = match Store::look(Box::new(RealDisk::default()), &home).read(&key) {
        (Some(bytes), _) => ExitLog::decode(&bytes).map_err(|error| error.to_string()),
        (None, None) => Ok(ExitLog::default()),
        (None, Some(problem)) => Err(problem.what),
    };
    Some((path, log))
}

fn home(face: Face, socket: &Path) -> Option<PathBuf> {
    crate::server::home_of(model_face(face), socket)
}

fn model_face(face: Face) -> mux::Face {
    match face {
        Face::Tmux => mux::Face::Tmux,
        Face::Rove => mux::Face::Rove,
    }
}

/// A model as a new server has it.
fn model(face: Face, socket: &Path) -> Mux {
    let identity = Identity {
        face: model_face(face),
        socket: socket.to_string_lossy().into_owned(),
        pid: std::process::id(),
        uid: rustix::process::getuid().as_raw(),
        executable: String::new(),
        shim: String::new(),
        started: Duration::ZERO,
        cwd: String::new(),
    };
    Mux::new(identity, mux::environment::Environment::default())
}

fn now() -> Now {
    let unix = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Now { instant: Instant::now(), unix }
}

/// The sweep that an attach would make, in its order.
struct Sweep<'a> {
    running: &'a Running,
    resume: bool,
    engines: agents::Table,
    /// Which pane has which conversation of which engine.
    holders: HashMap<(String, String), String>,
}

impl Sweep<'_> {
    fn session(&mut self, mux: &Mux, session: &Session) -> KeptSession {
        let mut panes = Vec::new();
        for (index, link) in &session.windows {
            let Some(window) = mux.windows.get(&link.window) else { continue };
            for (number, pane) in window.panes().iter().filter_map(|id| mux.panes.get(id)).enumerate() {
                let place = format!("{index}.{number}");
                panes.push(self.pane(&session.name, place, &window.name, pane));
            }
        }
        KeptSession { name: session.name.clone(), windows: session.windows.len(), panes }
    }

    fn pane(&mut self, session: &str, place: String, window: &str, pane: &Pane) -> KeptPane {
        let runs = self.running.live.contains(&mux::agent::uuid_text(pane.uuid));
        let agent = pane.agent.as_ref().filter(|_| self.resume && pane.program == Program::Frozen);
        let back = match (&pane.program, agent) {
            (Program::Dead(exit, _), _) => Back::Nothing(ended(*exit)),
            (Program::None, _) => Back::Nothing("it never had a program".to_owned()),
            (_, Some(agent)) => self.agent(agent, format!("pane {} of session {session}", pane.id), pane, runs),
            _ if pane.argv.is_empty() => Back::Shell(pane.shell.clone()),
            _ => Back::Command(mux::spawn::command_words(&pane.shell, &pane.argv)),
        };
        let launched = matches!(back, Back::Conversation { .. } | Back::Fresh { .. });
        let wanted = agent.filter(|agent| launched && !agent.cwd.is_empty()).map_or(&pane.cwd, |agent| &agent.cwd);
        let (directory, moved) = directory(wanted);
        KeptPane { place, id: pane.id.to_string(), window: window.to_owned(), runs, directory, moved, back }
    }

    fn agent(&mut self, record: &AgentRecord, place: String, pane: &Pane, runs: bool) -> Back {
        let shell = pane.shell.clone();
        let refused = |why, remedy| Back::Refused { shell, why, remedy };
        let Some(engine) = self.engines.find(&record.engine) else {
            return match agents::resume::unknown_engine(record) {
                Resume::Refuse { why, remedy } => refused(why, remedy),
                _ => Back::Shell(pane.shell.clone()),
            };
        };
        let answers: Vec<Answer> =
            probe::probes(engine, record).iter().filter_map(|probe| facts::probe(None, probe)).collect();
        let mut facts = Facts::new(&self.engines, record.id.as_deref(), &answers);
        let key = record.id.clone().map(|id| (record.engine.clone(), id));
        let holder = key.as_ref().and_then(|key| self.holders.get(key)).cloned();
        // Nobody is there yet to be gone to: the place is the way.
        facts.holder = holder.map(|place| Holder { way: format!("attach, then to {place}"), place });
        facts.directory_gone = !record.cwd.is_empty() && !std::path::Path::new(&record.cwd).is_dir();
        // What holds it now is the pane's own program, which would be gone by then.
        facts.open_elsewhere &= !runs;
        facts.fresh_id = "<new>".to_owned();
        match agents::plan(engine, record, &facts) {
            Resume::Run { launch } => {
                let id = launch.record.id.clone().unwrap_or_default();
                self.holders.extend(key.map(|key| (key, place)));
                Back::Conversation { product: engine.product.to_owned(), id, argv: launch.argv }
            }
            Resume::Fresh { launch, why } => Back::Fresh { argv: launch.argv, why },
            Resume::Refuse { why, remedy } => refused(why, remedy),
        }
    }
}

fn ended(exit: Exit) -> String {
    match exit {
        Exit::Status(code) => format!("its program had ended with status {code}"),
        Exit::Signal(number) => format!("its program had been ended by {}", persist::exits::signal_name(number)),
    }
}

/// Where a program would be started that wants to be in a directory, and why it is elsewhere.
fn directory(wanted: &str) -> (String, Option<String>) {
    if Path::new(wanted).is_dir() {
        return (wanted.to_owned(), None);
    }
    let home = facts::home(None).unwrap_or_else(|| "/".to_owned());
    (home, Some(format!("{wanted} is not there any more")))
}

/// A command line as one would type it.
pub fn typed(argv: &[String]) -> String {
    let plain = |word: &str| {
        !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_./=:,@%+".contains(&byte))
    };
    let quote = |word: &String| if plain(word) { word.clone() } else { agents::shell::quote_posix(word) };
    argv.iter().map(quote).collect::<Vec<_>>().join(" ")
}
