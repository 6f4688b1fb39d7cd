//! What outlives this server: the model in the host's memory, and records on disk.

use super::live::Live;
use mux::{Exit, Mux, Now, PaneId, Stale};
use std::time::Instant;

/// What has been kept, and what is stale.
pub(super) struct Keeper {
    /// The model's count of changes when it was last put into the host's memory.
    structure: Option<u64>,
    baseline: persist::state::Baseline,
}

impl Keeper {
    pub(super) fn new() -> Keeper {
        Keeper { structure: None, baseline: persist::state::Baseline::default() }
    }

    /// The configuration has been read: what it set need not be saved.
    pub(super) fn open(&mut self, mux: &mut Mux, _live: &mut Live, _now: Now) {
        self.baseline = persist::save::baseline(mux);
    }

    /// The model is one that a server before this one kept.
    pub(super) fn adopted(&mut self, baseline: persist::state::Baseline) {
        self.baseline = baseline;
    }

    /// When [`Keeper::turn`] wants to be called at the latest.
    pub(super) fn deadline(&self) -> Option<Instant> {
        None
    }

    /// A pane wrote.
    pub(super) fn wrote(&mut self, _pane: PaneId) {}

    /// A pane's program ended.
    pub(super) fn exited(&mut self, _mux: &Mux, _pane: PaneId, _exit: Exit, _now: Now) {}

    /// Something was closed on purpose.
    pub(super) fn forget(&mut self, _stale: Stale) {}

    /// The end of a turn: put the model into the host's memory when it changed.
    pub(super) fn turn(&mut self, mux: &Mux, live: &mut Live, _now: Now) {
        if self.structure == Some(mux.structure) || !mux.configured {
            return;
        }
        self.structure = Some(mux.structure);
        let _ = live.host.state().write(&persist::save::state(mux, &self.baseline));
    }

    /// Another server takes over: everything is put where it finds it.
    pub(super) fn hand_over(&mut self, mux: &Mux, live: &mut Live, now: Now) {
        self.structure = None;
        self.turn(mux, live, now);
    }

    /// The server stops and is to come back: everything is put on disk.
    pub(super) fn freeze(&mut self, _mux: &Mux, _now: Now) {}

    /// The server ends on purpose: nothing is kept.
    pub(super) fn forget_all(&mut self) {}
}
