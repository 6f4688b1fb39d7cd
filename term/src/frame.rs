//! What the screen of one tty client shall show: cells, cursor, title and the modes its terminal shall be in.
//!
//! A frame holds only what can be painted: a wide character is whole or absent, a tab is blanks, no control
//! character stands in a cell. It knows nothing of panes and nothing of the client's terminal.

use crate::cell::{Cell, Extra, Extras, Glyph, Graphemes};
use crate::size::Size;
use crate::style::{Attrs, Color, Style};
use std::sync::atomic::{AtomicU64, Ordering};
use termwiz::cell::grapheme_column_width;
use unicode_segmentation::UnicodeSegmentation;

/// A rectangle of cells. What lies outside a frame is cut off.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Rect {
    /// First column.
    pub x: u16,
    /// First row.
    pub y: u16,
    /// Columns.
    pub cols: u16,
    /// Rows.
    pub rows: u16,
}

/// The form of the cursor (DECSCUSR).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum CursorShape {
    /// What the terminal's user has chosen.
    #[default]
    Default,
    /// A block.
    Block,
    /// An underline.
    Underline,
    /// A vertical bar.
    Bar,
}

/// How the cursor looks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct CursorLook {
    /// The form.
    pub shape: CursorShape,
    /// Whether it blinks; of no meaning for [`CursorShape::Default`].
    pub blink: bool,
    /// The colour; default is the terminal's own.
    pub color: Color,
}

/// Which mouse events the client's terminal shall report (always in SGR form, mode 1006).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Mouse {
    /// None.
    #[default]
    Off,
    /// Buttons (mode 1000).
    Standard,
    /// Buttons and drags (mode 1002).
    Button,
    /// Every motion (mode 1003).
    All,
}

/// How the client's terminal shall send keys that have no old encoding.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Keys {
    /// As a VT220.
    #[default]
    Legacy,
    /// xterm's modifyOtherKeys at this level (1 or 2).
    ModifyOther(u8),
    /// kitty's protocol with these flags.
    Kitty(u8),
}

/// The modes a client's terminal shall be in. The default is what [`crate::paint::enter`] leaves it in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ClientModes {
    /// Mouse reports.
    pub mouse: Mouse,
    /// Bracketed paste (mode 2004).
    pub bracketed_paste: bool,
    /// Focus reports (mode 1004).
    pub focus: bool,
    /// Application cursor keys (DECCKM).
    pub application_cursor: bool,
    /// Application keypad (DECKPAM).
    pub application_keypad: bool,
    /// The encoding of keys.
    pub keys: Keys,
}

impl Default for ClientModes {
    fn default() -> ClientModes {
        ClientModes {
            mouse: Mouse::Off,
            bracketed_paste: true,
            focus: false,
            application_cursor: true,
            application_keypad: true,
            keys: Keys::Legacy,
        }
    }
}

/// A whole client screen.
#[derive(Clone, Debug)]
pub struct Frame {
    size: Size,
    cells: Vec<Cell>,
    /// One number a row, new with each change of it: equal numbers mean equal rows, in any two frames.
    stamps: Vec<u64>,
    /// For each row whether its text goes on in the next.
    wraps: Vec<bool>,
    graphemes: Graphemes,
    extras: Extras,
    /// Which tables these are; new when they are begun afresh, so that the same number means one is a longer other.
    tables: u64,
    /// Column and row of the cursor; `None` hides it.
    pub cursor: Option<(u16, u16)>,
    /// How the cursor looks.
    pub look: CursorLook,
    /// The title of the client's terminal; `None` leaves it alone.
    pub title: Option<String>,
    /// The working directory to report (OSC 7); `None` leaves it alone.
    pub path: Option<String>,
    /// State and percentage of the progress bar (OSC 9;4); state 0 is none.
    pub progress: (u8, u8),
    /// The modes of the client's terminal.
    pub modes: ClientModes,
}

