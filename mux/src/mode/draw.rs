//! What a mode looks like: the cells of its rows, with selection, matches, mark and line numbers, and where the cursor is.

use super::selection::Follows;
use super::{LineNumbers, Mode};
use std::ops::Range;
use term::Cursor;
use term::cell::{Cell, Glyph};
use term::style::{Attrs, Style};

/// How what is selected looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Highlight {
    /// The colours (a default one leaves the cell's) and attributes.
    pub style: Style,
    /// The attributes replace those of the cell (`noattr`) instead of joining them.
    pub replaces: bool,
}

/// The styles of the options named like the fields.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Styles {
    /// `copy-mode-selection-style`.
    pub selection: Highlight,
    /// `copy-mode-match-style`.
    pub matches: Style,
    /// `copy-mode-current-match-style`.
    pub current_match: Style,
    /// `copy-mode-mark-style`.
    pub mark: Style,
    /// `copy-mode-line-number-style`.
    pub line_number: Style,
    /// `copy-mode-current-line-number-style`.
    pub current_line_number: Style,
}

impl Mode {
    pub(super) fn line_numbers(&self) -> LineNumbers {
        if self.numbers_lines { self.settings.line_numbers } else { LineNumbers::Off }
    }

    /// Columns of the line numbers.
    pub(super) fn gutter(&self) -> usize {
        if self.line_numbers() == LineNumbers::Off {
            return 0;
        }
        let lines = self.page.last() + 2;
        (lines.ilog10() as usize + 1).max(3) + 1
    }

    /// Columns of the text, at least one.
    fn text_columns(&self) -> usize {
        self.page.cols().saturating_sub(self.gutter()).max(1)
    }

    /// The column on the screen of a column of the text.
    fn shown_column(&self, x: usize) -> usize {
        match self.gutter() {
            0 => x,
            _ if x >= self.text_columns() => self.page.cols() - 1,
            gutter => gutter + x,
        }
    }

    /// The column of the text at a column on the screen.
    pub(super) fn column_of(&self, column: u16) -> usize {
        match self.gutter() {
            0 => column.into(),
            gutter => usize::from(column).saturating_sub(gutter).min(self.text_columns() - 1),
        }
    }

    /// Where the cursor is on the screen; just after a full row it is on that row's last cell.
    pub fn cursor(&self) -> Cursor {
        let short = |n: usize| u16::try_from(n).unwrap_or(u16::MAX);
        Cursor { col: short(self.shown_column(self.x).min(self.page.cols() - 1)), row: short(self.y) }
    }

    /// The columns of the top row that `copy-mode-position-format` is drawn in, in `copy-mode-position-style`; `None`
    /// when it is not shown.
    pub fn position_columns(&self) -> Option<Range<u16>> {
        let cols = self.page.cols();
        let start = if self.gutter() >= cols { cols - 1 } else { self.gutter() };
        let short = |n: usize| u16::try_from(n).unwrap_or(u16::MAX);
        (!self.hides_position && self.page.rows() > 1).then(|| short(start)..short(cols))
    }

    /// A row of the screen, as many cells as the page has columns. Clusters and links are those of [`Mode::terminal`].
    pub fn row_cells(&self, y: u16, styles: &Styles) -> Vec<Cell> {
        let y = usize::from(y);
        let (cols, row) = (self.page.cols(), self.top() + y);
        let (columns, current) = (self.text_columns(), self.cursor_mark());
        let line = self.page.line(row);
        let mut cells = Vec::with_capacity(cols);
        self.number_line(y, styles, &mut cells);
        // A wide character that ends a row which was wrapped anew has its right half in the next one; it is shown whole.
        let halved = line.cells.last().filter(|last| last.glyph.is_wide());
        let end = halved.map_or(Cell::BLANK, |last| Cell { glyph: Glyph::PAD, ..*last });
        let mut cut = false;
        for x in 0..columns {
            let mut cell = line.cells.get(x).copied().unwrap_or(if x == line.cells.len() { end } else { Cell::BLANK });
            // What does not fit beside the line numbers is not shown in part.
            let width = cell.glyph.tab_width().map_or(1 + usize::from(cell.glyph.is_wide()), usize::from);
            cut |= x + width > columns;
            if cut {
                cell.glyph = Glyph::BLANK;
            }
            self.highlight((x, row), current, styles, &mut cell);
            cells.push(cell);
        }
        if y == self.y && self.x >= columns {
            let at = self.shown_column(self.x).min(cols - 1);
            cells.truncate(at.min(cells.len()));
            cells.resize(at, Cell::BLANK);
            cells.push(Cell::new(Glyph::point('$', false), Style::default()));
        }
        cells.resize(cols, Cell::BLANK);
        self.select((row, self.gutter()), styles, &mut cells);
        cells
    }

