use super::*;
use crate::environment::Environment;
use crate::format::Local;
use crate::{Exit, Face, Hello, Identity, Input, Manner, Spawn, Spawned, World};
use std::time::{Duration, Instant};

/// A world without files in which every program starts.
struct Fake;

impl World for Fake {
    fn spawn(&mut self, _: PaneId, _: &Spawn) -> Result<Spawned, String> {
        Ok(Spawned { pid: 2, tty: "/dev/pts/2".into() })
    }
    fn stop(&mut self, _: PaneId) {}
    fn page_store(&mut self, _: PaneId) -> Option<Box<dyn term::PageStore>> {
        None
    }
    fn foreground_command(&self, _: PaneId) -> Option<String> {
        None
    }
    fn is_at_shell(&self, _: PaneId) -> Option<bool> {
        Some(true)
    }
    fn foreground_path(&self, _: PaneId) -> Option<String> {
        None
    }
    fn is_directory(&self, _: &str) -> bool {
        true
    }
    fn read_file(&self, path: &str) -> Result<Vec<u8>, String> {
        Err(format!("No such file or directory: {path}"))
    }
    fn write_file(&mut self, _: &str, _: &[u8], _: bool) -> Result<(), String> {
        Ok(())
    }
    fn glob(&self, _: &str) -> Vec<String> {
        Vec::new()
    }
    fn home(&self, _: Option<&str>) -> Option<String> {
        None
    }
    fn user_name(&self, _: u32) -> Option<String> {
        None
    }
    fn host_name(&self) -> String {
        "host".into()
    }
    fn local(&self, _: i64) -> Local {
        Local::default()
    }
    fn is_program(&self, _: &str) -> bool {
        true
    }
    fn real_path(&self, path: &str) -> Option<String> {
        Some(path.to_owned())
    }
    fn rename_file(&mut self, _: &str, _: &str) -> Result<(), String> {
        Ok(())
    }
    fn random(&mut self) -> u128 {
        1
    }
    fn probe(&self, _: PaneId, _: &agents::Probe) -> Option<agents::Answer> {
        None
    }
}

struct Server {
    mux: Mux,
    now: Now,
    clients: u32,
}

impl Server {
    /// A server with a session whose pane shows two lines.
    #[allow(clippy::disallowed_methods)] // Some instant to count from.
    fn new() -> Server {
        let identity = Identity {
            face: Face::Tmux,
            socket: "/tmp/s".into(),
            pid: 1,
            uid: 0,
            executable: "/bin/rove".into(),
            started: Duration::ZERO,
        };
        let now = Now { instant: Instant::now(), unix: Duration::from_secs(1_000_000) };
        let mut server = Server { mux: Mux::new(identity, Environment::default()), now, clients: 0 };
        server.mux.configured = true;
        server.run("new-session -d -x 40 -y 10");
        let pane = server.pane();
        server.mux.handle(now, &mut Fake, Input::PaneOutput(pane, b"one two\r\nthree foo"));
        server
    }

    fn pane(&self) -> PaneId {
        *self.mux.panes.keys().next().expect("the session has a pane")
    }

    /// Runs a command line of a client of its own; what it printed, and every effect besides.
    fn run_all(&mut self, line: &str) -> (String, Vec<Effect>) {
        self.clients += 1;
        let hello = Hello {
            manner: Manner::Command,
            pid: 3,
            uid: 0,
            tty: String::new(),
            term: "xterm".into(),
            features: Vec::new(),
            utf8: true,
            size: None,
            cwd: "/".into(),
            environment: Vec::new(),
            argv: line.split(' ').map(str::to_owned).collect(),
            rove: false,
            read_only: false,
            started_server: false,
        };
        let client = ClientId(self.clients);
        self.mux.handle(self.now, &mut Fake, Input::ClientConnected(client, Box::new(hello)));
        let (mut printed, mut effects) = (Vec::new(), Vec::new());
        while let Some(effect) = self.mux.poll_effect() {
            match effect {
                Effect::Stdout(_, bytes) | Effect::Stderr(_, bytes) => printed.extend(bytes),
                other => effects.push(other),
            }
        }
        (String::from_utf8_lossy(&printed).trim_end().to_owned(), effects)
    }