/// The columns a grapheme cluster takes: 0, 1 or 2.
pub fn width_of(cluster: &str) -> u16 {
    match cluster.as_bytes() {
        [0x20..=0x7e] => 1,
        [byte] if *byte < 0x80 => 0,
        _ if let Some(columns) = own_width_of(cluster) => columns,
        _ => grapheme_column_width(cluster, None).min(2) as u16,
    }
}

/// The columns that the user gave a character that stands alone.
fn own_width_of(cluster: &str) -> Option<u16> {
    let mut characters = cluster.chars();
    let only = characters.next().filter(|_| characters.next().is_none())?;
    crate::width::own_width(only).map(|columns| columns as u16)
}

impl Frame {
    /// Most columns or rows of a frame (tmux's largest window).
    pub const MAX_SIDE: u16 = 10_000;
    /// Most cells of a frame; a larger one loses rows.
    pub const MAX_CELLS: usize = 1 << 22;
    /// A table of clusters or extras larger than this is swept by [`Frame::sweep`].
    const SWEEP: usize = 4096;

    /// The size a frame gets that shall have `size`: what passes [`Frame::MAX_SIDE`] or [`Frame::MAX_CELLS`] is cut.
    pub fn fit(size: Size) -> Size {
        let cols = size.cols.min(Frame::MAX_SIDE);
        let most = Frame::MAX_CELLS.checked_div(usize::from(cols)).unwrap_or(usize::from(Frame::MAX_SIDE));
        let rows = size.rows.min(Frame::MAX_SIDE).min(u16::try_from(most).unwrap_or(Frame::MAX_SIDE));
        Size { cols, rows }
    }

    /// A blank frame, as large as [`Frame::fit`] lets it be.
    pub fn new(size: Size) -> Frame {
        let Size { cols, rows } = Frame::fit(size);
        Frame {
            size: Size { cols, rows },
            cells: vec![Cell::BLANK; usize::from(cols) * usize::from(rows)],
            stamps: vec![0; usize::from(rows)],
            wraps: vec![false; usize::from(rows)],
            graphemes: Graphemes::default(),
            extras: Extras::default(),
            tables: 0,
            cursor: None,
            look: CursorLook::default(),
            title: None,
            path: None,
            progress: (0, 0),
            modes: ClientModes::default(),
        }
    }

    /// The size.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Another size; the frame is blank afterwards, cursor, title and modes stay.
    pub fn resize(&mut self, size: Size) {
        let blank = Frame::new(size);
        self.size = blank.size;
        self.cells = blank.cells;
        self.stamps = blank.stamps;
        self.wraps = blank.wraps;
        self.graphemes = blank.graphemes;
        self.extras = blank.extras;
        self.tables = next_stamp();
    }

    /// Blanks every cell; cursor, title and modes stay.
    pub fn clear(&mut self) {
        self.cells.fill(Cell::BLANK);
        self.stamps.fill(0);
        self.wraps.fill(false);
        self.graphemes = Graphemes::default();
        self.extras = Extras::default();
        self.tables = next_stamp();
    }

    /// The cells of a row; empty for a row outside.
    pub fn row(&self, y: u16) -> &[Cell] {
        let cols = usize::from(self.size.cols);
        let start = usize::from(y) * cols;
        self.cells.get(start..start + cols).unwrap_or(&[])
    }

    /// One cell; blank outside the frame.
    pub fn cell(&self, x: u16, y: u16) -> Cell {
        self.row(y).get(usize::from(x)).copied().unwrap_or(Cell::BLANK)
    }

    /// The table that grapheme cells point into.
    pub fn graphemes(&self) -> &Graphemes {
        &self.graphemes
    }

    /// The table of underline colours and links.
    pub fn extras(&self) -> &Extras {
        &self.extras
    }

    /// The number of the last change of a row; two frames whose numbers for a row are equal have the same row there.
    pub fn stamp(&self, y: u16) -> u64 {
        self.stamps.get(usize::from(y)).copied().unwrap_or(0)
    }

