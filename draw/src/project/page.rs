//! What a pane in a mode shows in place of its program's screen: a page of its own, made when it changes.

use super::style::{Stage, runs};
use crate::border::{Joint, line_cell};
use crate::run::Run;
use crate::scene::{Lines, RowView, Rows};
use crate::status::draw_line;
use mux::mode::{Highlight, Shown, Styles};
use mux::style::Attributes;
use mux::{Pane, PaneId};
use std::collections::HashMap;
use term::Terminal;
use term::cell::{Cell, Extras, Graphemes};
use term::frame::Frame;
use term::size::Size;
use term::style::{Color, Style};

impl Rows for Frame {
    fn row(&self, y: u16) -> RowView<'_> {
        RowView { cells: Frame::row(self, y), fill: Color::DEFAULT, wraps: self.wraps(y), change: self.stamp(y) }
    }

    fn graphemes(&self) -> &Graphemes {
        Frame::graphemes(self)
    }

    fn extras(&self) -> &Extras {
        Frame::extras(self)
    }
}

/// What a page was made of: the model's visible change, the number of the screen's last change, the size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Made {
    visible: u64,
    change: u64,
    size: Size,
}

/// One pane's page.
#[derive(Debug)]
pub(super) struct Page {
    number: u64,
    made: Made,
    frame: Frame,
}

impl Page {
    /// What stands in it.
    pub(super) fn rows(&self) -> &dyn Rows {
        &self.frame
    }

    /// A number that no page before it had.
    pub(super) fn number(&self) -> u64 {
        self.number
    }
}

/// The pages of one client's panes.
#[derive(Debug, Default)]
pub(super) struct Pages {
    pages: HashMap<PaneId, Page>,
    made: u64,
}

impl Pages {
    /// The page of a pane that is in a mode.
    pub(super) fn page(&self, pane: PaneId) -> Option<&Page> {
        self.pages.get(&pane)
    }

    /// Makes pages of panes that are in a mode where something has changed, and lets the others go.
    pub(super) fn refresh(&mut self, stage: &Stage<'_>, panes: impl Iterator<Item = PaneId>) {
        let in_mode: Vec<&Pane> =
            panes.filter_map(|id| stage.mux.panes.get(&id)).filter(|pane| pane.in_mode()).collect();
        if in_mode.is_empty() && self.pages.is_empty() {
            return;
        }
        self.pages.retain(|id, _| in_mode.iter().any(|pane| pane.id == *id));
        for pane in in_mode {
            let Some(mode) = pane.modes.last() else { continue };
            let size = pane.terminal.size();
            let change = match mode {
                Shown::Text(mode) => mode.terminal().change(),
                Shown::List(list) => super::list::change(stage.mux, list),
                Shown::Clock(_) => 0,
                Shown::Panes(panes) => super::previews::change(stage.mux, panes),
            };
            let made = Made { visible: stage.mux.visible, change, size };
            if self.pages.get(&pane.id).is_some_and(|page| page.made == made) {
                continue;
            }
            let frame = draw(stage, pane, mode, size);
            self.made += 1;
            let number = self.pages.get(&pane.id).map_or(self.made, |page| page.number);
            self.pages.insert(pane.id, Page { number, made, frame });
        }
    }
}

/// Where a mode has its cursor; a list has none.
pub(super) fn cursor(mode: &Shown) -> Option<(u16, u16)> {
    let cursor = mode.text()?.cursor();
    Some((cursor.col, cursor.row))
}

/// Lines of history that a mode looks at, and how many of them it is scrolled back.
pub(super) fn scrolled(mode: &Shown) -> (usize, usize) {
    mode.text().map_or((0, 0), |mode| (mode.scrolled().1, mode.offset()))
}

/// The styles of copy mode.
fn styles(stage: &Stage<'_>, pane: &Pane) -> Styles {
    let look = |name: &str| stage.pane_style(pane.id, name).look;
    let style = |name: &str| look(name).of_cell();
    let selection = look("copy-mode-selection-style");
    Styles {
        selection: Highlight {
            style: selection.of_cell(),
            replaces: selection.attributes.contains(Attributes::NOATTR),
        },
        matches: style("copy-mode-match-style"),
        current_match: style("copy-mode-current-match-style"),
        mark: style("copy-mode-mark-style"),
        line_number: style("copy-mode-line-number-style"),
        current_line_number: style("copy-mode-current-line-number-style"),
    }
}

/// The picture of a mode.
fn draw(stage: &Stage<'_>, pane: &Pane, mode: &Shown, size: Size) -> Frame {
    let mut frame = Frame::new(size);
    let mode = match mode {
        Shown::Text(mode) => mode,
        Shown::List(list) => {
            super::list::draw(stage, pane.id, list, &mut frame);
            return frame;
        }
        Shown::Panes(panes) => {
            super::previews::draw(stage, panes, pane.id, &mut frame);
            return frame;
        }
        Shown::Clock(clock) => {
            let colour = super::style::colour(&stage.mux.window_text(pane.window, "clock-mode-colour"));
            super::clock::draw(&mut frame, clock.text(), colour);
            return frame;
        }
    };
    let styles = styles(stage, pane);
    for y in 0..frame.size().rows {
        put(&mut frame, y, &mode.row_cells(y, &styles), Color::DEFAULT, mode.terminal());
    }
    if let Some(columns) = mode.position_columns() {
        let text = stage.mux.pane_text(pane.id, "copy-mode-position-format");
        let text = stage.expand(&text, Some(pane.id), &[]);
        let look = stage.pane_style(pane.id, "copy-mode-position-style").look;
        draw_line(&mut frame, columns.start, 0, columns.end - columns.start, None, &runs(&text, look));
    }
    frame
}

/// Text in a style, cut at `cols` columns; `│`, `├`, `└` and `─` are lines. Gives how many columns it took.
pub(super) fn put_text(frame: &mut Frame, x: u16, y: u16, cols: u16, text: &str, style: Style) -> u16 {
    let joint = |c: char| match c {
        '│' => Some(Joint::TopBottom),
        '├' => Some(Joint::LeftJoin),
        '└' => Some(Joint::BottomLeft),
        '─' => Some(Joint::LeftRight),
        _ => None,
    };
    let mut used = 0;
    let mut rest = text;
    while let Some(c) = rest.chars().next().filter(|_| used < cols) {
        match joint(c) {
            Some(joint) => {
                frame.put_cells(x + used, y, &[line_cell(Lines::Single, joint, style)]);
                used += 1;
                rest = &rest[c.len_utf8()..];
            }
            None => {
                let end = rest.find(|c| joint(c).is_some()).unwrap_or(rest.len());
                let (plain, after) = rest.split_at(end);
                let run = Run::new(plain, style);
                draw_line(frame, x + used, y, cols - used, None, &[run]);
                used = used.saturating_add(u16::try_from(mux::style::plain_width(plain)).unwrap_or(u16::MAX)).min(cols);
                rest = after;
            }
        }
    }
    used
}

/// A whole row, what is missing of it in the fill colour.
fn put(frame: &mut Frame, y: u16, cells: &[Cell], fill: Color, terminal: &Terminal) {
    let cols = usize::from(frame.size().cols);
    let mut row = cells[..cells.len().min(cols)].to_vec();
    row.resize(cols, Cell { bg: fill, ..Cell::BLANK });
    frame.put_row(0, y, &row, terminal.graphemes(), terminal.extras());
}
