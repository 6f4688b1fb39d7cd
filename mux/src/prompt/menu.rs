//! The menu of what the word at the cursor of a prompt can become.

use super::complete::{Choice, Completion};
use super::line::Step;
use super::{Prompt, Seat};
use crate::Mux;
use crate::id::ClientId;
use crate::overlay::{Menu, Owner};
use crate::queue::State;
use crate::style::{Align, Markup, Width, plain_width};
use keymap::Key;
use std::rc::Rc;

/// Most choices that are shown.
const ROWS: u16 = 10;

/// First column and columns of messages and prompts on a client so wide: `width=` and `align=` of message-style.
pub fn area(style: &Markup, cols: u16) -> (u16, u16) {
    let whole = u32::from(cols);
    let wide = match style.width {
        None => whole,
        Some(Width::Columns(columns)) => columns,
        Some(Width::Percent(percent)) => whole * u32::from(percent) / 100,
    };
    let wide = if wide == 0 || wide > whole { cols } else { wide as u16 };
    let x = match style.align {
        Align::Centre | Align::AbsoluteCentre => (cols - wide) / 2,
        Align::Right => cols - wide,
        Align::Default | Align::Left => 0,
    };
    (x, wide)
}

impl Mux {
    /// Complete the word at the cursor as far as that is clear; where it is not, open a menu.
    pub(super) fn complete(&mut self, typist: Option<ClientId>, seat: Seat, prompt: &mut Prompt) -> Step {
        let client = match seat {
            Seat::Client(id) => Some(id),
            Seat::Pane(_) => typist,
        };
        let rows = client.map_or(0, |client| self.rows_for_choices(client));
        match self.completion(prompt, self.session_of_seat(seat), usize::from(rows)) {
            Completion::Nothing => Step::Stay,
            Completion::Text(text) => {
                prompt.replace_word(&text);
                Step::Changed('=')
            }
            Completion::Choices(choices) => {
                if let Some(client) = client.filter(|_| !choices.is_empty()) {
                    self.show_choices(client, seat, prompt, choices);
                }
                Step::Stay
            }
        }
    }

    fn rows_for_choices(&self, id: ClientId) -> u16 {
        let Some(client) = self.clients.get(&id).filter(|client| client.is_drawn()) else { return 0 };
        let lines = u16::try_from(self.client_status_lines(client)).unwrap_or(u16::MAX);
        client.size.map_or(0, |size| size.1.saturating_sub(lines).saturating_sub(2)).min(ROWS)
    }

    fn show_choices(&mut self, id: ClientId, seat: Seat, prompt: &Prompt, choices: Vec<Choice>) {
        let Some(size) = self.clients.get(&id).and_then(|client| client.size) else { return };
        let mut menu = Menu::new(String::new(), Owner::Completion(seat), Rc::new(State::default()));
        (menu.mouse, menu.tab) = (false, true);
        for (key, choice) in ('0'..='9').zip(choices) {
            menu.add(&choice.name, Some(Key::char(key)), choice.text, size.0);
        }
        if size.0 < menu.size().0 || size.1 < menu.size().1 {
            return;
        }
        menu.at = self.place_for_choices(id, seat, prompt, menu.size().1);
        menu.fit(size);
        menu.start_at(0);
        self.show_menu(id, menu);
    }

    /// Next to the line of the prompt, below or above the word.
    fn place_for_choices(&self, id: ClientId, seat: Seat, prompt: &Prompt, height: u16) -> (u16, u16) {
        let Some(client) = self.clients.get(&id) else { return (0, 0) };
        let (Some(session), Some((cols, rows))) = (client.session, client.size) else { return (0, 0) };
        let from = prompt.word().map_or(0, |(from, _)| from);
        let has_flag = matches!(prompt.input.get(from..from + 2), Some(['-', 't' | 's']));
        let flag = if has_flag && !prompt.history.ends_with("target") { 2 } else { 0 };
        let word = plain_width(prompt.question()) + from + flag;
        let word = u16::try_from(word).unwrap_or(u16::MAX);
        let at_top = self.session_text(session, "status-position") == "top";
        let lines = u16::try_from(self.client_status_lines(client)).unwrap_or(u16::MAX);
        let beside = |line: u16| if at_top { line.saturating_add(1) } else { line.saturating_sub(height) };
        let (left, y) = match seat {
            Seat::Client(_) => {
                let style = Markup::parse(&self.session_text(session, "message-style")).unwrap_or_default();
                let y = if at_top { lines } else { beside(rows.saturating_sub(1)) };
                (area(&style, cols).0, y)
            }
            Seat::Pane(pane) => {
                let rect = self.panes.get(&pane).and_then(|pane| self.windows.get(&pane.window)?.rect(pane.id));
                let Some(rect) = rect else { return (0, 0) };
                let row = if at_top { 0 } else { i64::from(rect.height) - 1 };
                let on_client = |at: i64, view: u32| u16::try_from((at - i64::from(view)).max(0)).unwrap_or(u16::MAX);
                let line = on_client(i64::from(rect.y) + row + i64::from(self.window_top(id)), client.view.1);
                (on_client(rect.x.into(), client.view.0), beside(line))
            }
        };
        (left.saturating_add(word).saturating_sub(2), y)
    }

