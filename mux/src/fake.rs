//! A world for tests, and a bench to run a model on: clients connect, type and leave, panes write and end, time passes
//! when it is told to. Nothing here waits, and nothing touches the machine.

use crate::environment::Environment;
use crate::format::Local;
use crate::{
    ClientId, Effect, Event, Exit, Face, Farewell, Hello, Identity, Input, Manner, Mux, Now, PaneId, Spawn, Spawned,
    World,
};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Noon of 30 November 2026, when every bench begins.
pub const NOON: u64 = 1_796_040_000;

/// Most steps one call of [`Bench::advance`] takes; a timer that never rests would need more.
const STEPS_MOST: usize = 100_000;

/// A world in which every program starts and files are kept in memory. Every directory is there but `/nope`; what is in
/// `/bin` are programs.
#[derive(Debug)]
pub struct FakeWorld {
    /// Files by path.
    pub files: BTreeMap<String, Vec<u8>>,
    /// The programs that were started, and for which pane, in order.
    pub started: Vec<(PaneId, Spawn)>,
    /// When set, no program starts, for this reason.
    pub refusal: Option<String>,
    /// What runs in the foreground of every pane.
    pub foreground: Option<String>,
    /// Conversations of which there is a transcript.
    pub transcripts: Vec<String>,
    random: u128,
}

impl Default for FakeWorld {
    fn default() -> FakeWorld {
        FakeWorld {
            files: BTreeMap::new(),
            started: Vec::new(),
            refusal: None,
            foreground: Some("cat".to_owned()),
            transcripts: Vec::new(),
            random: 0,
        }
    }
}

impl World for FakeWorld {
    fn spawn(&mut self, pane: PaneId, spawn: &Spawn) -> Result<Spawned, String> {
        if let Some(refusal) = &self.refusal {
            return Err(refusal.clone());
        }
        self.started.push((pane, spawn.clone()));
        let count = self.started.len() as u32;
        Ok(Spawned { pid: 1000 + count, tty: format!("/dev/pts/{count}") })
    }

    fn stop(&mut self, _: PaneId) {}

    fn page_store(&mut self, _: PaneId) -> Option<Box<dyn term::PageStore>> {
        None
    }

    fn foreground_command(&self, _: PaneId) -> Option<String> {
        self.foreground.clone()
    }

    fn is_at_shell(&self, _: PaneId) -> Option<bool> {
        Some(true)
    }

    fn foreground_path(&self, _: PaneId) -> Option<String> {
        None
    }

    fn is_directory(&self, path: &str) -> bool {
        !path.starts_with("/bin/") && !self.files.contains_key(path)
    }

    fn read_file(&self, path: &str) -> Result<Vec<u8>, String> {
        self.files.get(path).cloned().ok_or_else(|| "No such file or directory".to_owned())
    }

    fn write_file(&mut self, path: &str, data: &[u8], append: bool) -> Result<(), String> {
        if path.starts_with("/nope") {
            return Err("No such file or directory".to_owned());
        }
        let file = self.files.entry(path.to_owned()).or_default();
        if !append {
            file.clear();
        }
        file.extend_from_slice(data);
        Ok(())
    }

    fn remove_file(&mut self, path: &str) {
        self.files.remove(path);
    }

    fn glob(&self, pattern: &str) -> Vec<String> {
        let matches = |path: &&String| crate::fnmatch::fnmatch(pattern, path, false);
        self.files.keys().filter(matches).cloned().collect()
    }

    fn home(&self, user: Option<&str>) -> Option<String> {
        user.is_none_or(|user| user == "u").then(|| "/home/u".to_owned())
    }

    fn user_name(&self, uid: u32) -> Option<String> {
        Some(
            match uid {
                0 => "root",
                65534 => "nobody",
                _ => "u",
            }
            .to_owned(),
        )
    }

