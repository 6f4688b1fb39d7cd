//! The terminal as it is while it is painted: where its cursor is, what its pen is like.

use super::cursor::{self, decimal};
use crate::caps::{Ability, Caps, Colors, acs_fallback, acs_key, acs_unicode};
use crate::cell::{Cell, Extra};
use crate::frame::{Frame, SEEN_ON_BLANK};
use crate::style::{Attrs, Color, ColorKind, Style, Underline};
use smallvec::SmallVec;

/// LEFT-TO-RIGHT ISOLATE: a text begins that is laid out by itself.
const ISOLATE_START: char = '\u{2066}';
/// POP DIRECTIONAL ISOLATE: it ends.
const ISOLATE_END: char = '\u{2069}';

/// Collects bytes and remembers what they do to the terminal.
pub(super) struct Painter<'a> {
    /// What has been written.
    pub out: Vec<u8>,
    /// What the terminal can do.
    pub caps: &'a Caps,
    /// The frame that is painted, whose tables the cells point into.
    pub frame: &'a Frame,
    /// Column and row of the cursor, where known.
    at: Option<(u16, u16)>,
    /// The row over whose right margin the cursor hangs: the next character begins the row below.
    hanging: Option<u16>,
    /// What was last asked of the pen: fg, bg, attributes and extra of a cell.
    asked: Cell,
    /// What the pen is, brought down to the terminal.
    style: Style,
    /// Whether the DEC special graphics set is in use.
    drawing: bool,
    /// The extra whose link is open; 0 for none.
    link: u16,
}

