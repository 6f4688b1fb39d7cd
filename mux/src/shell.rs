//! What shells tell of their prompts and commands (OSC 133).

use crate::Mux;
use crate::id::PaneId;
use crate::input::Now;
use crate::pane::Shell;
use crate::payload::Payload;
use term::PromptMark;

impl Mux {
    /// A shell set a mark.
    pub(crate) fn shell_told(&mut self, now: Now, id: PaneId, mark: PromptMark) {
        self.heard_more();
        let Some(pane) = self.panes.get_mut(&id) else { return };
        let time = now.seconds();
        match mark {
            PromptMark::Prompt => {
                pane.shell_marks.prompted = Some(time);
                self.fire_pane("pane-shell-prompt", id);
            }
            PromptMark::Output => {
                let prompted = pane.shell_marks.prompted;
                pane.shell_marks = Shell { prompted, started: Some(time), running: true, ..Shell::default() };
                self.fire_command("pane-command-started", now, id);
            }
            PromptMark::End(status) => {
                let marks = &mut pane.shell_marks;
                (marks.ended, marks.running, marks.status) = (Some(time), false, Some(status.unwrap_or(0)));
                self.fire_command("pane-command-finished", now, id);
            }
            PromptMark::Command => {}
        }
    }

    /// An event of a command of a pane's shell.
    fn fire_command(&mut self, name: &str, now: Now, id: PaneId) {
        let Some(shell) = self.panes.get(&id).map(|pane| pane.shell_marks) else { return };
        let payload = self.pane_payload(id);
        let mut payload = Payload::at(payload.found).place(self).with("pane", id);
        if let Some(status) = shell.status {
            payload = payload.with("command_status", status);
        }
        if let Some(ended) = shell.ended {
            payload = payload.with("command_end_time", ended);
        }
        if let Some(started) = shell.started {
            let end = if shell.running { now.seconds() } else { shell.ended.unwrap_or(started) };
            payload = payload.with("command_start_time", started).with("command_duration", (end - started).max(0));
        }
        self.fire(name, payload);
    }
}
