//! A terminal as bytes and back: checkpoints (history pages stay in their store) and snapshots (newest pages inside).
//!
//! Lines are written in the form of the history, never as escape sequences. Reading believes nothing: lengths are
//! checked against what is there, numbers against their range, pages against their check sums.
//!
//! ```text
//! file = "rove" version:u16 length:u32 body crc32(body):u32          all little-endian
//! ```
//! Settings are not part of it; events that were not taken are not either.

use crate::cell::{Cell, Extra, Link};
use crate::grid::Grid;
use crate::grid::history::{Front, PAGE_BYTES, Page, PageStore, intern};
use crate::grid::line::{Line, SPACE};
use crate::grid::record::{self, Item, put_colour, put_line, put_number, take_colour, take_number};
use crate::grid::trail::{self, Layout, Trail};
use crate::modes::Modes;
use crate::parser::{MAX_HEAD, MAX_PAYLOAD, State};
use crate::screen::{MAX_KEYBOARD, MAX_TITLES, Palette, Pen, SavedCursor, Screen};
use crate::style::{Attrs, Color};
use crate::terminal::{Cursor, CursorStyle, MAX_SIZE, Progress, ProgressState, Size, Terminal};
use crate::text::MAX_NAME;

const MAGIC: &[u8; 4] = b"rove";
const VERSION: u16 = 2;
const HEAD: usize = 10;

/// Why bytes are not a terminal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SnapshotError {
    /// They do not begin as one.
    #[error("not a snapshot of a terminal")]
    Magic,
    /// They were written by another version.
    #[error("snapshot version {0} is not known")]
    Version(u16),
    /// They are cut off.
    #[error("snapshot is cut off")]
    Length,
    /// They were changed or torn.
    #[error("snapshot has a wrong check sum")]
    Checksum,
    /// They say what cannot be.
    #[error("snapshot is not well formed")]
    Malformed,
}

type Result<T> = std::result::Result<T, SnapshotError>;

struct Writer(Vec<u8>);

impl Writer {
    fn number(&mut self, value: impl TryInto<u64>) {
        put_number(&mut self.0, value.try_into().unwrap_or(0));
    }

    fn flag(&mut self, value: bool) {
        self.0.push(u8::from(value));
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len());
        self.0.extend_from_slice(bytes);
    }

    fn colour(&mut self, colour: Color) {
        put_colour(&mut self.0, colour);
    }

    fn link(&mut self, link: Option<&Link>) {
        self.flag(link.is_some());
        if let Some(link) = link {
            self.bytes(link.uri.as_bytes());
            self.bytes(link.id.as_bytes());
        }
    }

    fn pen(&mut self, pen: &Pen) {
        self.colour(pen.look.fg);
        self.colour(pen.look.bg);
        self.number(pen.look.attrs.bits());
        self.colour(pen.us);
        self.link(pen.link.as_ref());
        self.number(u8::from(pen.shifted) | u8::from(pen.drawing[0]) << 1 | u8::from(pen.drawing[1]) << 2);
    }

    fn finish(self) -> Vec<u8> {
        let body = self.0;
        let mut out = Vec::with_capacity(body.len() + HEAD + 4);
        out.extend_from_slice(MAGIC);
        out.extend_from_slice(&VERSION.to_le_bytes());
        out.extend_from_slice(&(body.len() as u32).to_le_bytes());
        out.extend_from_slice(&body);
        out.extend_from_slice(&crc32fast::hash(&body).to_le_bytes());
        out
    }
}

struct Reader<'b>(&'b [u8]);

