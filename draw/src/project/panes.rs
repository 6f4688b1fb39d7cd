//! The panes of a window and the borders between them.

use super::page::Pages;
use super::style::{Stage, runs};
use crate::run::Run;
use crate::scene::{Borders, Floating, Indicators, Lines, PaneStatus, PaneView, Place, Scrollbar, Split};
use mux::layout::Rect;
use mux::option::chain;
use mux::style::{Colour, Markup, Width};
use mux::values::OptionScope;
use mux::{Mux, PaneId, Window};
use term::style::{Color, Style};

/// What of a pane's view stays while its program only writes.
#[derive(Clone, Debug)]
pub(super) struct StillPane {
    pub(super) id: PaneId,
    pub(super) place: Place,
    index: u32,
    defaults: Style,
    palette: Vec<(u8, Color)>,
    active: bool,
    marked: bool,
    border: Style,
    active_border: Style,
    status: Vec<Run>,
    scrollbar: Option<Scrollbar>,
    floating: Option<Floating>,
}

impl StillPane {
    /// The pane as it is now.
    pub(super) fn view<'a>(&'a self, mux: &'a Mux, pages: &'a Pages) -> Option<PaneView<'a>> {
        let pane = mux.panes.get(&self.id)?;
        let page = pages.page(self.id);
        Some(PaneView {
            id: self.id.0,
            index: self.index,
            place: self.place,
            rows: page.map_or(&*pane.terminal, |page| page.rows()),
            // A program of its own has a screen of its own; pages have odd numbers.
            source: page.map_or(u64::from(pane.pid) << 1, |page| page.number() << 1 | 1),
            held: page.is_none() && pane.terminal.synchronised(),
            defaults: self.defaults,
            palette: if page.is_none() { self.palette.clone() } else { Vec::new() },
            dimmed: false,
            active: self.active,
            marked: self.marked,
            floating: self.floating,
            border: self.border,
            active_border: self.active_border,
            status: self.status.clone(),
            scrollbar: self.scrollbar.map(|bar| slider(bar, pane, self.place.rows)),
        })
    }
}

/// The panes of a window that are shown.
pub(super) fn still(stage: &Stage<'_>, window: &Window, active: PaneId) -> Vec<StillPane> {
    let base = u32::try_from(stage.mux.window_number(window, "pane-base-index")).unwrap_or(0);
    let panes = (base..).zip(window.panes());
    let mut panes: Vec<StillPane> =
        panes.filter_map(|(index, id)| still_pane(stage, window, *id, index, active == *id)).collect();
    panes.sort_by_key(|pane| window.shown().depth(pane.id));
    panes
}

/// The border of a pane that floats, by its own options.
fn floating(stage: &Stage<'_>, id: PaneId) -> Floating {
    let text = |name: &str| stage.mux.pane_text(id, name);
    Floating { lines: lines(&text("pane-border-lines")), status: pane_status(&text("pane-border-status")) }
}

fn lines(name: &str) -> Lines {
    match name {
        "double" => Lines::Double,
        "heavy" => Lines::Heavy,
        "simple" => Lines::Simple,
        "number" => Lines::Number,
        "spaces" => Lines::Spaces,
        "none" => Lines::None,
        _ => Lines::Single,
    }
}

fn pane_status(name: &str) -> PaneStatus {
    match name {
        "top" | "top-floating" => PaneStatus::Top,
        "bottom" | "bottom-floating" => PaneStatus::Bottom,
        _ => PaneStatus::Off,
    }
}

fn still_pane(stage: &Stage<'_>, window: &Window, id: PaneId, index: u32, active: bool) -> Option<StillPane> {
    let rect = window.rect(id)?;
    let pane = stage.mux.panes.get(&id)?;
    let look = |name: &str| stage.pane_style(id, name).look;
    let (border, active_border) = (look("pane-border-style"), look("pane-active-border-style"));
    let bare = stage.mux.zoom_is_bare(window) && !window.is_floating(id);
    let shown = if bare {
        "off".to_owned()
    } else if window.is_floating(id) {
        stage.mux.pane_text(id, "pane-border-status")
    } else {
        stage.mux.window_text(window.id, "pane-border-status")
    };
    let status = match shown.as_str() {
        "off" => Vec::new(),
        _ => {
            let text = stage.border_text(id);
            runs(&text, if active { active_border } else { border })
        }
    };
    Some(StillPane {
        id,
        place: place(rect),
        index,
        defaults: defaults(stage, pane, active),
        palette: palette(stage.mux, pane),
        active,
        marked: stage.mux.marked == Some(id),
        border: border.of_cell(),
        active_border: active_border.of_cell(),
        status,
        scrollbar: scrollbar(stage, pane, window).filter(|_| !bare),
        floating: window.is_floating(id).then(|| floating(stage, id)),
    })
}

fn place(rect: Rect) -> Place {
    let short = |cells: u32| u16::try_from(cells).unwrap_or(u16::MAX);
    Place { x: rect.x, y: rect.y, cols: short(rect.width), rows: short(rect.height) }
}