impl<'a> Painter<'a> {
    pub(super) fn new(caps: &'a Caps, frame: &'a Frame, at: Option<(u16, u16)>) -> Painter<'a> {
        let size = frame.size();
        let at = at.map(|(x, y)| (x.min(size.cols.saturating_sub(1)), y.min(size.rows.saturating_sub(1))));
        Painter {
            out: Vec::new(),
            caps,
            frame,
            at,
            hanging: None,
            asked: Cell::BLANK,
            style: Style::default(),
            drawing: false,
            link: 0,
        }
    }

    /// Column and row of the cursor, where known.
    pub(super) fn at(&self) -> Option<(u16, u16)> {
        self.at
    }

    /// The cursor may be anywhere from here on.
    pub(super) fn lost(&mut self) {
        self.at = None;
        self.hanging = None;
    }

    /// Whether a character in the last column moves the cursor to the next row at once, and so scrolls from the last. A
    /// terminal that claims no margins at all is not trusted with that cell either.
    pub(super) fn wraps_at_once(&self) -> bool {
        !self.caps.has(Ability::AUTO_MARGIN | Ability::DEFERRED_WRAP)
    }

    /// Moves the cursor.
    pub(super) fn goto(&mut self, x: u16, y: u16) {
        cursor::goto(&mut self.out, self.at, (x, y), self.caps);
        self.at = Some((x, y));
        self.hanging = None;
    }

    /// Lets the terminal wrap to row `y` by itself, where the row above goes on in it. Then a character must follow.
    pub(super) fn wrap_to(&mut self, y: u16) {
        if self.hanging.is_some_and(|row| row + 1 == y && self.frame.wraps(row)) {
            self.at = Some((0, y));
            self.hanging = None;
        }
    }

    /// Blanks the screen and puts the cursor home.
    pub(super) fn clear(&mut self) {
        self.plain();
        self.out.extend_from_slice(&super::clear(self.caps));
        self.lost();
    }

    /// The plain pen: no attribute, colour, link or line drawing.
    pub(super) fn plain(&mut self) {
        if !self.pen_is(Cell::BLANK) {
            self.change_pen(Cell::BLANK);
        }
        self.draw_lines(false);
    }

    /// Makes the pen one that gives a cell its look.
    pub(super) fn pen(&mut self, cell: Cell) {
        if !self.pen_is(cell) && !self.blank_with_pen(cell) {
            self.change_pen(cell);
        }
    }

    /// True when a cell is a blank with nothing but a background, and the pen writes blanks that look like it: of its
    /// foreground, and of bold and the like, a blank shows nothing. Without colours a background is shown in reverse,
    /// or not, by the attributes and the foreground too, so there equal backgrounds may look different.
    fn blank_with_pen(&self, cell: Cell) -> bool {
        cell == Cell { bg: cell.bg, ..Cell::BLANK }
            && cell.bg == self.asked.bg
            && (self.caps.colors != Colors::None || cell.bg.is_default())
            && !self.style.attrs.intersects(SEEN_ON_BLANK)
            && self.frame.extras().get(self.link).link.is_none()
    }

    /// Makes the pen that of the cell after some blanks where it gives these their look too, so that it changes once.
    pub(super) fn pen_before(&mut self, blank: Cell, next: Cell) {
        let fits = next.bg == blank.bg && next.ext == 0 && !next.attrs.intersects(SEEN_ON_BLANK);
        if fits && self.caps.colors != Colors::None && !self.pen_fits(blank) {
            self.pen(next);
        }
    }

    fn change_pen(&mut self, cell: Cell) {
        self.asked = cell;
        let extra = self.frame.extras().get(cell.ext);
        let attrs = cell.attrs.difference(Attrs::CHARSET | Attrs::ISOLATE);
        let style = self.caps.reduce(Style { fg: cell.fg, bg: cell.bg, us: extra.us, attrs });
        change(&mut self.out, self.style, style, self.caps);
        self.style = style;
        if cell.ext != self.link && self.caps.has(Ability::HYPERLINKS) {
            self.open_link(cell.ext, extra);
        }
    }

    /// True when the pen is already that of a cell.
    fn pen_is(&self, cell: Cell) -> bool {
        let last = self.asked;
        (cell.fg, cell.bg, cell.attrs, cell.ext) == (last.fg, last.bg, last.attrs, last.ext)
    }

    /// True when writing a cell costs its text only.
    pub(super) fn pen_fits(&self, cell: Cell) -> bool {
        self.pen_is(cell) || self.blank_with_pen(cell)
    }

    /// Whether erasing gives this background on this terminal.
    pub(super) fn erases_with(&self, bg: Color) -> bool {
        bg.is_default()
            || self.caps.has(Ability::BACK_COLOR_ERASE) && self.caps.colors != Colors::None
            || self.caps.reduce(Style { bg, ..Style::default() }) == Style::default()
    }

    /// Writes one cell where the cursor is.
    pub(super) fn cell(&mut self, cell: Cell) {
        self.pen(cell);
        let isolates = self.caps.utf8 && self.caps.has(Ability::BIDI) && cell.attrs.contains(Attrs::ISOLATE);
        if isolates {
            self.isolate(ISOLATE_END);
        }
        let width = if cell.glyph.is_wide() { 2 } else { 1 };
        let mut sure = true;
        match (cell.glyph.grapheme_index(), cell.glyph.as_char()) {
            (Some(index), _) => {
                let text = self.frame.graphemes().text(index);
                sure = self.cluster(text, width);
            }
            (None, Some(c)) => self.character(c, cell.attrs.contains(Attrs::CHARSET), width),
            (None, None) => self.character(' ', false, width),
        }
        if isolates {
            self.isolate(ISOLATE_START);
        }
        let cols = self.frame.size().cols;
        let hangs = self.caps.has(Ability::AUTO_MARGIN | Ability::DEFERRED_WRAP) && sure;
        self.hanging = self.at.filter(|(x, _)| hangs && x.saturating_add(width) == cols).map(|(_, y)| y);
        // In the last column the cursor hangs over the margin, and terminals differ in the width of clusters.
        self.at = self.at.map(|(x, y)| (x.saturating_add(width), y)).filter(|(x, _)| sure && *x < cols);
    }

    /// Begins or ends a text with a direction of its own; it takes no column.
    fn isolate(&mut self, mark: char) {
        self.draw_lines(false);
        let mut buffer = [0; 4];
        self.out.extend_from_slice(mark.encode_utf8(&mut buffer).as_bytes());
    }

    /// Repeats the last character, which was one column wide.
    pub(super) fn repeat(&mut self, count: u16) {
        self.out.extend_from_slice(&cursor::csi(count, b'b'));
        let cols = self.frame.size().cols;
        self.at = self.at.map(|(x, y)| (x.saturating_add(count), y)).filter(|(x, _)| *x < cols);
    }

    /// Writes a cluster; true when every terminal agrees on where the cursor is afterwards.
    fn cluster(&mut self, text: &str, width: u16) -> bool {
        if self.caps.utf8 {
            self.draw_lines(false);
            let clean = text.chars().filter(|c| !c.is_control());
            let mut buffer = [0; 4];
            clean.for_each(|c| self.out.extend_from_slice(c.encode_utf8(&mut buffer).as_bytes()));
            return false;
        }
        self.character(text.chars().next().unwrap_or(' '), false, width);
        true
    }

    fn character(&mut self, c: char, charset: bool, width: u16) {
        let key = match (charset, c.is_ascii()) {
            (true, true) => acs_unicode(c).map(|_| c as u8),
            (false, true) => None,
            (_, false) => self.line_key(c),
        };
        if let Some(key) = key {
            return self.line(key);
        }
        self.draw_lines(false);
        if c.is_ascii() {
            self.out.push(if c.is_control() { b' ' } else { c as u8 });
        } else if self.caps.utf8 {
            let mut buffer = [0; 4];
            self.out.extend_from_slice(c.encode_utf8(&mut buffer).as_bytes());
        } else {
            self.out.extend(std::iter::repeat_n(b'_', usize::from(width)));
        }
    }

    /// The code in the DEC set of a character that cannot be written as it is.
    fn line_key(&self, c: char) -> Option<u8> {
        if self.caps.utf8 { None } else { acs_key(c) }
    }

    /// Writes a line drawing character by its code in the DEC set.
    fn line(&mut self, key: u8) {
        if !self.caps.needs_line_drawing() {
            self.draw_lines(false);
            let c = acs_unicode(char::from(key)).unwrap_or(' ');
            let mut buffer = [0; 4];
            self.out.extend_from_slice(c.encode_utf8(&mut buffer).as_bytes());
        } else if self.caps.has(Ability::LINE_DRAWING) {
            self.draw_lines(true);
            self.out.push(key);
        } else {
            self.out.push(acs_fallback(key));
        }
    }

    fn draw_lines(&mut self, on: bool) {
        if self.drawing != on {
            self.out.extend_from_slice(if on { b"\x1b(0" } else { b"\x1b(B" });
            self.drawing = on;
        }
    }

    fn open_link(&mut self, ext: u16, extra: &Extra) {
        let open = &self.frame.extras().get(self.link).link;
        if *open != extra.link {
            let clean = |text: &str| text.chars().filter(|c| !c.is_control()).collect::<String>();
            let link = match &extra.link {
                None => "\x1b]8;;\x1b\\".to_owned(),
                Some(link) if link.id.is_empty() => format!("\x1b]8;;{}\x1b\\", clean(&link.uri)),
                Some(link) => format!("\x1b]8;id={};{}\x1b\\", clean(&link.id), clean(&link.uri)),
            };
            self.out.extend_from_slice(link.as_bytes());
        }
        self.link = ext;
    }
}