    fn user_id(&self, name: &str) -> Option<u32> {
        [("root", 0), ("u", 1000), ("nobody", 65534)].iter().find(|(other, _)| *other == name).map(|(_, uid)| *uid)
    }

    fn group_name(&self, gid: u32) -> Option<String> {
        (gid == 65534).then(|| "nogroup".to_owned())
    }

    fn group_id(&self, name: &str) -> Option<u32> {
        (name == "nogroup").then_some(65534)
    }

    fn host_name(&self) -> String {
        "vm".to_owned()
    }

    fn local(&self, unix: i64) -> Local {
        Local::utc(unix)
    }

    fn is_program(&self, _: &str) -> bool {
        true
    }

    fn real_path(&self, path: &str) -> Option<String> {
        Some(path.to_owned())
    }

    fn rename_file(&mut self, from: &str, to: &str) -> Result<(), String> {
        let data = self.files.remove(from).ok_or("No such file or directory")?;
        self.files.insert(to.to_owned(), data);
        Ok(())
    }

    fn random(&mut self) -> u128 {
        self.random += 1;
        self.random << 80 | self.random
    }

    fn probe(&self, _: PaneId, probe: &agents::Probe) -> Option<agents::Answer> {
        let agents::Probe::Files { pattern, .. } = probe else { return None };
        let found = self.transcripts.iter().filter(|id| pattern.contains(id.as_str()));
        let fact = |id: &String| agents::probe::FileFact { path: format!("/t/{id}"), bytes: 1 };
        Some(agents::Answer::Files(found.map(fact).collect()))
    }
}

/// What a command of a client of its own came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ran {
    /// Its standard output.
    pub stdout: String,
    /// Its standard error.
    pub stderr: String,
    /// Its exit status; `None` while it waits, or when it stays attached.
    pub status: Option<i32>,
}

/// A model with its world and its clock.
#[derive(Debug)]
pub struct Bench {
    /// The model.
    pub mux: Mux,
    /// Its world.
    pub world: FakeWorld,
    /// The time of the next turn.
    pub now: Now,
    /// What was to be done so far, without output of clients and jobs.
    pub effects: Vec<Effect>,
    /// What was told so far.
    pub events: Vec<Event>,
    /// What a client's standard input holds, for commands that read it.
    pub stdin: Vec<u8>,
    /// Jobs are not run but stay in `effects`.
    pub keep_jobs: bool,
    printed: BTreeMap<ClientId, Ran>,
    clients: u32,
}

/// A model that has nothing yet and has read no configuration.
pub fn empty(face: Face) -> Mux {
    let identity = Identity {
        face,
        socket: "/tmp/s".into(),
        pid: 1,
        uid: 1000,
        executable: "/bin/rove".into(),
        shim: "/run/rove.bin".into(),
        started: Duration::from_secs(1),
        cwd: String::new(),
    };
    Mux::new(identity, Environment::from_texts(["HOME=/home/u", "SHELL=/bin/sh"]))
}

/// How a client introduces itself that speaks in this manner; with a size it has a terminal.
pub fn hello(manner: Manner, size: Option<(u16, u16)>, words: &[&str]) -> Hello {
    Hello {
        manner,
        pid: 2,
        uid: 1000,
        gid: 1000,
        tty: size.map_or_else(String::new, |_| "/dev/tty1".to_owned()),
        term: "xterm-256color".into(),
        features: Vec::new(),
        utf8: true,
        size,
        cwd: "/tmp".into(),
        environment: vec![("PATH".into(), "/bin".into())],
        argv: words.iter().map(|word| (*word).to_owned()).collect(),
        rove: false,
        read_only: false,
        started_server: false,
    }
}

impl Bench {
    /// A server that has read its configuration and has no session.
    pub fn new(face: Face) -> Bench {
        Bench::of(empty(face))
    }

