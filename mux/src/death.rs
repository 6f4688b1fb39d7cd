//! What the end of a pane's program does: the pane stays and says so, gets another program, or goes.

use crate::Mux;
use crate::effect::Effect;
use crate::event::Event;
use crate::id::PaneId;
use crate::input::{Exit, Now};
use crate::pane::Program;
use crate::queue::Wait;
use crate::world::World;

impl Mux {
    /// A pane's program ended.
    pub(crate) fn pane_exited(&mut self, now: Now, world: &mut dyn World, id: PaneId, exit: Exit) {
        // An end may be told twice: by the pty and by the host, and once more to a server that took over.
        if self.popups.contains_key(&id) {
            return self.popup_exited(id, exit);
        }
        let Some(pane) = self.panes.get_mut(&id).filter(|pane| pane.running()) else { return };
        pane.pid = 0;
        pane.program = Program::Dead(exit, now.unix);
        self.wake(&Wait::Pane(id));
        let edited = self.editor_exited(world, now, id, exit);
        let failed = exit != Exit::Status(0);
        let remain = self.pane_text(id, "remain-on-exit");
        if !edited && (matches!(remain.as_str(), "on" | "key") || (remain == "failed" && failed)) {
            self.show_death(now, world, id);
            self.changed();
            self.event_with(Event::PaneDied(id), &ended(exit));
            return;
        }
        let window = self.panes.get(&id).map(|pane| pane.window).unwrap_or_default();
        self.event_with(Event::PaneExited(id, window), &ended(exit));
        if edited || !self.recycle(now, world, id) {
            self.close_pane(now, id);
        }
    }

    /// A key for a pane whose program ended closes it, when it stays until then (`remain-on-exit key`). True when it did.
    pub(crate) fn close_dead(&mut self, now: Now, id: PaneId) -> bool {
        let waits =
            self.panes.get(&id).is_some_and(crate::pane::Pane::dead) && self.pane_text(id, "remain-on-exit") == "key";
        if waits {
            self.close_pane(now, id);
        }
        waits
    }

    /// Write what `remain-on-exit-format` says on the last line of a dead pane.
    fn show_death(&mut self, now: Now, world: &dyn World, id: PaneId) {
        let format = self.pane_text(id, "remain-on-exit-format");
        if format.is_empty() {
            return;
        }
        let text = self.expand_for_pane(&format, id, world, now);
        let Some(pane) = self.panes.get_mut(&id) else { return };
        let rows = pane.terminal.size().rows;
        let text: String = plain(&text).chars().filter(|c| !c.is_control()).collect();
        pane.terminal.feed(format!("\x1b[r\x1b[{rows};1H\r\n{text}").as_bytes());
        pane.terminal.take_events();
        // No program wrote that, so only the screen itself can tell another server.
        self.effect(Effect::MarkPane(id, crate::Mark::Replaced));
    }
}

/// What hooks are told of how a program ended.
fn ended(exit: Exit) -> [(&'static str, String); 2] {
    let how = match exit {
        Exit::Status(status) => ("exit_status", status.to_string()),
        Exit::Signal(signal) => ("exit_signal", signal.to_string()),
    };
    [how, ("exit_success", u8::from(exit == Exit::Status(0)).to_string())]
}

/// A text without its styles.
fn plain(text: &str) -> String {
    crate::style::runs(text, crate::style::Look::default()).into_iter().map(|run| run.text).collect()
}