    /// Whether the text of a row goes on in the next one, so that the client's terminal should know it as one line (for
    /// its own selection and links). Writing to a row takes this back.
    pub fn wraps(&self, y: u16) -> bool {
        self.wraps.get(usize::from(y)).copied().unwrap_or(false)
    }

    /// Says that the text of a row goes on in the next one. A hint for painting: a row is not painted again for it.
    pub fn set_wraps(&mut self, y: u16) {
        if let Some(wraps) = self.wraps.get_mut(usize::from(y)) {
            *wraps = true;
        }
    }

    /// Copies `cells` of another screen, whose tables are given, to row `y` from column `x`.
    ///
    /// Tabs become blanks; a wide character cut at an edge of the run or of the frame becomes a blank.
    pub fn put_row(&mut self, x: u16, y: u16, cells: &[Cell], graphemes: &Graphemes, extras: &Extras) {
        let mut import = Import { from_graphemes: graphemes, from_extras: extras, last: (0, 0) };
        let Some((start, count)) = self.span(x, y, cells.len()) else { return };
        let mut ragged = false;
        for (at, source) in (start..start + count).zip(cells) {
            let cell = import.cell(*source, &mut self.graphemes, &mut self.extras);
            ragged |= cell.glyph.is_wide() || cell.glyph.is_padding();
            self.cells[at] = cell;
        }
        self.finish(x, y, count, ragged);
    }

    /// Copies cells that already point into this frame's own tables.
    pub fn put_cells(&mut self, x: u16, y: u16, cells: &[Cell]) {
        let Some((start, count)) = self.span(x, y, cells.len()) else { return };
        for (at, source) in (start..start + count).zip(cells) {
            self.cells[at] = tidy(*source, &self.extras);
        }
        self.finish(x, y, count, true);
    }

    /// Writes text from column `x` of row `y` and returns the columns it took. Control characters are left out; what
    /// passes the right edge is cut.
    pub fn put_str(&mut self, x: u16, y: u16, text: &str, style: Style) -> u16 {
        let mut cells = Vec::new();
        let room = usize::from(self.size.cols.saturating_sub(x));
        for cluster in text.graphemes(true) {
            if cells.len() >= room {
                break;
            }
            self.push_cluster(&mut cells, cluster, style);
        }
        cells.truncate(room);
        self.put_cells(x, y, &cells);
        cells.len() as u16
    }

    /// Appends a grapheme cluster to a run of cells meant for [`Frame::put_cells`]: one cell, or two for a wide one, or
    /// none when nothing of it would be seen.
    pub fn push_cluster(&mut self, cells: &mut Vec<Cell>, cluster: &str, style: Style) {
        let width = width_of(cluster);
        let Some(first) = cluster.chars().next() else { return };
        if width == 0 || first.is_control() {
            return;
        }
        let wide = width == 2;
        let glyph = if cluster.len() == first.len_utf8() {
            Glyph::point(first, wide)
        } else {
            match self.graphemes.intern(cluster) {
                Some(index) => Glyph::grapheme(index, wide),
                None => Glyph::point(first, wide),
            }
        };
        let ext = if style.us.is_default() { 0 } else { self.extras.intern(Extra { us: style.us, link: None }) };
        let cell = Cell { ext, ..Cell::new(glyph, style) };
        cells.push(cell);
        if wide {
            cells.push(Cell { glyph: Glyph::PAD, ..cell });
        }
    }

    /// Fills a rectangle with one cell, which must be one column wide.
    pub fn fill(&mut self, rect: Rect, cell: Cell) {
        let halved = cell.glyph.is_wide() || cell.glyph.is_padding();
        let cell = tidy(if halved { Cell { glyph: Glyph::BLANK, ..cell } } else { cell }, &self.extras);
        for y in rect.y..rect.y.saturating_add(rect.rows).min(self.size.rows) {
            let Some((start, count)) = self.span(rect.x, y, usize::from(rect.cols)) else { return };
            self.cells[start..start + count].fill(cell);
            self.finish(rect.x, y, count, false);
        }
    }