impl<'b> Reader<'b> {
    fn open(bytes: &'b [u8]) -> Result<Reader<'b>> {
        if bytes.get(..4) != Some(MAGIC) {
            return Err(SnapshotError::Magic);
        }
        let head = bytes.get(..HEAD).ok_or(SnapshotError::Length)?;
        let version = u16::from_le_bytes([head[4], head[5]]);
        if version != VERSION {
            return Err(SnapshotError::Version(version));
        }
        let len = u32::from_le_bytes([head[6], head[7], head[8], head[9]]) as usize;
        let rest = &bytes[HEAD..];
        let body = rest.get(..len).ok_or(SnapshotError::Length)?;
        let sum = rest.get(len..len + 4).ok_or(SnapshotError::Length)?;
        if sum != crc32fast::hash(body).to_le_bytes() {
            return Err(SnapshotError::Checksum);
        }
        Ok(Reader(body))
    }

    fn number(&mut self) -> Result<u64> {
        take_number(&mut self.0).ok_or(SnapshotError::Malformed)
    }

    /// A number of at most `most`.
    fn up_to(&mut self, most: u64) -> Result<u64> {
        self.number().and_then(|value| if value <= most { Ok(value) } else { Err(SnapshotError::Malformed) })
    }

    fn byte(&mut self, most: u8) -> Result<u8> {
        self.up_to(u64::from(most)).map(|value| value as u8)
    }

    fn flag(&mut self) -> Result<bool> {
        self.byte(1).map(|value| value == 1)
    }

    fn bytes(&mut self, most: usize) -> Result<&'b [u8]> {
        let len = self.up_to(most as u64)? as usize;
        let (front, rest) = self.0.split_at_checked(len).ok_or(SnapshotError::Malformed)?;
        self.0 = rest;
        Ok(front)
    }

    fn text(&mut self, most: usize) -> Result<String> {
        String::from_utf8(self.bytes(most)?.to_vec()).map_err(|_| SnapshotError::Malformed)
    }

    fn colour(&mut self) -> Result<Color> {
        take_colour(&mut self.0).ok_or(SnapshotError::Malformed)
    }

    fn link(&mut self) -> Result<Option<Link>> {
        const MAX: usize = 1 << 16;
        Ok(if self.flag()? { Some(Link { uri: self.text(MAX)?.into(), id: self.text(MAX)?.into() }) } else { None })
    }

    fn pen(&mut self, screen: &mut Screen) -> Result<Pen> {
        let (fg, bg) = (self.colour()?, self.colour()?);
        let attrs = Attrs::from_bits_truncate(self.up_to(u64::from(u16::MAX))? as u16);
        let (us, link) = (self.colour()?, self.link()?);
        let bits = self.byte(7)?;
        let ext = screen.extras.intern(Extra { us, link: link.clone() });
        Ok(Pen {
            look: Cell { fg, bg, attrs, ext, ..SPACE },
            us,
            link,
            shifted: bits & 1 != 0,
            drawing: [bits & 2 != 0, bits & 4 != 0],
        })
    }
}

impl Terminal {
    /// Everything but the closed history pages, which stay in the store.
    pub fn checkpoint(&self) -> Vec<u8> {
        self.write(None)
    }

    /// Everything, with the newest history pages up to about this many bytes. Older history is left out.
    pub fn snapshot(&self, history_bytes: usize) -> Vec<u8> {
        self.write(Some(history_bytes))
    }

    /// The terminal of a checkpoint, with the store that has its pages. Pages that are gone or torn cost the history
    /// up to them.
    pub fn from_checkpoint(bytes: &[u8], store: Box<dyn PageStore>) -> Result<Terminal> {
        read(bytes, store)
    }

    /// The terminal of a snapshot; its pages are put into `store`.
    pub fn from_snapshot(bytes: &[u8], store: Box<dyn PageStore>) -> Result<Terminal> {
        read(bytes, store)
    }

    /// Whether these bytes are a whole snapshot of this version, without reading what is in it.
    pub fn check_snapshot(bytes: &[u8]) -> Result<()> {
        Reader::open(bytes).map(drop)
    }

    fn write(&self, pages: Option<usize>) -> Vec<u8> {
        let mut out = Writer(Vec::with_capacity(4096));
        let screen = &self.screen;
        out.number(screen.size.cols);
        out.number(screen.size.rows);
        self.write_tables(&mut out);
        self.write_history(&mut out, pages);
        write_grid(&mut out, &screen.grid, screen);
        out.flag(screen.main.is_some());
        if let Some(main) = &screen.main {
            write_grid(&mut out, main, screen);
        }
        self.write_state(&mut out);
        self.write_parser(&mut out);
        out.finish()
    }

