//! Light or dark: what a client's terminal says of itself, and what a pane's program is told.

use crate::effect::Effect;
use crate::id::{ClientId, PaneId};
use crate::input::Now;
use crate::style::{Colour, Markup};
use crate::world::World;
use crate::{Client, Mux, Pane};
use keymap::{TerminalReply, Theme};
use term::Modes;
use term::style::{Color, ColorKind};

/// Whether a background is light or dark.
pub(crate) fn of_background(background: Color) -> Option<Theme> {
    match background.kind() {
        ColorKind::Default => None,
        ColorKind::Ansi(8) => Some(Theme::Dark),
        _ => {
            let rgb = Colour::from_cell(background).rgb()?;
            let brightness = (rgb >> 16 & 0xff) + (rgb >> 8 & 0xff) + (rgb & 0xff);
            Some(if brightness > 382 { Theme::Light } else { Theme::Dark })
        }
    }
}

fn for_terminal(theme: Theme) -> term::settings::Theme {
    match theme {
        Theme::Light => term::settings::Theme::Light,
        Theme::Dark => term::settings::Theme::Dark,
    }
}

impl Mux {
    /// A terminal answered; when it says that it is light or dark now, hooks are told.
    pub(crate) fn theme_told(&mut self, id: ClientId, reply: &TerminalReply) {
        let TerminalReply::Theme(theme) = reply else { return };
        let Some(client) = self.clients.get_mut(&id) else { return };
        if client.theme.replace(*theme) == Some(*theme) {
            return;
        }
        let hook = match theme {
            Theme::Light => "client-light-theme",
            Theme::Dark => "client-dark-theme",
        };
        // Its colours are others too; programs that ask for them when they are told shall not get the old ones.
        client.asked_colours = client.terminal_bg.is_some();
        self.effect(Effect::Terminal(id, b"\x1b]10;?\x1b\\\x1b]11;?\x1b\\".to_vec()));
        self.fire(hook, self.client_payload(id));
        self.redraw();
    }

    /// Foreground and background that a pane has whatever its program says: as a control client reported them, else as
    /// window-style and, in the active pane, window-active-style say.
    pub(crate) fn colours_over(&self, now: Now, world: &dyn World, pane: &Pane) -> [Option<Color>; 2] {
        let mut over = [None, None];
        let active = self.windows.get(&pane.window).is_some_and(|window| window.active == pane.id);
        for name in if active { &["window-style", "window-active-style"][..] } else { &["window-style"] } {
            let mut text = self.pane_text(pane.id, name);
            if text == "default" {
                continue;
            }
            if text.contains('#') {
                let found = crate::target::from_pane(self, pane.id).unwrap_or_default();
                text = self.expand_at(None, found, &text, &[], world, now);
            }
            let look = Markup::parse(&text).unwrap_or_default().look;
            for (part, colour) in over.iter_mut().zip([look.fg, look.bg]) {
                if let Colour::Color(color) = colour {
                    *part = Some(color);
                }
            }
        }
        [pane.reported_fg.or(over[0]), pane.reported_bg.or(over[1])]
    }

    fn terminals_of(&self, pane: &Pane) -> impl Iterator<Item = &Client> {
        self.sessions_with(pane.window).flat_map(|session| self.clients_of(session.id))
    }

    /// The theme of a pane: as the terminals say that show its window, when they agree; else as its background looks.
    fn theme_of(&self, pane: &Pane, over: Option<Color>, outer: Option<Color>) -> Option<Theme> {
        let mut said = self.terminals_of(pane).filter_map(|client| client.theme);
        let first = said.next();
        if let Some(theme) = first.filter(|theme| said.all(|other| other == *theme)) {
            return Some(theme);
        }
        over.or(pane.terminal.default_bg()).or(outer).and_then(of_background)
    }

    /// A terminal told its background.
    pub(crate) fn background_told(&mut self, id: ClientId, background: Color) {
        if let Some(client) = self.clients.get_mut(&id) {
            (client.terminal_bg, client.asked_colours) = (Some(background), false);
        }
        self.touch_terminals();
        self.redraw();
    }

    /// Tell a pane's terminal what its colours are, for the questions in what its program writes next.
    pub(crate) fn tell_ground(&mut self, now: Now, world: &dyn World, id: PaneId) {
        let Some(pane) = self.panes.get(&id).filter(|pane| pane.ground_at != Some(self.visible)) else { return };
        let over = self.colours_over(now, world, pane);
        let outer = pane.terminal.settings().bg;
        let theme = self.theme_of(pane, over[1], outer).map(for_terminal);
        let visible = self.visible;
        let Some(pane) = self.panes.get_mut(&id) else { return };
        let settings = pane.terminal.settings_mut();
        ([settings.over_fg, settings.over_bg], settings.theme) = (over, theme);
        pane.ground_at = Some(visible);
    }