    fn number_line(&self, y: usize, styles: &Styles, cells: &mut Vec<Cell>) {
        let width = self.gutter().min(self.page.cols() - 1);
        if width == 0 {
            return;
        }
        let absolute = self.top() + y + 1;
        let number = match self.line_numbers() {
            LineNumbers::Default => y.abs_diff(self.offset),
            LineNumbers::Absolute => absolute,
            LineNumbers::Hybrid if y == self.y => absolute,
            _ => y.abs_diff(self.y),
        };
        let style = if y == self.y { styles.current_line_number } else { styles.line_number };
        let digits = self.gutter() - 1;
        let text = format!("{number:>digits$} ");
        cells.extend(text.chars().take(width).map(|c| Cell::new(Glyph::point(c, false), style)));
    }

    /// The first and last mark of the match the cursor is on, with emacs' keys and a search down just after.
    fn cursor_mark(&self) -> Option<(usize, usize)> {
        let at = self.mark_index(self.place())?;
        let at = if !self.settings.vi && self.search.forward { at.saturating_sub(1) } else { at };
        self.match_range(at)
    }

    fn highlight(&self, place: (usize, usize), current: Option<(usize, usize)>, styles: &Styles, cell: &mut Cell) {
        let mut reversed = false;
        if self.mark.shown && place.1 == self.mark.place.1 {
            reversed = place.0 == self.mark.place.0;
            paint(cell, styles.mark, reversed);
        }
        let Some(at) = self.mark_index(place) else { return };
        if self.mark_at(place) != 0 {
            let is_current = current.is_some_and(|(start, end)| (start..=end).contains(&at));
            paint(cell, if is_current { styles.current_match } else { styles.matches }, reversed);
        }
    }

    fn select(&self, (row, gutter): (usize, usize), styles: &Styles, cells: &mut [Cell]) {
        if !self.selection.present {
            return;
        }
        let (top, size) = (self.top(), (self.page.cols(), self.page.rows()));
        let edge = if gutter > 0 { self.text_columns() - 1 } else { usize::MAX };
        let gutter = gutter.min(size.0 - 1);
        for (x, cell) in cells.iter_mut().skip(gutter).enumerate() {
            if self.selection.holds((x, row), top, size, edge, &self.settings) {
                let Highlight { style, replaces } = styles.selection;
                if !style.fg.is_default() {
                    cell.fg = style.fg;
                }
                if !style.bg.is_default() {
                    cell.bg = style.bg;
                }
                let kept = if replaces { cell.attrs & Attrs::CHARSET } else { cell.attrs };
                cell.attrs = style.attrs | kept;
            }
        }
    }

    /// True while the selection's end follows the cursor.
    pub(super) fn is_selecting(&self) -> bool {
        self.selection.present && self.selection.follows != Follows::None
    }
}

/// Give a cell the colours and attributes of a style, the colours swapped when `reversed`.
fn paint(cell: &mut Cell, style: Style, reversed: bool) {
    cell.attrs = style.attrs;
    (cell.fg, cell.bg) = if reversed { (style.bg, style.fg) } else { (style.fg, style.bg) };
}
