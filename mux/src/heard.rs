//! What the model has heard so far of what goes on in it: monitors and what they saw last, how often hooks ran, what
//! shells told of their commands, which buffers are being edited. It outlives the server, and not the programs.

use crate::id::PaneId;
use crate::input::Now;
use crate::monitor::Monitor;
use crate::overlay::Editor;
use crate::pane::Shell;
use crate::timer::Timer;
use crate::values::OptionScope;
use crate::{Mux, hook::Runs};
use serde::{Deserialize, Serialize};

/// What was heard, as data.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heard {
    monitors: Vec<Monitor>,
    /// User options that were set as hooks.
    own_hooks: Vec<String>,
    runs: Vec<(OptionScope, String, Runs)>,
    shells: Vec<(PaneId, Shell)>,
    /// The pane of an editor, the file it was given, the buffer in that, and the pane whose list it was opened from.
    editors: Vec<(PaneId, String, String, PaneId)>,
}

impl Mux {
    /// What was heard so far.
    pub fn heard(&self) -> Heard {
        let told = self.panes.values().filter(|pane| pane.shell_marks != Shell::default());
        Heard {
            monitors: self.monitors.iter().cloned().collect(),
            own_hooks: self.hooks.users.iter().cloned().collect(),
            runs: self.hooks.all_runs(),
            shells: told.map(|pane| (pane.id, pane.shell_marks)).collect(),
            editors: self.editors.iter().filter_map(|(pane, editor)| editor.saved(*pane)).collect(),
        }
    }

    /// Put back what [`Mux::heard`] gave, when sessions, windows and panes are there.
    pub fn set_heard(&mut self, now: Now, heard: Heard) {
        if !heard.monitors.is_empty() {
            self.timers.set_once(Timer::Monitors, now.instant);
        }
        self.monitors.put_back(heard.monitors);
        self.hooks.users = heard.own_hooks.into_iter().collect();
        self.hooks.put_back(heard.runs);
        for (id, shell) in heard.shells {
            if let Some(pane) = self.panes.get_mut(&id) {
                pane.shell_marks = shell;
            }
        }
        let editors = heard.editors.into_iter().filter(|(pane, ..)| self.panes.contains_key(pane));
        let editors: Vec<_> =
            editors.map(|(pane, path, buffer, list)| (pane, Editor::of_buffer(path, buffer, list))).collect();
        self.editors.extend(editors);
    }

    /// Something was heard that a next server shall know, and that shows nowhere.
    pub(crate) fn heard_more(&mut self) {
        self.structure += 1;
    }
}
