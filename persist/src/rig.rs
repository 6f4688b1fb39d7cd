//! A model for tests, on a bench: commands are run on it as a client would.

use mux::fake::Bench;
use mux::{Effect, Face, Mux, PaneId};

pub use mux::fake::empty;

/// A model and its world.
pub struct Rig {
    bench: Bench,
}

impl std::ops::Deref for Rig {
    type Target = Bench;

    fn deref(&self) -> &Bench {
        &self.bench
    }
}

impl std::ops::DerefMut for Rig {
    fn deref_mut(&mut self) -> &mut Bench {
        &mut self.bench
    }
}

impl Rig {
    pub fn new(face: Face) -> Rig {
        Rig { bench: Bench::new(face) }
    }

    /// The model alone.
    pub fn into_mux(self) -> Mux {
        self.bench.mux
    }

    /// Runs a command as `tmux WORDS` does. Gives what is to be done for it.
    pub fn run(&mut self, words: &[&str]) -> Vec<Effect> {
        self.bench.effects.clear();
        self.bench.now.instant += std::time::Duration::from_millis(1);
        self.bench.run(words);
        self.bench.events.clear();
        std::mem::take(&mut self.bench.effects)
    }

    /// The whole model's command lines, each a text of words with blanks between.
    pub fn lines(&mut self, lines: &[&str]) {
        for line in lines {
            let words: Vec<&str> = line.split(' ').collect();
            self.run(&words);
        }
    }

    pub fn output(&mut self, pane: u32, bytes: &[u8]) {
        self.bench.output(PaneId(pane), bytes);
    }
}
