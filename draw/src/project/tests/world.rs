//! A world for tests of pictures: every program starts, nothing is on disk, it is noon.

use mux::format::Local;
use mux::{ClientId, Face, Hello, Identity, Input, Manner, Mux, Now, PaneId, Spawn, Spawned, World};
use std::time::{Duration, Instant};

/// A world without files in which every program starts.
#[derive(Default)]
pub(crate) struct Fake {
    started: u32,
}

impl World for Fake {
    fn spawn(&mut self, _: PaneId, _: &Spawn) -> Result<Spawned, String> {
        self.started += 1;
        Ok(Spawned { pid: 100 + self.started, tty: format!("/dev/pts/{}", self.started) })
    }
    fn stop(&mut self, _: PaneId) {}
    fn page_store(&mut self, _: PaneId) -> Option<Box<dyn term::PageStore>> {
        None
    }
    fn foreground_command(&self, _: PaneId) -> Option<String> {
        Some("cat".into())
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
        "vm".into()
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

/// A model with its world.
pub(crate) struct Server {
    pub(crate) mux: Mux,
    pub(crate) world: Fake,
    pub(crate) now: Now,
    commands: u32,
}

impl Server {
    /// A model with session `main` on client 1 of this size: window `win`, its pane `title` shows `hello`.
    #[allow(clippy::disallowed_methods)] // Some instant to count from.
    pub(crate) fn new(size: (u16, u16)) -> Server {
        let identity = Identity {
            face: Face::Tmux,
            socket: "/tmp/s".into(),
            pid: 1,
            uid: 0,
            executable: "/bin/rove".into(),
            started: Duration::ZERO,
        };
        // Noon of 30 November 2026.
        let now = Now { instant: Instant::now(), unix: Duration::from_secs(1_796_040_000) };
        let mux = Mux::new(identity, mux::environment::Environment::default());
        let mut server = Server { mux, world: Fake::default(), now, commands: 1000 };
        server.mux.read_config(now, &mut server.world, &[]);
        server.connect(1, size, &["new-session", "-s", "main", "-n", "win", "cat"]);
        server.run(&["select-pane", "-T", "title"]);
        server.write(0, b"hello\r\n");
        server
    }

    /// Client `id` connects with a command.
    pub(crate) fn connect(&mut self, id: u32, size: (u16, u16), argv: &[&str]) {
        let hello = Hello {
            manner: Manner::Command,
            pid: id,
            uid: 0,
            tty: format!("/dev/tty{id}"),
            term: "xterm-256color".into(),
            features: Vec::new(),
            utf8: true,
            size: Some(size),
            cwd: "/".into(),
            environment: Vec::new(),
            argv: argv.iter().map(|word| (*word).to_owned()).collect(),
            rove: false,
            read_only: false,
            started_server: false,
        };
        self.handle(Input::ClientConnected(ClientId(id), Box::new(hello)));
    }

    /// Something happens.
    pub(crate) fn handle(&mut self, input: Input<'_>) {
        self.mux.handle(self.now, &mut self.world, input);
        while self.mux.poll_effect().is_some() {}
        while self.mux.poll_event().is_some() {}
    }

    /// A command from a client of its own.
    pub(crate) fn run(&mut self, argv: &[&str]) {
        self.commands += 1;
        let id = self.commands;
        self.connect(id, (80, 24), argv);
        self.handle(Input::ClientGone(ClientId(id)));
    }

    /// The program of a pane writes.
    pub(crate) fn write(&mut self, pane: u32, bytes: &[u8]) {
        self.handle(Input::PaneOutput(PaneId(pane), bytes));
    }
}