/// The colours of cells that ask for none: the program's own, window-style over them, and over that
/// window-active-style in the active pane.
fn defaults(stage: &Stage<'_>, pane: &mux::Pane, active: bool) -> Style {
    let mut style = Style {
        fg: pane.terminal.default_fg().unwrap_or_default(),
        bg: pane.terminal.default_bg().unwrap_or_default(),
        ..Style::default()
    };
    let names: &[&str] = if active { &["window-style", "window-active-style"] } else { &["window-style"] };
    for name in names {
        let look = stage.pane_style(pane.id, name).look;
        for (part, colour) in [(&mut style.fg, look.fg), (&mut style.bg, look.bg)] {
            if colour != Colour::Default {
                *part = colour.of_cell();
            }
        }
    }
    style
}

/// Colours that the option pane-colours or the program gives another value.
fn palette(mux: &Mux, pane: &mux::Pane) -> Vec<(u8, Color)> {
    let chain = mux.option_chain(OptionScope::Pane(pane.id));
    let named = chain::items(&chain, "pane-colours").filter_map(|(index, text)| {
        let Some(Colour::Color(color)) = Colour::parse(text) else { return None };
        Some((u8::try_from(index).ok()?, color))
    });
    let named: Vec<_> = named.collect();
    let find = |index: u8| named.iter().find(|(at, _)| *at == index).map(|(_, color)| *color);
    (0..=u8::MAX).filter_map(|at| Some((at, pane.terminal.palette(at).or_else(|| find(at))?))).collect()
}

/// The scrollbar of a pane, when it is shown; the slider is set later.
fn scrollbar(stage: &Stage<'_>, pane: &mux::Pane, window: &Window) -> Option<Scrollbar> {
    let text = |name: &str| stage.mux.window_text(window.id, name);
    match text("pane-scrollbars").as_str() {
        "on" => {}
        "modal" if pane.in_mode() => {}
        _ => return None,
    }
    let Markup { look, width, pad, .. } = stage.pane_style(pane.id, "pane-scrollbars-style");
    let short = |cells: u32| u16::try_from(cells.min(100)).unwrap_or(1);
    Some(Scrollbar {
        left: text("pane-scrollbars-position") == "left",
        width: match width {
            Some(Width::Columns(columns)) => short(columns).max(1),
            _ => 1,
        },
        pad: pad.map_or(0, short),
        style: look.of_cell(),
        ..Scrollbar::default()
    })
}

/// A scrollbar with its slider where the pane is in its history.
fn slider(bar: Scrollbar, pane: &mux::Pane, rows: u16) -> Scrollbar {
    let (held, offset) = match pane.modes.last() {
        Some(mode) => super::page::scrolled(mode),
        None => (pane.terminal.history_len(), 0),
    };
    let (rows, total) = (usize::from(rows), held.saturating_add(usize::from(rows)).max(1));
    let length = (rows * rows / total).max(1);
    let top = (rows * held.saturating_sub(offset) / total).min(rows.saturating_sub(length));
    let short = |cells: usize| u16::try_from(cells).unwrap_or(u16::MAX);
    Scrollbar { slider_top: short(top), slider_rows: short(length), ..bar }
}

/// How the borders of a window are drawn.
pub(super) fn borders(stage: &Stage<'_>, window: &Window) -> Borders {
    let text = |name: &str| stage.mux.window_text(window.id, name);
    Borders {
        lines: lines(&text("pane-border-lines")),
        indicators: match text("pane-border-indicators").as_str() {
            "off" => Indicators::Off,
            "arrows" => Indicators::Arrows,
            "both" => Indicators::Both,
            _ => Indicators::Colour,
        },
        status: match text("pane-border-status").as_str() {
            "top" => PaneStatus::Top,
            "bottom" => PaneStatus::Bottom,
            _ => PaneStatus::Off,
        },
        split: split(window),
        outside: stage.markup(&text("pane-border-style"), None).look.of_cell(),
        fill: ["is_inside", "is_outside"].map(|place| fill(stage, &text("fill-character"), place)),
    }
}

/// The character that fills a place where no pane is: the first of a format's value.
fn fill(stage: &Stage<'_>, format: &str, place: &str) -> Option<(char, Style)> {
    let text = stage.expand(format, None, &[(place.to_owned(), "1".to_owned())]);
    let base = stage.markup(&stage.window_text("pane-border-style"), None).look;
    let run = runs(&text, base).into_iter().find(|run| !run.text.is_empty())?;
    let c = run.text.chars().next().filter(|c| !c.is_control())?;
    Some((c, run.style))
}

fn split(window: &Window) -> Option<Split> {
    let tiled = window.shown().tiled_panes();
    let [first, second] = tiled[..] else { return None };
    let (first, second) = (window.rect(first)?, window.rect(second)?);
    Some(if first.y == second.y { Split::LeftRight } else { Split::TopBottom })
}
