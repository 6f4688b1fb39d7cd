//! A model for tests, with a world of fakes around it: commands are run on it as a client would.

use mux::environment::Environment;
use mux::format::Local;
use mux::{ClientId, Effect, Face, Hello, Identity, Input, Manner, Mux, Now, PaneId, Spawn, Spawned, World};
use std::time::{Duration, Instant};

/// A world in which every program starts and nothing else is there.
#[derive(Default)]
pub struct FakeWorld {
    spawned: u32,
    random: u128,
}

impl World for FakeWorld {
    fn spawn(&mut self, _pane: PaneId, _spawn: &Spawn) -> Result<Spawned, String> {
        self.spawned += 1;
        Ok(Spawned { pid: 1000 + self.spawned, tty: format!("/dev/pts/{}", self.spawned) })
    }

    fn stop(&mut self, _pane: PaneId) {}

    fn page_store(&mut self, _pane: PaneId) -> Option<Box<dyn term::PageStore>> {
        None
    }

    fn foreground_command(&self, _pane: PaneId) -> Option<String> {
        None
    }

    fn is_at_shell(&self, _: PaneId) -> Option<bool> {
        Some(true)
    }
    fn foreground_path(&self, _pane: PaneId) -> Option<String> {
        None
    }

    fn is_directory(&self, _path: &str) -> bool {
        true
    }

    fn read_file(&self, _path: &str) -> Result<Vec<u8>, String> {
        Err("No such file or directory".into())
    }

    fn write_file(&mut self, _path: &str, _data: &[u8], _append: bool) -> Result<(), String> {
        Ok(())
    }

    fn glob(&self, _pattern: &str) -> Vec<String> {
        Vec::new()
    }

    fn home(&self, _user: Option<&str>) -> Option<String> {
        Some("/home/u".into())
    }

    fn user_name(&self, _uid: u32) -> Option<String> {
        Some("u".into())
    }

    fn host_name(&self) -> String {
        "host".into()
    }

    fn local(&self, _unix: i64) -> Local {
        Local::default()
    }

    fn is_program(&self, _path: &str) -> bool {
        true
    }

    fn real_path(&self, path: &str) -> Option<String> {
        Some(path.to_owned())
    }

    fn rename_file(&mut self, _from: &str, _to: &str) -> Result<(), String> {
        Ok(())
    }

    fn random(&mut self) -> u128 {
        self.random += 1;
        self.random << 80 | self.random
    }

    fn probe(&self, _pane: PaneId, _probe: &agents::Probe) -> Option<agents::Answer> {
        None
    }
}

/// A model and its world.
pub struct Rig {
    pub mux: Mux,
    pub world: FakeWorld,
    pub now: Now,
    clients: u32,
}

/// A model that has nothing yet.
pub fn empty(face: Face) -> Mux {
    let identity = Identity {
        face,
        socket: "/tmp/s".into(),
        pid: 1,
        uid: 1000,
        executable: "/bin/rove".into(),
        started: Duration::from_secs(1),
    };
    Mux::new(identity, Environment::from_texts(["HOME=/home/u", "SECRET=x"]))
}

impl Rig {
    pub fn new(face: Face) -> Rig {
        let now = Now { instant: Instant::now(), unix: Duration::from_secs(1_000_000) };
        Rig::of(empty(face), now)
    }

    pub fn of(mux: Mux, now: Now) -> Rig {
        let mut rig = Rig { mux, world: FakeWorld::default(), now, clients: 0 };
        rig.mux.read_config(now, &mut rig.world, &[]);
        rig
    }

    /// Runs a command as `tmux WORDS` does. Gives what is to be done for it.
    pub fn run(&mut self, words: &[&str]) -> Vec<Effect> {
        self.clients += 1;
        let client = ClientId(self.clients);
        let hello = Hello {
            manner: Manner::Command,
            pid: 2,
            uid: 1000,
            tty: String::new(),
            term: "xterm".into(),
            features: Vec::new(),
            utf8: true,
            size: None,
            cwd: "/work".into(),
            environment: vec![("PATH".into(), "/bin".into())],
            argv: words.iter().map(|word| (*word).to_owned()).collect(),
            rove: false,
            read_only: false,
            started_server: false,
        };
        self.now.instant += Duration::from_millis(1);
        self.mux.handle(self.now, &mut self.world, Input::ClientConnected(client, Box::new(hello)));
        self.mux.handle(self.now, &mut self.world, Input::ClientGone(client));
        while self.mux.poll_event().is_some() {}
        std::iter::from_fn(|| self.mux.poll_effect()).collect()
    }

    /// The whole model's command lines, each a text of words with blanks between.
    pub fn lines(&mut self, lines: &[&str]) {
        for line in lines {
            let words: Vec<&str> = line.split(' ').collect();
            self.run(&words);
        }
    }

    pub fn output(&mut self, pane: u32, bytes: &[u8]) {
        self.mux.handle(self.now, &mut self.world, Input::PaneOutput(PaneId(pane), bytes));
    }
}