    /// The same of a model.
    #[allow(clippy::disallowed_methods)] // Some instant to count from.
    pub fn of(mux: Mux) -> Bench {
        let now = Now { instant: Instant::now(), unix: Duration::from_secs(NOON) };
        let (effects, events) = (Vec::new(), Vec::new());
        let world = FakeWorld::default();
        let printed = BTreeMap::new();
        let mut bench =
            Bench { mux, world, now, effects, events, stdin: Vec::new(), keep_jobs: false, printed, clients: 0 };
        bench.mux.read_config(now, &mut bench.world, &[]);
        bench.pump();
        bench
    }

    /// Something happens, with all that follows from it.
    pub fn handle(&mut self, input: Input<'_>) {
        self.mux.handle(self.now, &mut self.world, input);
        self.pump();
    }

    /// Do what is to be done, until nothing is.
    fn pump(&mut self) {
        loop {
            self.events.extend(std::iter::from_fn(|| self.mux.poll_event()));
            let Some(effect) = self.mux.poll_effect() else { break };
            let (now, world) = (self.now, &mut self.world);
            match effect {
                Effect::Stdout(client, bytes) => {
                    self.printed.entry(client).or_default().stdout += &String::from_utf8_lossy(&bytes);
                }
                Effect::Stderr(client, bytes) => {
                    self.printed.entry(client).or_default().stderr += &String::from_utf8_lossy(&bytes);
                }
                Effect::RunJob(job) if !self.keep_jobs => {
                    let (output, exit) = shell(&job.command);
                    self.mux.handle(now, world, Input::JobOutput(job.id, &output));
                    self.mux.handle(now, world, Input::JobDone(job.id, exit));
                }
                Effect::ReadStdin(client) => {
                    let stdin = std::mem::take(&mut self.stdin);
                    self.mux.handle(now, world, Input::ClientInput(client, Some(&stdin)));
                    self.mux.handle(now, world, Input::ClientInput(client, None));
                }
                Effect::EndClient(client, farewell) => self.ended(client, farewell),
                other => self.effects.push(other),
            }
        }
    }

    fn ended(&mut self, client: ClientId, farewell: Farewell) {
        let ran = self.printed.entry(client).or_default();
        ran.status = Some(match &farewell {
            Farewell::Done(status) | Farewell::Control(_, status) => *status,
            _ => 0,
        });
        self.effects.push(Effect::EndClient(client, farewell));
        self.mux.handle(self.now, &mut self.world, Input::ClientGone(client));
    }

    /// A client connects.
    pub fn connect(&mut self, hello: Hello) -> ClientId {
        self.clients += 1;
        let client = ClientId(self.clients);
        self.handle(Input::ClientConnected(client, Box::new(hello)));
        client
    }

    /// A client with a terminal of this size connects with a command.
    pub fn terminal(&mut self, size: (u16, u16), words: &[&str]) -> ClientId {
        let mut hello = hello(Manner::Command, Some(size), words);
        hello.tty = format!("/dev/tty{}", self.clients + 1);
        self.connect(hello)
    }

    /// A control client connects with a command.
    pub fn control(&mut self, words: &[&str]) -> ClientId {
        self.connect(Hello { pid: 100 + self.clients, ..hello(Manner::Control, None, words) })
    }

    /// A control client sends a line.
    pub fn control_line(&mut self, client: ClientId, line: &str) {
        self.handle(Input::ClientLine(client, line.as_bytes()));
    }

    /// Keys are typed at a client's terminal.
    pub fn keys(&mut self, client: ClientId, bytes: &[u8]) {
        self.handle(Input::ClientBytes(client, bytes));
    }

    /// A command runs as `tmux WORDS` does.
    pub fn run(&mut self, words: &[&str]) -> Ran {
        let client = self.start(words);
        self.ran(client)
    }

    /// A command starts as `tmux WORDS` does, and may wait.
    pub fn start(&mut self, words: &[&str]) -> ClientId {
        self.connect(hello(Manner::Command, None, words))
    }

    /// What a client's command has come to so far.
    pub fn ran(&self, client: ClientId) -> Ran {
        self.printed.get(&client).cloned().unwrap_or_default()
    }

