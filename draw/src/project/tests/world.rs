//! A model to draw: a session `main` whose window `win` has a pane `title`, at noon.

use mux::fake::Bench;
use mux::{Face, PaneId};

/// A model with its world.
pub(crate) struct Server(Bench);

impl std::ops::Deref for Server {
    type Target = Bench;

    fn deref(&self) -> &Bench {
        &self.0
    }
}

impl std::ops::DerefMut for Server {
    fn deref_mut(&mut self) -> &mut Bench {
        &mut self.0
    }
}

impl Server {
    /// A model with session `main` on client 1 of this size: window `win`, its pane `title` shows `hello`.
    pub(crate) fn new(size: (u16, u16)) -> Server {
        let mut server = Server(Bench::new(Face::Tmux));
        server.connect(size, &["new-session", "-s", "main", "-n", "win", "cat"]);
        server.run(&["select-pane", "-T", "title"]);
        server.write(0, b"hello\r\n");
        server
    }

    /// A client connects with a command; clients are counted from 1.
    pub(crate) fn connect(&mut self, size: (u16, u16), argv: &[&str]) -> mux::ClientId {
        self.0.terminal(size, argv)
    }

    /// A command from a client of its own.
    pub(crate) fn run(&mut self, argv: &[&str]) {
        self.0.run(argv);
    }

    /// The program of a pane writes.
    pub(crate) fn write(&mut self, pane: u32, bytes: &[u8]) {
        self.0.output(PaneId(pane), bytes);
    }
}