    /// Links and underline colours: history pages refer to them by number.
    fn write_tables(&self, out: &mut Writer) {
        let extras = &self.screen.extras;
        out.number(extras.len() - 1);
        for index in 1..extras.len() {
            let extra = extras.get(index as u16);
            out.colour(extra.us);
            out.link(extra.link.as_ref());
        }
    }

    fn write_history(&self, out: &mut Writer, budget: Option<usize>) {
        let history = &self.screen.history;
        out.number(history.limit);
        out.number(history.trail.layout().generation);
        out.number(history.trail.widths().len());
        for &cols in history.trail.widths() {
            out.number(cols);
        }
        out.number(history.pad);
        out.number(history.scrolled);
        let mut first = 0;
        if let Some(mut budget) = budget {
            first = history.pages.len();
            for page in history.pages.iter().rev() {
                let Some(left) = budget.checked_sub(page.len as usize) else { break };
                budget = left;
                first -= 1;
            }
        }
        out.flag(budget.is_some());
        let front = if first == 0 { history.front } else { Front::default() };
        out.number(front.offset);
        out.number(front.layout.cols);
        out.number(front.layout.generation);
        out.number(front.skip);
        out.number(history.pages.len() - first);
        for page in history.pages.iter().skip(first) {
            match budget {
                Some(_) => out.bytes(history.store.page(page.number).unwrap_or(&[])),
                None => {
                    out.number(page.number);
                    out.number(page.len);
                    out.number(page.crc);
                }
            }
        }
        out.bytes(&history.open);
    }

    fn write_state(&self, out: &mut Writer) {
        let screen = &self.screen;
        for cursor in [Some(screen.cursor), screen.main_cursor] {
            out.flag(cursor.is_some());
            let Cursor { col, row } = cursor.unwrap_or_default();
            out.number(col);
            out.number(row);
        }
        out.number(screen.upper);
        out.number(screen.lower);
        out.pen(&screen.pen);
        out.pen(&screen.main_pen);
        out.pen(&screen.saved.pen);
        out.number(screen.saved.col);
        out.number(screen.saved.row);
        out.flag(screen.saved.origin);
        out.number(screen.modes.bits());
        for x in 0..screen.size.cols.div_ceil(8) {
            let bits = (0..8).filter(|bit| screen.is_tab(x * 8 + bit)).fold(0, |bits, bit| bits | 1 << bit);
            out.0.push(bits);
        }
        out.number(screen.cursor_style as u8);
        out.colour(screen.cursor_colour.unwrap_or(Color::DEFAULT));
        out.bytes(screen.title.as_bytes());
        out.bytes(screen.path.as_bytes());
        out.number(screen.titles.len());
        for title in &screen.titles {
            out.bytes(title.as_bytes());
        }
        out.colour(screen.palette.fg);
        out.colour(screen.palette.bg);
        out.flag(screen.palette.entries.is_some());
        for &entry in screen.palette.entries.iter().flat_map(|entries| entries.iter()) {
            out.colour(entry);
        }
        out.number(screen.progress.state as u8);
        out.number(screen.progress.percent);
        out.number(screen.last.map_or(0, u32::from));
        for stack in &screen.keyboard {
            out.bytes(stack);
        }
        out.number(screen.unknown);
    }

    fn write_parser(&self, out: &mut Writer) {
        let parser = &self.parser;
        out.number(parser.state as u8);
        out.bytes(&parser.intermediates);
        out.bytes(&parser.parameters);
        // What is longer than is read back is given up: the rest of the string is dropped as it comes.
        let kept = &parser.payload[..parser.payload.len().min(MAX_PAYLOAD)];
        out.bytes(kept);
        out.flag(parser.discard || kept.len() < parser.payload.len());
        out.bytes(&parser.head);
        out.bytes(&parser.partial);
    }
}

fn write_grid(out: &mut Writer, grid: &Grid, screen: &Screen) {
    out.number(grid.cols);
    out.number(grid.rows());
    let mut lines = Vec::new();
    for y in 0..grid.rows() {
        put_line(&mut lines, grid.line(y), grid.cols as usize, &screen.graphemes);
    }
    out.bytes(&lines);
}

