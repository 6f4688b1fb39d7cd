//! What options and the attached terminals mean for the terminals of panes.

use crate::style::Colour;
use crate::{Face, Mux, PaneId};
use term::settings::ExtendedKeys;
use term::width::OwnWidth;

/// The options that a pane's terminal goes by.
const OPTIONS: &[&str] = &[
    "allow-set-title",
    "alternate-screen",
    "cursor-colour",
    "cursor-style",
    "extended-keys",
    "input-buffer-size",
    "scroll-on-clear",
    "variation-selector-always-wide",
];

impl Mux {
    /// True for an option that [`Mux::touch_terminal`] passes on.
    pub(crate) fn shapes_terminals(name: &str) -> bool {
        OPTIONS.contains(&name)
    }

    /// The user's own widths of code points count from now on.
    pub(crate) fn touch_widths(&mut self) {
        let chain = [&self.globals.server];
        let items = crate::option::chain::items(&chain, "codepoint-widths");
        term::width::set_own_widths(items.filter_map(|(_, item)| OwnWidth::parse(item)).collect());
        self.redraw();
    }

    /// Tell the terminals of all panes what they go by.
    pub(crate) fn touch_terminals(&mut self) {
        let panes: Vec<PaneId> = self.panes.keys().copied().collect();
        for id in panes {
            self.touch_terminal(id);
        }
    }

    /// Tell a pane's terminal what it goes by. Settings are no part of its state: a new or restored one needs them again.
    pub(crate) fn touch_terminal(&mut self, id: PaneId) {
        let flag = |name: &str| self.pane_flag(id, name);
        let scroll_on_clear = flag("scroll-on-clear");
        let alternate_screen = flag("alternate-screen");
        let allow_set_title = flag("allow-set-title");
        let input_buffer_size = self.globals.server.number("input-buffer-size");
        let variation_selector_wide = self.globals.server.flag("variation-selector-always-wide");
        let extended_keys = match self.globals.server.text("extended-keys").as_str() {
            "always" => ExtendedKeys::Always,
            "on" => ExtendedKeys::On,
            _ => ExtendedKeys::Off,
        };
        let cursor_colour = Colour::parse(&self.pane_text(id, "cursor-colour")).map(Colour::of_cell);
        let cursor_style = cursor_style(&self.pane_text(id, "cursor-style"));
        let reported = self.clients.values().filter(|client| client.is_drawn());
        let (fg, bg) = reported
            .map(|client| (client.terminal_fg, client.terminal_bg))
            .find(|(fg, bg)| fg.is_some() || bg.is_some())
            .unwrap_or_default();
        let beyond_tmux = self.identity.face == Face::Rove;
        let Some(pane) = self.panes.get_mut(&id) else { return };
        let settings = pane.terminal.settings_mut();
        settings.scroll_on_clear = scroll_on_clear;
        settings.alternate_screen = alternate_screen;
        settings.allow_set_title = allow_set_title;
        settings.variation_selector_wide = variation_selector_wide;
        settings.input_buffer_size = usize::try_from(input_buffer_size).unwrap_or(0);
        settings.extended_keys = extended_keys;
        settings.cursor_style = cursor_style;
        settings.cursor_colour = cursor_colour.filter(|colour| !colour.is_default());
        settings.fg = fg.or(settings.fg);
        settings.bg = bg.or(settings.bg);
        settings.beyond_tmux = beyond_tmux;
    }
}

/// The number of a cursor's shape (DECSCUSR).
fn cursor_style(name: &str) -> u8 {
    let shapes = ["default", "blinking-block", "block", "blinking-underline", "underline", "blinking-bar", "bar"];
    (0u8..).zip(shapes).find(|(_, shape)| *shape == name).map_or(0, |(number, _)| number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::Bench;

    #[test]
    fn options_reach_the_terminals_of_panes() {
        let mut bench = Bench::new(Face::Tmux);
        let settings = |bench: &mut Bench| {
            let pane = bench.mux.panes.values_mut().next().expect("a pane");
            pane.terminal.settings_mut().clone()
        };
        bench.line("new-session -d -s one");
        assert!(settings(&mut bench).alternate_screen && !settings(&mut bench).beyond_tmux);
        bench.line("set-option -g alternate-screen off");
        bench.line("set-option -s extended-keys always");
        bench.line("set-option -g cursor-style bar");
        let now = settings(&mut bench);
        assert!(!now.alternate_screen);
        assert_eq!((now.extended_keys, now.cursor_style), (ExtendedKeys::Always, 6));
        bench.line("new-window");
        let last = bench.mux.panes.keys().next_back().copied().expect("a pane");
        let pane = bench.mux.panes.get_mut(&last).expect("it was just named");
        assert_eq!(pane.terminal.settings_mut().cursor_style, 6);
    }

    #[test]
    fn shapes_have_numbers() {
        assert_eq!((cursor_style("default"), cursor_style("bar"), cursor_style("nonsense")), (0, 6, 0));
    }
}
