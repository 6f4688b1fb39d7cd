//! The numbers of the panes over a client's screen: how long they are there, and what their keys do.

use crate::Mux;
use crate::client::Overlay;
use crate::id::{ClientId, PaneId, WindowId};
use crate::input::Now;
use crate::queue::{Context, Flow, State, Wait};
use crate::timer::Timer;
use keymap::{Key, KeyCode};
use std::rc::Rc;
use std::time::Duration;

/// What is done with the number that is typed.
#[derive(Debug, Clone)]
pub struct Numbers {
    /// The command for the chosen pane, `%%` standing for it.
    pub(crate) template: String,
    /// A number chooses a pane; without it any key is as if nothing were shown.
    pub(crate) takes_keys: bool,
    /// The queue of the command waits for the choice.
    pub(crate) waits: bool,
    pub(crate) state: Rc<State>,
}

/// The number that a key stands for: a digit, or a letter behind them.
pub(crate) fn number_of(key: Key) -> Option<u32> {
    match key.code() {
        KeyCode::Char(c @ ('0'..='9' | 'a'..='z')) if key.modifiers().is_empty() => c.to_digit(36),
        _ => None,
    }
}

impl Mux {
    /// Show the numbers; for ever when there is no time.
    pub(crate) fn show_numbers(&mut self, now: Now, id: ClientId, numbers: Numbers, ms: u64) -> Flow {
        let waits = numbers.waits;
        self.set_overlay(id, Overlay::PaneNumbers(Box::new(numbers)));
        if ms > 0 {
            self.timers.set(Timer::Overlay(id), now.instant + Duration::from_millis(ms));
        }
        self.redraw();
        if waits { Flow::Wait(Wait::Numbers(id)) } else { Flow::Done }
    }

    /// The pane of a window with this number, as the window numbers them.
    pub(crate) fn pane_numbered(&self, window: WindowId, number: u32) -> Option<PaneId> {
        let window = self.windows.get(&window)?;
        let at = i64::from(number) - self.window_number(window, "pane-base-index");
        window.panes().get(usize::try_from(at).ok()?).copied()
    }

    /// A key while the numbers are shown: they go, and a number's pane is chosen. False for a key that means what it means
    /// otherwise.
    pub(super) fn number_key(&mut self, context: &mut Context<'_>, id: ClientId, key: Key) -> bool {
        let overlay = self.clients.get_mut(&id).and_then(|client| client.overlay.take());
        let Some(Overlay::PaneNumbers(numbers)) = overlay else { return false };
        let session = self.clients.get(&id).and_then(|client| client.session);
        let window = session.and_then(|session| self.sessions.get(&session)?.current_window());
        let number = number_of(key).filter(|_| numbers.takes_keys);
        let chosen =
            window.zip(number).and_then(|(window, number)| Some((window, self.pane_numbered(window, number)?)));
        if let Some((window, pane)) = chosen {
            self.unzoom(window);
            self.number_chosen(context, id, &numbers, pane);
        }
        self.update_client_focus(id);
        self.wake(&Wait::Numbers(id));
        self.timers.cancel(Timer::Overlay(id));
        self.redraw();
        number.is_some()
    }

    /// The command is put in front of the queue that waits, or at the end of the client's.
    fn number_chosen(&mut self, context: &mut Context<'_>, id: ClientId, numbers: &Numbers, pane: PaneId) {
        let text = crate::command::template::replace_all(&numbers.template, &[pane.to_string()]);
        match (self.commands(&text, None, context.world), numbers.waits) {
            (Err(error), _) => self.show_message(context.now, id, error, None),
            (Ok(commands), false) => self.run_binding(context, id, &commands),
            (Ok(commands), true) => {
                let items = self.queues.items(&commands, &numbers.state);
                self.queues.wake_with(&Wait::Numbers(id), items);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::client::Overlay;
    use crate::fake::Bench;
    use crate::{ClientId, Face, PaneId};
    use std::time::Duration;

    fn bench() -> (Bench, ClientId) {
        let mut bench = Bench::new(Face::Tmux);
        let client = bench.terminal((80, 24), &["new-session", "-s", "a", "cat"]);
        bench.lines(&["split-window -h", "set -g @after no"]);
        (bench, client)
    }

    fn shown(bench: &Bench, client: ClientId) -> bool {
        matches!(bench.mux.clients[&client].overlay, Some(Overlay::PaneNumbers(_)))
    }

    #[test]
    fn a_number_chooses_a_pane_and_its_shell_has_waited() {
        let (mut bench, client) = bench();
        let shell = bench.start(&["display-panes", "display-message -p 'pane %%'", ";", "set", "-g", "@after", "yes"]);
        assert!(shown(&bench, client));
        assert_eq!((bench.ran(shell).status, bench.line("show -gv @after")), (None, "no".to_owned()));
        bench.keys(client, b"1");
        assert_eq!((bench.ran(shell).stdout.as_str(), bench.ran(shell).status), ("pane %1\n", Some(0)));
        assert_eq!(bench.line("show -gv @after"), "yes");
        // With -b nobody waits. Indexes count from where the window counts, zoomed or not.
        bench.lines(&["set -g pane-base-index 1", "resize-pane -Z"]);
        let shell = bench.start(&["display-panes", "-b"]);
        assert_eq!(bench.ran(shell).status, Some(0));
        bench.keys(client, b"1");
        assert_eq!(bench.mux.active_pane_of(client), Some(PaneId(0)));
        assert_eq!(bench.format("", "#{window_zoomed_flag}"), "0");
    }

    #[test]
    fn other_keys_and_time_end_it() {
        let (mut bench, client) = bench();
        bench.typed(PaneId(1));
        let shell = bench.start(&["display-panes", "-d", "0"]);
        bench.advance(Duration::from_secs(100));
        assert!(shown(&bench, client), "without a time it stays");
        bench.keys(client, b"X");
        assert_eq!((shown(&bench, client), bench.ran(shell).status), (false, Some(0)));
        assert_eq!(bench.typed(PaneId(1)), b"X", "and the key means what it means");
        bench.line("display-panes -b");
        bench.keys(client, b"7");
        assert_eq!(
            (shown(&bench, client), bench.typed(PaneId(1))),
            (false, Vec::new()),
            "a number of no pane is taken"
        );
        bench.line("display-panes -bN");
        bench.keys(client, b"0");
        assert_eq!((shown(&bench, client), bench.typed(PaneId(1))), (false, b"0".to_vec()));
        let shell = bench.start(&["display-panes", "-d", "200"]);
        bench.advance(Duration::from_millis(300));
        assert_eq!((shown(&bench, client), bench.ran(shell).status), (false, Some(0)));
        let shell = bench.start(&["display-panes", "-d", "0"]);
        bench.line("detach-client");
        assert_eq!(bench.ran(shell).status, Some(0));
    }
}