fn read(bytes: &[u8], store: Box<dyn PageStore>) -> Result<Terminal> {
    let mut from = Reader::open(bytes)?;
    let size = read_size(&mut from)?;
    let mut terminal = Terminal::with_store(size, 0, store);
    let screen = &mut terminal.screen;
    for _ in 0..from.up_to(u64::from(u16::MAX))? {
        let us = from.colour()?;
        let link = from.link()?;
        screen.extras.intern(Extra { us, link });
    }
    read_history(&mut from, screen)?;
    screen.grid = read_grid(&mut from, screen)?;
    if from.flag()? {
        screen.main = Some(read_grid(&mut from, screen)?);
    }
    if screen.grid.cols != size.cols || screen.grid.rows() != size.rows {
        return Err(SnapshotError::Malformed);
    }
    read_state(&mut from, screen)?;
    read_parser(&mut from, &mut terminal)?;
    if from.0.is_empty() { Ok(terminal) } else { Err(SnapshotError::Malformed) }
}

fn read_size(from: &mut Reader<'_>) -> Result<Size> {
    let cols = from.up_to(u64::from(MAX_SIZE))? as u16;
    let rows = from.up_to(u64::from(MAX_SIZE))? as u16;
    if cols == 0 || rows == 0 { Err(SnapshotError::Malformed) } else { Ok(Size { cols, rows }) }
}

fn read_grid(from: &mut Reader<'_>, screen: &mut Screen) -> Result<Grid> {
    let size = read_size(from)?;
    let mut bytes = from.bytes(usize::MAX)?;
    let mut lines: Vec<Line> = Vec::new();
    while let Some(item) = record::next(&mut bytes) {
        let Item::Line(record) = item else { return Err(SnapshotError::Malformed) };
        lines.push(record.line(size.cols as usize, &mut |text, wide| intern(&mut screen.graphemes, text, wide)));
        if lines.len() > size.rows as usize {
            return Err(SnapshotError::Malformed);
        }
    }
    if lines.len() != size.rows as usize || !bytes.is_empty() {
        return Err(SnapshotError::Malformed);
    }
    Ok(Grid::from_lines(size.cols, lines, 1))
}

/// The records of a page, the layout they have in common and whether the page is sound to its end.
fn survey(mut bytes: &[u8], mut layout: Layout) -> (u32, Option<Layout>, bool) {
    let (mut records, mut common) = (0, None);
    while !bytes.is_empty() {
        match record::next(&mut bytes) {
            Some(Item::Width(next)) => layout = next,
            Some(Item::Line(_)) => {
                records += 1;
                let one = common.get_or_insert(Some(layout));
                *one = one.filter(|&other| other == layout);
            }
            None => return (records, None, false),
        }
    }
    (records, common.unwrap_or(Some(layout)), true)
}

fn read_trail(from: &mut Reader<'_>) -> Result<Trail> {
    let generation = from.number()?;
    let count = from.up_to(trail::KEPT as u64)?;
    let widths =
        (0..count).map(|_| from.up_to(u64::from(MAX_SIZE)).map(|cols| cols as u16)).collect::<Result<Vec<u16>>>()?;
    if widths.is_empty() || widths.contains(&0) {
        Err(SnapshotError::Malformed)
    } else {
        Ok(Trail::restored(generation, widths))
    }
}

