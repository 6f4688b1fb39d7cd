//! What options and the attached terminals mean for the terminals of panes.

use crate::effect::{Effect, Mark};
use crate::style::{Colour, Look, Markup};
use crate::{Face, Mux, PaneId};
use term::settings::ExtendedKeys;
use term::style::Color;
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
    "window-active-style",
    "window-style",
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

    /// Panes keep as much history as their sessions say from now on; what is over goes.
    pub(crate) fn touch_history_limits(&mut self) {
        let sessions = self.sessions.values().map(|session| (session.id, session.windows.values()));
        let windows = sessions.flat_map(|(session, links)| links.map(move |link| (session, link.window)));
        let windows: Vec<_> = windows.collect();
        for (session, window) in windows {
            let limit = self.session_number(session, "history-limit").clamp(0, i64::from(u32::MAX)) as u32;
            let panes = self.windows.get(&window).map_or(Vec::new(), |window| window.panes().to_vec());
            for id in panes {
                let pane = self.panes.get_mut(&id).filter(|pane| pane.terminal.history_limit() != limit);
                if let Some(pane) = pane {
                    pane.terminal.set_history_limit(limit);
                    // Another server must not get back what has gone.
                    self.effect(Effect::MarkPane(id, Mark::Replaced));
                }
            }
        }
    }

    /// Tell the terminals of all panes what they go by.
    pub(crate) fn touch_terminals(&mut self) {
        let panes: Vec<PaneId> = self.panes.keys().copied().collect();
        for id in panes {
            self.touch_terminal(id);
        }
    }

    /// The foreground and background that window-style and window-active-style give a pane. Formats in them can't be told.
    fn style_colours(&self, id: PaneId) -> (Option<Color>, Option<Color>) {
        let active = self.panes.get(&id).and_then(|pane| self.windows.get(&pane.window)).map(|window| window.active);
        let names: &[&str] =
            if active == Some(id) { &["window-active-style", "window-style"] } else { &["window-style"] };
        let looks: Vec<Look> = names
            .iter()
            .filter_map(|name| Markup::parse(&self.pane_text(id, name)).ok())
            .map(|markup| markup.look)
            .collect();
        let first = |part: fn(&Look) -> Colour| {
            looks.iter().map(part).find(|colour| *colour != Colour::Default).map(Colour::of_cell)
        };
        (first(|look| look.fg), first(|look| look.bg))
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
        let style = self.style_colours(id);
        let (fg, bg) = (style.0.or(fg), style.1.or(bg));
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
        settings.fg = fg;
        settings.bg = bg;
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
    fn programs_are_told_the_colours_of_their_pane() {
        let mut bench = Bench::new(Face::Tmux);
        bench.line("new-session -d -s one cat");
        let asks = |bench: &mut Bench, code: u8| {
            bench.typed(PaneId(0));
            bench.output(PaneId(0), format!("\x1b]{code};?\x07").as_bytes());
            String::from_utf8_lossy(&bench.typed(PaneId(0))).into_owned()
        };
        assert_eq!(asks(&mut bench, 11), "");
        bench.lines(&["set -g window-style fg=red,bg=#000102", "set -g cursor-colour green"]);
        assert_eq!(asks(&mut bench, 10), "\x1b]10;rgb:8080/0000/0000\x07");
        assert_eq!(asks(&mut bench, 11), "\x1b]11;rgb:0000/0101/0202\x07");
        assert_eq!(asks(&mut bench, 12), "\x1b]12;rgb:0000/8080/0000\x07");
        bench.line("set -g window-active-style bg=#030405");
        assert_eq!(asks(&mut bench, 11), "\x1b]11;rgb:0303/0404/0505\x07");
        bench.line("split-window cat");
        assert_eq!(asks(&mut bench, 11), "\x1b]11;rgb:0000/0101/0202\x07");
        bench.line("set -g pane-colours[1] '#0a0b0c'");
        bench.output(PaneId(0), b"\x1b]4;1;?\x07");
        assert_eq!(bench.typed(PaneId(0)), b"\x1b]4;1;rgb:0a0a/0b0b/0c0c\x07");
    }

    #[test]
    fn shapes_have_numbers() {
        assert_eq!((cursor_style("default"), cursor_style("bar"), cursor_style("nonsense")), (0, 6, 0));
    }
}