    /// Changes the style of each cell of a run in place (a selection, an inactive pane).
    pub fn restyle(&mut self, rect: Rect, mut change: impl FnMut(&mut Cell)) {
        for y in rect.y..rect.y.saturating_add(rect.rows).min(self.size.rows) {
            let Some((start, count)) = self.span(rect.x, y, usize::from(rect.cols)) else { return };
            for at in start..start + count {
                let mut cell = self.cells[at];
                change(&mut cell);
                cell.glyph = self.cells[at].glyph;
                self.cells[at] = tidy(cell, &self.extras);
            }
            self.finish(rect.x, y, count, true);
        }
    }

    /// Takes over everything of `other`, copying only the rows that differ by number.
    pub fn copy_from(&mut self, other: &Frame) {
        if self.size != other.size {
            *self = other.clone();
            return;
        }
        let cols = usize::from(self.size.cols);
        // Tables only grow between sweeps, and a row that is not copied points into the part that stays; after a
        // sweep the indices are new and so every row has a new number.
        for y in 0..usize::from(self.size.rows) {
            if self.stamps[y] != other.stamps[y] {
                let span = y * cols..(y + 1) * cols;
                self.cells[span.clone()].copy_from_slice(&other.cells[span]);
                self.stamps[y] = other.stamps[y];
                self.wraps[y] = other.wraps[y];
            }
        }
        if self.tables != other.tables || self.graphemes.len() != other.graphemes.len() {
            self.graphemes.clone_from(&other.graphemes);
        }
        if self.tables != other.tables || self.extras.len() != other.extras.len() {
            self.extras.clone_from(&other.extras);
        }
        self.tables = other.tables;
        self.cursor = other.cursor;
        self.look = other.look;
        self.modes = other.modes;
        self.progress = other.progress;
        self.title.clone_from(&other.title);
        self.path.clone_from(&other.path);
    }

    /// Drops clusters and links that no cell points at any more, when the tables have grown large. To be called
    /// between two compositions.
    pub fn sweep(&mut self) {
        if self.graphemes.len() <= Frame::SWEEP && self.extras.len() <= Frame::SWEEP {
            return;
        }
        let graphemes = std::mem::take(&mut self.graphemes);
        let extras = std::mem::take(&mut self.extras);
        let mut import = Import { from_graphemes: &graphemes, from_extras: &extras, last: (0, 0) };
        for cell in &mut self.cells {
            *cell = import.cell(*cell, &mut self.graphemes, &mut self.extras);
        }
        for stamp in &mut self.stamps {
            *stamp = next_stamp();
        }
        self.tables = next_stamp();
    }

    /// Appends what stands in a cell of this frame to `text`; nothing for the right half of a wide character.
    pub fn push_text(&self, cell: Cell, text: &mut String) {
        if cell.glyph.is_padding() {
            return;
        }
        match (cell.glyph.grapheme_index(), cell.glyph.as_char()) {
            (Some(index), _) => text.push_str(self.graphemes.text(index)),
            (None, Some(c)) => text.push(c),
            (None, None) => text.push(' '),
        }
    }

    /// The text of a row without the blanks at its end.
    pub fn text(&self, y: u16) -> String {
        let mut text = String::new();
        for cell in self.row(y) {
            self.push_text(*cell, &mut text);
        }
        text.truncate(text.trim_end_matches(' ').len());
        text
    }

    /// Where a run that starts at a column lies in `cells`, cut to the frame.
    fn span(&self, x: u16, y: u16, count: usize) -> Option<(usize, usize)> {
        if x >= self.size.cols || y >= self.size.rows || count == 0 {
            return None;
        }
        let start = usize::from(y) * usize::from(self.size.cols) + usize::from(x);
        Some((start, count.min(usize::from(self.size.cols - x))))
    }