fn read_history(from: &mut Reader<'_>, screen: &mut Screen) -> Result<()> {
    let history = &mut screen.history;
    history.limit = from.up_to(u64::from(u32::MAX))? as u32;
    history.trail = read_trail(from)?;
    history.cols = history.trail.layout().cols;
    history.pad = usize::from(from.flag()?);
    let scrolled = from.up_to(u64::from(u32::MAX))? as usize;
    let inside = from.flag()?;
    let front = Front {
        offset: from.up_to(2 * PAGE_BYTES as u64)? as usize,
        layout: Layout { cols: from.up_to(u64::from(MAX_SIZE))? as u16, generation: from.number()? },
        skip: from.up_to(1 << 24)? as usize,
    };
    let mut front = Some(front);
    for _ in 0..from.up_to(1 << 24)? {
        let page = if inside {
            let bytes = from.bytes(2 * PAGE_BYTES)?;
            let number = history.store.range().end;
            history.store.push(bytes);
            Page { number, len: bytes.len() as u32, crc: crc32fast::hash(bytes), ..Page::default() }
        } else {
            let (number, len) = (from.number()?, from.up_to(2 * PAGE_BYTES as u64)? as u32);
            Page { number, len, crc: from.up_to(u64::from(u32::MAX))? as u32, ..Page::default() }
        };
        let begin = if history.pages.is_empty() { front.unwrap_or_default() } else { Front::default() };
        let sound = history.store.page(page.number).and_then(|bytes| {
            let right = bytes.len() == page.len as usize && crc32fast::hash(bytes) == page.crc;
            let (records, layout, whole) = survey(bytes.get(begin.offset..)?, begin.layout);
            (right && whole).then_some(Page { records, layout, ..page })
        });
        match sound {
            Some(page) => history.pages.push_back(page),
            None => {
                history.pages.clear();
                front = None;
            }
        }
    }
    let open = from.bytes(2 * PAGE_BYTES)?;
    let begin = if history.pages.is_empty() { front.unwrap_or_default() } else { Front::default() };
    let (records, layout, whole) = survey(open.get(begin.offset..).ok_or(SnapshotError::Malformed)?, begin.layout);
    if !whole {
        return Err(SnapshotError::Malformed);
    }
    history.restore(front.unwrap_or_default(), open.to_vec(), Page { records, layout, ..Page::default() }, scrolled);
    Ok(())
}

fn read_cursor(from: &mut Reader<'_>, size: Size) -> Result<Option<Cursor>> {
    let there = from.flag()?;
    let col = from.up_to(u64::from(size.cols))? as u16;
    let row = from.up_to(u64::from(size.rows) - 1)? as u16;
    Ok(there.then_some(Cursor { col, row }))
}

fn read_state(from: &mut Reader<'_>, screen: &mut Screen) -> Result<()> {
    let size = screen.size;
    screen.cursor = read_cursor(from, size)?.ok_or(SnapshotError::Malformed)?;
    screen.main_cursor = read_cursor(from, Size { cols: MAX_SIZE, rows: MAX_SIZE })?;
    screen.upper = from.up_to(u64::from(size.rows) - 1)? as u16;
    screen.lower = from.up_to(u64::from(size.rows) - 1)? as u16;
    if screen.upper > screen.lower {
        return Err(SnapshotError::Malformed);
    }
    screen.pen = from.pen(screen)?;
    screen.main_pen = from.pen(screen)?;
    let pen = from.pen(screen)?;
    let (col, row) = (from.up_to(u64::from(MAX_SIZE))? as u16, from.up_to(u64::from(MAX_SIZE))? as u16);
    screen.saved = SavedCursor { pen, col, row, origin: from.flag()? };
    screen.modes = Modes::from_bits(from.up_to(u64::from(u32::MAX))? as u32).ok_or(SnapshotError::Malformed)?;
    for x in 0..size.cols.div_ceil(8) {
        let (&bits, rest) = from.0.split_first().ok_or(SnapshotError::Malformed)?;
        from.0 = rest;
        for bit in 0..8 {
            screen.set_tab(x * 8 + bit, bits >> bit & 1 != 0);
        }
    }
    screen.cursor_style =
        [CursorStyle::Default, CursorStyle::Block, CursorStyle::Underline, CursorStyle::Bar][from.byte(3)? as usize];
    screen.cursor_colour = Some(from.colour()?).filter(|colour| !colour.is_default());
    screen.title = from.text(2 * MAX_NAME)?;
    screen.path = from.text(2 * MAX_NAME)?;
    for _ in 0..from.up_to(MAX_TITLES as u64)? {
        let title = from.text(2 * MAX_NAME)?;
        screen.titles.push(title);
    }
    screen.palette = read_palette(from)?;
    let state = [
        ProgressState::Hidden,
        ProgressState::Normal,
        ProgressState::Error,
        ProgressState::Indeterminate,
        ProgressState::Paused,
    ][from.byte(4)? as usize];
    screen.progress = Progress { state, percent: from.byte(100)? };
    let last = from.up_to(u64::from(u32::MAX))? as u32;
    screen.last = char::from_u32(last).filter(|&c| c != '\0');
    for stack in &mut screen.keyboard {
        *stack = from.bytes(MAX_KEYBOARD)?.to_vec();
    }
    screen.unknown = from.number()?;
    Ok(())
}