    /// One of the choices was taken.
    pub(crate) fn completion_chosen(&mut self, seat: Seat, text: &str) {
        let Some(mut prompt) = self.seat_prompt(seat, None) else { return };
        match prompt.history.as_str() {
            "window-target" => prompt.set_text(text),
            _ => prompt.replace_word(text),
        }
        self.seat_prompt(seat, Some(prompt));
    }
}

#[cfg(test)]
mod tests {
    use crate::client::Overlay;
    use crate::fake::Bench;
    use crate::overlay::Menu;
    use crate::{ClientId, Face};

    fn bench() -> (Bench, ClientId) {
        let mut bench = Bench::new(Face::Tmux);
        let client = bench.terminal((80, 24), &["new-session", "-s", "alpha", "-n", "one", "cat"]);
        bench.lines(&["new-session -d -s beta -n two", "new-window -t beta:7 -n three"]);
        (bench, client)
    }

    fn shown(bench: &Bench, client: ClientId) -> Option<&Menu> {
        match &bench.mux.clients[&client].overlay {
            Some(Overlay::Menu(menu)) => Some(menu),
            _ => None,
        }
    }

    fn names(bench: &Bench, client: ClientId) -> Vec<String> {
        let menu = shown(bench, client).expect("a menu is open");
        menu.items.iter().map(|item| item.text.split("#[").next().unwrap_or("").to_owned()).collect()
    }

    fn typed(bench: &Bench, client: ClientId) -> String {
        bench.mux.clients[&client].prompt.as_ref().expect("a prompt is open").text()
    }

    #[test]
    fn where_a_word_can_become_several_a_menu_opens() {
        let (mut bench, client) = bench();
        bench.keys(client, b"\x02:select-\t");
        assert_eq!(names(&bench, client), ["select-layout", "select-pane", "select-window"]);
        let menu = shown(&bench, client).expect("a menu is open");
        assert_eq!((menu.at, menu.choice), ((0, 18), Some(0)));
        bench.keys(client, b"\t\r");
        assert_eq!((typed(&bench, client).as_str(), shown(&bench, client).is_none()), ("select-pane", true));
        // The word alone is replaced; ten of many are shown, the last ones.
        bench.keys(client, b"\x15foo set\t2");
        assert_eq!(typed(&bench, client), "foo set-hook");
        bench.keys(client, b"\x15x s\t");
        assert_eq!(names(&bench, client).len(), 10);
        assert_eq!(shown(&bench, client).expect("a menu is open").at, (1, 11));
    }

    #[test]
    fn targets_are_chosen_by_session_and_window() {
        let (mut bench, client) = bench();
        bench.keys(client, b"\x02:kill-session -t\t");
        assert_eq!(names(&bench, client), ["alpha:", "beta:"]);
        assert_eq!(shown(&bench, client).expect("a menu is open").at, (14, 19));
        bench.keys(client, b"1\t");
        assert_eq!(typed(&bench, client), "kill-session -tbeta:");
        assert_eq!(names(&bench, client), ["beta:0 (two)", "beta:7 (three)"]);
        bench.keys(client, b"j\r");
        assert_eq!(typed(&bench, client), "kill-session -tbeta:7");
        bench.keys(client, b"\x15kill-session -t$\t");
        assert_eq!(names(&bench, client), ["$0:", "$1:"]);
        bench.keys(client, b"q\x03");
        bench.line("command-prompt -b -T window-target -p index ''");
        bench.line("new-window -d -n four");
        bench.keys(client, b"x y\t");
        assert!(shown(&bench, client).is_none());
        bench.keys(client, b"\x15\t");
        assert_eq!(names(&bench, client), ["0 (one)", "1 (four)"]);
        bench.keys(client, b"1");
        assert_eq!(typed(&bench, client), "1");
    }

    #[test]
    fn a_menu_of_choices_goes_by_tab_backspace_and_the_mouse() {
        let (mut bench, client) = bench();
        let open = |bench: &mut Bench| bench.keys(client, b"\x15select-\t");
        bench.keys(client, b"\x02:");
        open(&mut bench);
        bench.keys(client, b"\t\t\t");
        assert!(shown(&bench, client).is_none(), "Tab behind the last one closes it");
        open(&mut bench);
        bench.keys(client, b"\x7f");
        assert_eq!((shown(&bench, client).is_none(), typed(&bench, client).as_str()), (true, "select-"));
        open(&mut bench);
        bench.keys(client, b"\x1b[<2;70;2M");
        assert!(shown(&bench, client).is_none(), "and so does a button that is not the first");
        bench.line("set -g status-position top");
        open(&mut bench);
        assert_eq!(shown(&bench, client).expect("a menu is open").at, (0, 1));
    }

    #[test]
    fn a_prompt_over_a_pane_has_its_menu_beside_it() {
        let (mut bench, client) = bench();
        bench.line("split-window -v");
        bench.line("command-prompt -bP -t %0");
        bench.line("command-prompt -bP");
        bench.keys(client, b"select-\t");
        assert_eq!(shown(&bench, client).expect("a menu is open").at, (0, 17));
        bench.keys(client, b"1");
        let pane = bench.mux.active_pane_of(client).expect("there is a pane");
        let prompt = bench.mux.panes[&pane].prompt.as_ref().expect("a prompt is open");
        assert_eq!(prompt.text(), "select-pane");
    }
}