    /// Makes the wide characters of a written run and of its two neighbours whole again and numbers the row.
    fn finish(&mut self, x: u16, y: u16, count: usize, ragged: bool) {
        let cols = usize::from(self.size.cols);
        let row_start = usize::from(y) * cols;
        let row = &mut self.cells[row_start..row_start + cols];
        let (from, to) = (usize::from(x), usize::from(x) + count);
        let left = from.saturating_sub(1);
        if ragged {
            heal(row, left, (to + 1).min(cols));
        } else {
            heal(row, left, (from + 1).min(cols));
            heal(row, to - 1, (to + 1).min(cols));
        }
        self.stamps[usize::from(y)] = next_stamp();
        self.wraps[usize::from(y)] = false;
    }
}

/// Blanks halves of wide characters between two columns and gives right halves the style of their left ones.
fn heal(row: &mut [Cell], from: usize, to: usize) {
    for x in from..to {
        let glyph = row[x].glyph;
        if glyph.is_wide() {
            if row.get(x + 1).is_some_and(|next| next.glyph.is_padding()) {
                row[x + 1] = Cell { glyph: Glyph::PAD, ..row[x] };
            } else {
                row[x] = Cell { bg: row[x].bg, ..Cell::BLANK };
            }
        } else if glyph.is_padding() && !(x > 0 && row[x - 1].glyph.is_wide()) {
            row[x] = Cell { bg: row[x].bg, ..Cell::BLANK };
        }
    }
}

/// A number no row has had. Only its being new matters, never its value.
fn next_stamp() -> u64 {
    static LAST: AtomicU64 = AtomicU64::new(0);
    LAST.fetch_add(1, Ordering::Relaxed) + 1
}

/// Attributes that show on a blank.
pub(crate) const SEEN_ON_BLANK: Attrs =
    Attrs::UNDERLINE_MASK.union(Attrs::REVERSE).union(Attrs::STRIKE).union(Attrs::OVERLINE);

/// One form for cells that look the same: blanks carry only what is seen on them; tabs, controls and surrogates of
/// nothing are blanks.
fn tidy(cell: Cell, extras: &Extras) -> Cell {
    let glyph = cell.glyph;
    if plain(cell) {
        return cell;
    }
    let blank = match glyph.as_char() {
        Some(' ') => !glyph.is_padding(),
        Some(c) => c.is_control(),
        None => glyph.tab_width().is_some(),
    };
    if !blank {
        return cell;
    }
    if !cell.attrs.intersects(SEEN_ON_BLANK) && (cell.ext == 0 || extras.get(cell.ext).link.is_none()) {
        return Cell { bg: cell.bg, ..Cell::BLANK };
    }
    Cell { glyph: Glyph::BLANK, attrs: cell.attrs.difference(Attrs::CHARSET), ..cell }
}

/// True for a cell of one visible ASCII character, as nearly all are.
fn plain(cell: Cell) -> bool {
    matches!(cell.glyph.to_bits(), 0x21..=0x7e)
}

/// Moves cells from one pair of tables to another.
struct Import<'a> {
    from_graphemes: &'a Graphemes,
    from_extras: &'a Extras,
    /// The last extra that was moved, there and here: links come in runs.
    last: (u16, u16),
}