type Params = SmallVec<[u8; 64]>;

/// Appends the shortest SGR that turns one pen into another.
fn change(out: &mut Vec<u8>, from: Style, to: Style, caps: &Caps) {
    if from == to {
        return;
    }
    let mut params = Params::new();
    let stepwise = stepwise(from, to, caps);
    // Where nothing is taken away, setting all anew sets no less.
    let fewest = stepwise.as_ref().is_some_and(|_| !takes_away(from, to));
    if !fewest && to != Style::default() {
        params.push(b'0');
        step(&mut params, Style::default(), to);
    }
    if let Some(stepwise) = stepwise.filter(|stepwise| fewest || stepwise.len() <= params.len()) {
        params = stepwise;
    }
    out.extend_from_slice(b"\x1b[");
    out.extend_from_slice(&params);
    out.push(b'm');
}

/// Whether something of a pen is to become plain.
fn takes_away(from: Style, to: Style) -> bool {
    let plain = |was: Color, will: Color| will.is_default() && !was.is_default();
    !to.attrs.contains(from.attrs.difference(Attrs::UNDERLINE_MASK))
        || from.attrs.underline() != Underline::None && to.attrs.underline() == Underline::None
        || plain(from.fg, to.fg)
        || plain(from.bg, to.bg)
        || plain(from.us, to.us)
}

/// The parameters that change only what differs, unless the terminal cannot take away what must go.
fn stepwise(from: Style, to: Style, caps: &Caps) -> Option<Params> {
    let gone = from.attrs.difference(to.attrs).difference(Attrs::UNDERLINE_MASK);
    let bare = from.attrs.underline() != Underline::None && to.attrs.underline() == Underline::None;
    if (!gone.is_empty() || bare) && !caps.has(Ability::ATTRIBUTE_OFF) {
        return None;
    }
    let uncolored = to.fg.is_default() && !from.fg.is_default() || to.bg.is_default() && !from.bg.is_default();
    if uncolored && !caps.has(Ability::DEFAULT_COLOR) {
        return None;
    }
    let mut params = Params::new();
    step(&mut params, from, to);
    Some(params)
}

/// Attribute, the parameter that sets it, the parameter that takes it away.
static SGR: &[(Attrs, &[u8], &[u8])] = &[
    (Attrs::BOLD, b"1", b"22"),
    (Attrs::DIM, b"2", b"22"),
    (Attrs::ITALIC, b"3", b"23"),
    (Attrs::BLINK, b"5", b"25"),
    (Attrs::REVERSE, b"7", b"27"),
    (Attrs::HIDDEN, b"8", b"28"),
    (Attrs::STRIKE, b"9", b"29"),
    (Attrs::OVERLINE, b"53", b"55"),
];

fn param(params: &mut Params, text: &[u8]) {
    if !params.is_empty() {
        params.push(b';');
    }
    params.extend_from_slice(text);
}