    fn run(&mut self, line: &str) -> String {
        self.run_all(line).0
    }

    fn format(&mut self, name: &str) -> String {
        self.run(&format!("display-message -p #{{{name}}}"))
    }
}

#[test]
fn a_selection_becomes_a_buffer_and_the_mode_ends() {
    let mut server = Server::new();
    assert_eq!(server.run("send-keys -X cursor-up"), "not in a mode");
    server.run("copy-mode");
    assert_eq!(server.format("pane_mode"), "copy-mode");
    for command in ["history-top", "start-of-line", "begin-selection", "next-word-end"] {
        assert_eq!(server.run(&format!("send-keys -X {command}")), "");
    }
    server.run("send-keys -X copy-selection-no-clear mine");
    server.run("send-keys -X append-selection-and-cancel");
    assert_eq!(server.run("show-buffer -b mine0"), "oneone");
    assert_eq!(server.format("pane_mode"), "");
}

#[test]
fn a_pipe_gets_the_text_on_its_input() {
    let mut server = Server::new();
    server.run("copy-mode");
    server.run("send-keys -X start-of-line");
    let (_, effects) = server.run_all("send-keys -X copy-pipe-line-and-cancel cat#{pane_id}");
    let run = effects.iter().find_map(|effect| match effect {
        Effect::RunJob(job) => Some((job.id, job.command.clone())),
        _ => None,
    });
    let (job, command) = run.expect("the command is run");
    assert_eq!(command, "cat%0");
    let written: Vec<&[u8]> = effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::WriteJob(id, bytes) if *id == job => Some(bytes.as_slice()),
            _ => None,
        })
        .collect();
    assert_eq!(written, [&b"three foo"[..], b""]);
    server.mux.handle(server.now, &mut Fake, Input::JobDone(job, Exit::Status(0)));
    assert_eq!(server.run("show-buffer"), "three foo");
}

#[test]
fn a_repeat_typed_before_counts_for_the_next_command() {
    let mut server = Server::new();
    server.run("copy-mode");
    server.run("send-keys -X start-of-line");
    server.run("send-keys -N 3");
    server.run("send-keys -X cursor-right");
    assert_eq!(server.format("copy_cursor_x"), "3");
    server.run("send-keys -X cursor-right");
    assert_eq!(server.format("copy_cursor_x"), "4");
    server.run("send-keys -N 2 -X cursor-right");
    assert_eq!(server.format("copy_cursor_x"), "6");
}

#[test]
fn a_pane_remembers_what_was_searched_for() {
    let mut server = Server::new();
    server.run("copy-mode");
    server.run("send-keys -FX search-backward #{l:fo+}");
    assert_eq!((server.format("search_match"), server.format("pane_search_string")), ("foo".into(), "fo+".into()));
    server.run("copy-mode -q");
    assert_eq!(server.format("pane_in_mode"), "0");
    server.run("copy-mode");
    server.run("send-keys -X search-again");
    assert_eq!(server.format("search_match"), "foo");
}

#[test]
fn a_mode_shows_another_panes_text() {
    let mut server = Server::new();
    server.run("split-window");
    let second = *server.mux.panes.keys().last().expect("there are two panes");
    server.run(&format!("copy-mode -t {second} -s %0"));
    let line = server.run(&format!("display-message -p -t {second} #{{copy_cursor_line}}"));
    assert_eq!(line, "three foo");
    server.mux.handle(server.now, &mut Fake, Input::PaneOutput(PaneId(0), b" more"));
    server.run(&format!("send-keys -t {second} -X refresh-from-pane"));
    let line = server.run(&format!("display-message -p -t {second} #{{copy_cursor_line}}"));
    assert_eq!(line, "three foo more");
}