impl Import<'_> {
    fn cell(&mut self, cell: Cell, graphemes: &mut Graphemes, extras: &mut Extras) -> Cell {
        if cell.ext == 0 && plain(cell) {
            return cell;
        }
        let mut cell = cell;
        if let Some(index) = cell.glyph.grapheme_index() {
            let text = self.from_graphemes.text(index);
            let wide = cell.glyph.is_wide();
            let base = text.chars().next().filter(|c| !c.is_control());
            cell.glyph = match base {
                None => Glyph::BLANK,
                Some(base) => {
                    graphemes.intern(text).map_or(Glyph::point(base, wide), |index| Glyph::grapheme(index, wide))
                }
            };
        }
        if cell.ext != 0 {
            if self.last.0 != cell.ext {
                self.last = (cell.ext, extras.intern(self.from_extras.get(cell.ext).clone()));
            }
            cell.ext = self.last.1;
        }
        tidy(cell, extras)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(cols: u16, rows: u16) -> Frame {
        Frame::new(Size { cols, rows })
    }

    #[test]
    fn text_takes_its_columns_and_is_cut_at_the_edge() {
        let mut frame = frame(6, 1);
        assert_eq!(frame.put_str(0, 0, "a日e\u{301}", Style::default()), 4);
        assert_eq!(frame.text(0), "a日e\u{301}");
        assert_eq!(frame.put_str(5, 0, "日", Style::default()), 1);
        assert_eq!(frame.cell(5, 0), Cell::BLANK);
        assert_eq!(frame.put_str(0, 0, "x\ny", Style::default()), 2);
    }

    #[test]
    fn half_a_wide_character_is_a_blank() {
        let mut frame = frame(6, 1);
        frame.put_str(0, 0, "日本語", Style::default());
        frame.put_str(1, 0, "x", Style::default());
        assert_eq!(frame.text(0), " x本語");
        frame.put_str(4, 0, "y", Style::default());
        assert_eq!(frame.text(0), " x本y");
        frame.fill(Rect { x: 3, y: 0, cols: 1, rows: 1 }, Cell::BLANK);
        assert_eq!(frame.text(0), " x  y");
    }

    #[test]
    fn a_row_of_another_screen_brings_its_clusters_and_links() {
        let (mut graphemes, mut extras) = (Graphemes::default(), Extras::default());
        let link = crate::cell::Link { uri: "http://x".into(), id: "".into() };
        let ext = extras.intern(Extra { us: Color::ansi(1), link: Some(link.clone()) });
        graphemes.intern("unused");
        let index = graphemes.intern("e\u{301}").unwrap();
        let cells = [
            Cell { ext, ..Cell::new(Glyph::grapheme(index, false), Style::default()) },
            Cell::new(Glyph::tab(3), Style::default()),
            Cell { glyph: Glyph::PAD, ..Cell::BLANK },
            Cell { glyph: Glyph::PAD, ..Cell::BLANK },
            Cell::new(Glyph::point('z', false), Style::default()),
        ];
        let mut frame = frame(8, 2);
        frame.put_row(1, 1, &cells, &graphemes, &extras);
        assert_eq!(frame.text(1), " e\u{301}   z");
        assert_eq!(frame.extras().get(frame.cell(1, 1).ext).link, Some(link));
        assert_eq!(frame.graphemes().len(), 1);
    }

    #[test]
    fn equal_numbers_mean_equal_rows() {
        let mut a = frame(3, 2);
        let mut b = frame(3, 2);
        assert_eq!(a.stamp(0), b.stamp(0));
        a.put_str(0, 0, "a", Style::default());
        b.put_str(0, 0, "b", Style::default());
        assert_ne!(a.stamp(0), b.stamp(0));
        b.copy_from(&a);
        assert_eq!((a.stamp(0), a.text(0)), (b.stamp(0), b.text(0)));
    }

    #[test]
    fn sizes_are_bounded() {
        let frame = frame(u16::MAX, u16::MAX);
        assert!(usize::from(frame.size().cols) * usize::from(frame.size().rows) <= Frame::MAX_CELLS);
        let mut none = Frame::new(Size { cols: 0, rows: 5 });
        none.put_str(0, 0, "x", Style::default());
        none.fill(Rect { x: 0, y: 0, cols: 9, rows: 9 }, Cell::BLANK);
    }

    #[test]
    fn a_sweep_keeps_what_is_seen() {
        let mut frame = frame(4, 1);
        for point in 0..5000u32 {
            let cluster: String = ['a', char::from_u32(0x1f300 + point).unwrap_or('b'), '\u{301}'].iter().collect();
            frame.graphemes.intern(&cluster);
        }
        frame.put_str(0, 0, "e\u{301}f", Style::default());
        frame.sweep();
        assert_eq!((frame.text(0).as_str(), frame.graphemes().len()), ("e\u{301}f", 1));
    }
}