    /// A command line as it is typed in a shell runs; what it printed, errors behind output, without the last line feed.
    pub fn line(&mut self, line: &str) -> String {
        let words = words(line);
        let ran = self.run(&words.iter().map(String::as_str).collect::<Vec<_>>());
        let text = ran.stdout + &ran.stderr;
        text.strip_suffix('\n').map(str::to_owned).unwrap_or(text)
    }

    /// Several command lines run, one after the other.
    pub fn lines(&mut self, lines: &[&str]) {
        for line in lines {
            self.line(line);
        }
    }

    /// What a format is in a place such as `%0`; the best one for an empty text.
    pub fn format(&mut self, target: &str, format: &str) -> String {
        match target {
            "" => self.run(&["display-message", "-p", format]),
            target => self.run(&["display-message", "-p", "-t", target, format]),
        }
        .stdout
        .trim_end_matches('\n')
        .to_owned()
    }

    /// The program of a pane writes.
    pub fn output(&mut self, pane: PaneId, bytes: &[u8]) {
        self.handle(Input::PaneOutput(pane, bytes));
    }

    /// The program of a pane ends.
    pub fn end(&mut self, pane: PaneId, exit: Exit) {
        self.handle(Input::PaneExited(pane, exit));
    }

    /// What was written to a pane's program since it was last asked.
    pub fn typed(&mut self, pane: PaneId) -> Vec<u8> {
        let mut typed = Vec::new();
        self.effects.retain(|effect| match effect {
            Effect::WritePane(to, bytes) if *to == pane => {
                typed.extend_from_slice(bytes);
                false
            }
            _ => true,
        });
        typed
    }

    /// Time passes; what is due meanwhile is done when it is due.
    pub fn advance(&mut self, time: Duration) {
        let (begin, end) = (self.now, self.now.instant + time);
        for _ in 0..STEPS_MOST {
            let Some(due) = self.mux.deadline().filter(|due| *due <= end) else { break };
            let instant = due.max(self.now.instant);
            self.now = Now { instant, unix: begin.unix + (instant - begin.instant) };
            self.handle(Input::Tick);
        }
        self.now = Now { instant: end, unix: begin.unix + time };
        self.handle(Input::Tick);
    }
}

/// A shell that knows `echo`, `printf` without formats, `true`, `false` and `exit`, one after the other between `;`.
fn shell(command: &str) -> (Vec<u8>, Exit) {
    let (mut output, mut status) = (Vec::new(), 0);
    for command in command.split(';') {
        let words = words(command);
        let mut words = words.iter().map(String::as_str);
        status = match words.next() {
            None | Some("true") => 0,
            Some("echo") => {
                let text = words.collect::<Vec<_>>().join(" ");
                output.extend_from_slice(format!("{text}\n").as_bytes());
                0
            }
            Some("printf") => {
                output.extend_from_slice(words.collect::<String>().as_bytes());
                0
            }
            Some("false") => 1,
            Some("exit") => {
                status = words.next().and_then(|status| status.parse().ok()).unwrap_or(status);
                return (output, Exit::Status(status));
            }
            Some(_) => 127,
        };
    }
    (output, Exit::Status(status))
}

/// The words of a line as a shell sees them: quotes of both kinds, and backslashes.
pub fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    let mut characters = line.chars();
    while let Some(c) = characters.next() {
        match (quote, c) {
            (None, ' ') => words.extend(word.take()),
            (None, '\'' | '"') => {
                word.get_or_insert_default();
                quote = Some(c);
            }
            (Some(mark), c) if mark == c => quote = None,
            (None, '\\') => word.get_or_insert_default().extend(characters.next()),
            (Some('"'), '\\') => {
                let next = characters.next().unwrap_or('\\');
                let kept = !matches!(next, '"' | '\\');
                word.get_or_insert_default().extend(kept.then_some('\\').into_iter().chain([next]));
            }
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}