fn step(params: &mut Params, from: Style, to: Style) {
    let intensity = Attrs::BOLD | Attrs::DIM;
    let mut have = from.attrs;
    if !from.attrs.difference(to.attrs).intersection(intensity).is_empty() {
        // 22 takes both away.
        param(params, b"22");
        have.remove(intensity);
    }
    for (attr, _, off) in SGR {
        if have.contains(*attr) && !to.attrs.contains(*attr) {
            param(params, off);
        }
    }
    for (attr, on, _) in SGR {
        if !have.contains(*attr) && to.attrs.contains(*attr) {
            param(params, on);
        }
    }
    if from.attrs.underline() != to.attrs.underline() {
        param(
            params,
            match to.attrs.underline() {
                Underline::None => b"24",
                Underline::Single => b"4",
                Underline::Double => b"4:2",
                Underline::Curly => b"4:3",
                Underline::Dotted => b"4:4",
                Underline::Dashed => b"4:5",
            },
        );
    }
    if from.fg != to.fg {
        color(params, to.fg, 30);
    }
    if from.bg != to.bg {
        color(params, to.bg, 40);
    }
    if from.us != to.us {
        underline_color(params, to.us);
    }
}

/// A foreground (`base` 30) or background (40).
fn color(params: &mut Params, color: Color, base: u16) {
    match color.kind() {
        ColorKind::Default => numbers(params, b';', &[base + 9]),
        ColorKind::Ansi(n @ 0..8) | ColorKind::Indexed(n @ 0..8) => numbers(params, b';', &[base + u16::from(n)]),
        ColorKind::Ansi(n) | ColorKind::Indexed(n @ 8..16) => numbers(params, b';', &[base + 52 + u16::from(n)]),
        ColorKind::Indexed(n) => numbers(params, b';', &[base + 8, 5, u16::from(n)]),
        ColorKind::Rgb(r, g, b) => numbers(params, b';', &[base + 8, 2, u16::from(r), u16::from(g), u16::from(b)]),
    }
}

fn underline_color(params: &mut Params, color: Color) {
    match color.kind() {
        ColorKind::Default => numbers(params, b':', &[59]),
        ColorKind::Ansi(n) | ColorKind::Indexed(n) => numbers(params, b':', &[58, 5, u16::from(n)]),
        ColorKind::Rgb(r, g, b) => {
            // The empty place is that of the colour space.
            param(params, b"58:2:");
            [r, g, b].iter().for_each(|part| {
                params.push(b':');
                decimal(params, u16::from(*part));
            });
        }
    }
}

/// One parameter of several parts, or several parameters, after those that are there.
fn numbers(params: &mut Params, separator: u8, numbers: &[u16]) {
    for (at, number) in numbers.iter().enumerate() {
        if at > 0 {
            params.push(separator);
        } else if !params.is_empty() {
            params.push(b';');
        }
        decimal(params, *number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::caps::Claim;

    fn sgr(term: &str, from: Style, to: Style) -> String {
        let mut out = Vec::new();
        change(&mut out, from, to, &Caps::new(Claim { term, utf8: true, ..Claim::default() }, &[], &[]));
        String::from_utf8(out).unwrap().replace('\x1b', "E")
    }

    #[test]
    fn only_what_differs_is_set() {
        let plain = Style::default();
        let bold = Style { attrs: Attrs::BOLD, ..plain };
        let red = Style { fg: Color::ansi(1), ..bold };
        assert_eq!(sgr("foot", plain, plain), "");
        assert_eq!(sgr("foot", plain, red), "E[1;31m");
        assert_eq!(sgr("foot", red, bold), "E[39m");
        assert_eq!(sgr("foot", red, plain), "E[m");
        assert_eq!(sgr("vt100", red, bold), "E[0;1m");
        assert_eq!(sgr("foot", Style { attrs: Attrs::BOLD | Attrs::DIM, ..red }, red), "E[22;1m");
        let blue = Style { bg: Color::indexed(12), ..plain };
        assert_eq!(sgr("foot", plain, blue), "E[104m");
        assert_eq!(sgr("foot", blue, Style { bg: Color::rgb(1, 2, 3), ..plain }), "E[48;2;1;2;3m");
    }

    #[test]
    fn underlines_have_forms_and_colours() {
        let curly = Style {
            us: Color::rgb(9, 8, 7),
            attrs: Attrs::empty().with_underline(Underline::Curly),
            ..Style::default()
        };
        assert_eq!(sgr("foot", Style::default(), curly), "E[0;4:3;58:2::9:8:7m".replace("0;", ""));
        assert_eq!(sgr("foot", curly, Style { us: Color::DEFAULT, ..curly }), "E[59m");
    }
}
