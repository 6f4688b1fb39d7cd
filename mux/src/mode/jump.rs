//! Jumping to a character of the line (vi's f, F, t and T).

use super::Mode;
use super::reader::{Edge, Reader};

/// Which jump.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Forward,
    Backward,
    ToForward,
    ToBackward,
}

impl Kind {
    fn reversed(self) -> Kind {
        match self {
            Kind::Forward => Kind::Backward,
            Kind::Backward => Kind::Forward,
            Kind::ToForward => Kind::ToBackward,
            Kind::ToBackward => Kind::ToForward,
        }
    }
}

/// The last jump, which `jump-again` repeats.
#[derive(Clone, Debug)]
pub(super) struct Jump {
    pub(super) kind: Kind,
    /// The character.
    pub(super) to: String,
}

impl Mode {
    pub(super) fn start_jump(&mut self, kind: Kind, text: &str, times: usize) {
        let Some(first) = text.chars().next() else { return };
        self.jump = Some(Jump { kind, to: first.to_string() });
        self.jump_again(times, false);
    }

    pub(super) fn jump_again(&mut self, times: usize, reverse: bool) {
        let Some(Jump { kind, to }) = self.jump.clone() else { return };
        let kind = if reverse { kind.reversed() } else { kind };
        self.repeated(times, |mode| mode.jump_once(kind, &to));
    }

    fn jump_once(&mut self, kind: Kind, to: &str) {
        let (x, row) = self.place();
        let edge = if self.settings.vi { Edge::Character } else { Edge::After };
        let start = match kind {
            Kind::Forward => (x + 1, row),
            Kind::ToForward => (x + 2, row),
            Kind::Backward | Kind::ToBackward => (x, row),
        };
        let mut reader = Reader::new(&self.page, start);
        let found = match kind {
            Kind::Forward | Kind::ToForward => reader.jump(to),
            Kind::Backward => {
                reader.left(false);
                reader.jump_back(to)
            }
            Kind::ToBackward => {
                reader.left(false);
                reader.left(false);
                reader.jump_back(to)
            }
        };
        if !found {
            return;
        }
        match kind {
            Kind::ToForward => reader.left(true),
            Kind::ToBackward => reader.right(true, edge),
            Kind::Forward | Kind::Backward => {}
        }
        let to = reader.place();
        match kind {
            Kind::Forward | Kind::ToForward => self.acquire_down(to, false),
            Kind::Backward | Kind::ToBackward => self.acquire_up(to),
        }
    }
}