    /// Tell the programs that follow the theme (mode 2031) when it has become another.
    pub(crate) fn tell_themes(&mut self, now: Now, world: &dyn World) {
        if self.themes_at == Some(self.visible) {
            return;
        }
        self.themes_at = Some(self.visible);
        let follows = |pane: &&Pane| pane.running() && pane.terminal.modes().contains(Modes::THEME_UPDATES);
        let panes: Vec<PaneId> =
            self.panes.values().filter(|pane| follows(pane) || pane.told_theme.is_some()).map(|pane| pane.id).collect();
        for id in panes {
            let Some(pane) = self.panes.get(&id) else { continue };
            if self.terminals_of(pane).any(|client| client.asked_colours) {
                continue;
            }
            let theme = follows(&pane).then(|| {
                let over = self.colours_over(now, world, pane);
                self.theme_of(pane, over[1], pane.terminal.settings().bg)
            });
            let Some(pane) = self.panes.get_mut(&id) else { continue };
            let before = std::mem::replace(&mut pane.told_theme, theme);
            if let (Some(before), Some(Some(theme))) = (before, theme)
                && before != Some(theme)
            {
                let number = if theme == Theme::Dark { 1 } else { 2 };
                self.effect(Effect::WritePane(id, format!("\x1b[?997;{number}n").into_bytes()));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Face;
    use crate::fake::Bench;

    const PANE: PaneId = PaneId(0);

    fn asked(bench: &mut Bench) -> String {
        bench.typed(PANE);
        bench.output(PANE, b"\x1b[?996n");
        String::from_utf8_lossy(&bench.typed(PANE)).into_owned()
    }

    #[test]
    fn a_background_is_light_or_dark() {
        let of = |name: &str| of_background(Colour::parse(name).expect("a colour").of_cell());
        let (light, dark) = (Some(Theme::Light), Some(Theme::Dark));
        assert_eq!(["black", "white", "red", "brightblack", "brightwhite"].map(of), [dark, light, dark, dark, light]);
        assert_eq!(["#ffffff", "#303030", "colour254", "default"].map(of), [light, dark, light, None]);
    }

    #[test]
    fn a_program_that_asks_is_told_what_the_terminal_says_or_how_its_background_looks() {
        let mut bench = Bench::new(Face::Tmux);
        let client = bench.terminal((80, 24), &["new-session", "-s", "a", "cat"]);
        assert_eq!(asked(&mut bench), "");
        bench.line("set -g window-style bg=white");
        assert_eq!(asked(&mut bench), "\x1b[?997;2n");
        bench.line("set -g window-active-style 'bg=#{?pane_active,black,white}'");
        assert_eq!(asked(&mut bench), "\x1b[?997;1n");
        bench.output(PANE, b"\x1b]11;?\x07");
        assert_eq!(bench.typed(PANE), b"\x1b]11;rgb:0000/0000/0000\x07");
        bench.keys(client, b"\x1b[?997;2n");
        assert_eq!(asked(&mut bench), "\x1b[?997;2n");
        // Terminals that don't agree say nothing.
        let other = bench.terminal((80, 24), &["attach", "-t", "a"]);
        bench.keys(other, b"\x1b[?997;1n");
        bench.line("set -g window-active-style bg=white");
        assert_eq!(asked(&mut bench), "\x1b[?997;2n");
    }

    #[test]
    fn a_program_that_follows_the_theme_is_told_of_changes() {
        let mut bench = Bench::new(Face::Tmux);
        let client = bench.terminal((80, 24), &["new-session", "-s", "a", "cat"]);
        bench.keys(client, b"\x1b[?997;1n");
        bench.typed(PANE);
        bench.output(PANE, b"\x1b[?2031h");
        assert_eq!(bench.typed(PANE), b"", "not of what is there already");
        bench.keys(client, b"\x1b[?997;2n");
        assert_eq!(bench.typed(PANE), b"\x1b[?997;2n");
        bench.keys(client, b"\x1b[?997;2n");
        assert_eq!(bench.typed(PANE), b"");
        // Where the terminal tells its colours, not before it has told the new ones.
        bench.keys(client, b"\x1b]11;rgb:ffff/ffff/ffff\x07\x1b[?997;1n");
        assert_eq!(bench.typed(PANE), b"");
        bench.keys(client, b"\x1b]11;rgb:0000/0000/0000\x07");
        assert_eq!(bench.typed(PANE), b"\x1b[?997;1n");
        bench.output(PANE, b"\x1b]11;?\x07");
        assert_eq!(bench.typed(PANE), b"\x1b]11;rgb:0000/0000/0000\x07");
        bench.output(PANE, b"\x1b[?2031l");
        bench.keys(client, b"\x1b[?997;1n");
        assert_eq!(bench.typed(PANE), b"");
    }
}