fn read_palette(from: &mut Reader<'_>) -> Result<Palette> {
    let (fg, bg) = (from.colour()?, from.colour()?);
    let mut entries = None;
    if from.flag()? {
        let mut colours = Box::new([Color::DEFAULT; 256]);
        for colour in colours.iter_mut() {
            *colour = from.colour()?;
        }
        entries = Some(colours);
    }
    Ok(Palette { entries, fg, bg })
}

fn read_parser(from: &mut Reader<'_>, terminal: &mut Terminal) -> Result<()> {
    let parser = &mut terminal.parser;
    parser.state = State::ALL[from.byte(State::ALL.len() as u8 - 1)? as usize];
    parser.intermediates = from.bytes(3)?.to_vec();
    parser.parameters = from.bytes(crate::parser::MAX_PARAMETER_BYTES)?.to_vec();
    parser.payload = from.bytes(MAX_PAYLOAD)?.to_vec();
    parser.discard = from.flag()?;
    parser.head = from.bytes(MAX_HEAD)?.to_vec();
    parser.partial = from.bytes(3)?.to_vec();
    let lead = parser.partial.first().map_or(Some(4), |&lead| crate::parser::utf8_length(lead));
    if lead.is_none_or(|len| len <= parser.partial.len()) {
        return Err(SnapshotError::Malformed);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::history::VecStore;

    fn terminal(bytes: &[u8]) -> Terminal {
        let mut terminal = Terminal::new(Size { cols: 20, rows: 5 }, 1000);
        terminal.feed(bytes);
        terminal
    }

    #[test]
    fn a_snapshot_is_the_terminal() {
        let bytes = "a\x1b[31mb\x1b]0;title\x07日e\u{301}\x1b[?1049h\x1b[2;3Hx\x1b]8;;http://x\x07y\x1b[?1".as_bytes();
        let mut text: Vec<u8> = (0..3000).flat_map(|i| format!("line {i}\r\n").into_bytes()).collect();
        text.extend_from_slice(bytes);
        let mut whole = terminal(&text);
        let snapshot = whole.snapshot(usize::MAX);
        let mut back = Terminal::from_snapshot(&snapshot, Box::new(VecStore::default())).expect("sound");
        assert_eq!(back.snapshot(usize::MAX), snapshot);
        whole.feed(b"2hz\x1b[?1049l");
        back.feed(b"2hz\x1b[?1049l");
        assert_eq!(back.snapshot(usize::MAX), whole.snapshot(usize::MAX));
    }

    /// Besides itself an idle terminal holds only its lines, their order and its tab stops.
    #[test]
    fn an_idle_terminal_is_small() {
        let lines = 24 * (size_of::<Line>() + size_of::<u16>());
        assert!(size_of::<Terminal>() + lines <= 3000, "{}", size_of::<Terminal>() + lines);
        assert!(Terminal::new(Size { cols: 80, rows: 24 }, 2000).checkpoint().len() < 400);
    }

    #[test]
    fn wrong_bytes_are_refused() {
        let open = |bytes: &[u8]| Terminal::from_snapshot(bytes, Box::new(VecStore::default())).err();
        let snapshot = terminal(b"hello").snapshot(0);
        assert_eq!(open(b""), Some(SnapshotError::Magic));
        assert_eq!(open(&snapshot[..7]), Some(SnapshotError::Length));
        for len in 0..snapshot.len() {
            assert!(open(&snapshot[..len]).is_some());
        }
        for at in 0..snapshot.len() {
            let mut bad = snapshot.clone();
            bad[at] ^= 0x10;
            assert!(open(&bad).is_some(), "byte {at}");
        }
    }
}
