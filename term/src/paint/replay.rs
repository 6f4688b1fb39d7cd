//! A terminal for the tests of painting: small, strict, and written apart from the engine.
//!
//! It fails on any sequence that the abilities it was given do not allow.

use crate::caps::{Ability, Caps, acs_unicode};
use crate::frame::width_of;
use crate::size::Size;
use crate::style::{Attrs, Color, Style, Underline};
use std::collections::BTreeMap;
use unicode_segmentation::UnicodeSegmentation;

#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Spot {
    /// What stands there; empty for the right half of a wide character.
    pub text: String,
    pub style: Style,
    /// Id and URI of the link.
    pub link: Option<(String, String)>,
}

pub(super) struct Replay {
    pub caps: Caps,
    pub size: Size,
    pub spots: Vec<Vec<Spot>>,
    pub x: usize,
    pub y: usize,
    /// The cursor hangs over the right margin.
    pub hanging: bool,
    pub pen: Spot,
    pub drawing: bool,
    pub region: (usize, usize),
    pub private: BTreeMap<u16, bool>,
    pub titles: Vec<String>,
    pub cursor_style: String,
    /// Rows that the terminal wrapped by itself.
    pub wrapped: usize,
    /// Rows scrolled off the top of the whole screen.
    pub scrolled: usize,
    last: String,
}

impl Replay {
    pub(super) fn new(caps: &Caps, size: Size) -> Replay {
        let pen = Spot { text: " ".into(), ..Spot::default() };
        Replay {
            caps: caps.clone(),
            size,
            spots: vec![vec![pen.clone(); usize::from(size.cols)]; usize::from(size.rows)],
            x: 0,
            y: 0,
            hanging: false,
            pen,
            drawing: false,
            region: (0, usize::from(size.rows).saturating_sub(1)),
            private: BTreeMap::new(),
            titles: Vec::new(),
            cursor_style: String::new(),
            wrapped: 0,
            scrolled: 0,
            last: String::new(),
        }
    }

    fn cols(&self) -> usize {
        usize::from(self.size.cols)
    }

    fn rows(&self) -> usize {
        usize::from(self.size.rows)
    }

    fn need(&self, ability: Ability, what: &str) {
        assert!(self.caps.has(ability), "{what} sent to {}", self.caps.term);
    }

    fn blank(&self) -> Spot {
        let bg = if self.caps.has(Ability::BACK_COLOR_ERASE) { self.pen.style.bg } else { Color::DEFAULT };
        Spot { text: " ".into(), style: Style { bg, ..Style::default() }, link: None }
    }

    pub(super) fn feed(&mut self, bytes: &[u8]) {
        let text = std::str::from_utf8(bytes).expect("output is UTF-8");
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            if first == '\x1b' {
                rest = self.escape(&rest[1..]);
            } else if first.is_control() {
                self.control(first);
                rest = &rest[first.len_utf8()..];
            } else {
                let end = rest.find(|c: char| c.is_control()).unwrap_or(rest.len());
                let (run, after) = rest.split_at(end);
                run.graphemes(true).for_each(|cluster| self.print(cluster));
                rest = after;
            }
        }
    }

    fn control(&mut self, c: char) {
        match c {
            '\r' => self.x = 0,
            '\n' => {
                assert!(!self.hanging, "line feed from over the margin");
                self.line_feed();
            }
            '\x08' => self.x = self.x.checked_sub(1).expect("backspace in the first column"),
            other => panic!("control {other:?}"),
        }
        self.hanging = false;
    }

    fn line_feed(&mut self) {
        if self.y == self.region.1 {
            self.scroll(1);
        } else {
            self.y += 1;
        }
    }

    fn scroll(&mut self, by: isize) {
        let (top, bottom) = self.region;
        if (top, bottom) == (0, self.rows() - 1) && by > 0 {
            self.scrolled += by as usize;
        }
        let blank = vec![self.blank(); self.cols()];
        for _ in 0..by.unsigned_abs() {
            if by > 0 {
                self.spots.remove(top);
                self.spots.insert(bottom, blank.clone());
            } else {
                self.spots.remove(bottom);
                self.spots.insert(top, blank.clone());
            }
        }
    }

    fn print(&mut self, cluster: &str) {
        let width = usize::from(width_of(cluster));
        assert!(width > 0, "{cluster:?} has no width");
        if self.hanging {
            self.wrap();
        }
        assert!(self.x + width <= self.cols(), "{cluster:?} over the margin");
        let shown = match cluster.chars().next().filter(|_| self.drawing).and_then(acs_unicode) {
            Some(line) => line.to_string(),
            None => cluster.to_owned(),
        };
        if self.spots[self.y][self.x].text.is_empty() {
            self.spots[self.y][self.x - 1].text = " ".into();
        }
        let after = self.x + width;
        if after < self.cols() && self.spots[self.y][after].text.is_empty() {
            self.spots[self.y][after].text = " ".into();
        }
        self.spots[self.y][self.x] = Spot { text: shown, ..self.pen.clone() };
        if width == 2 {
            self.spots[self.y][self.x + 1] = Spot { text: String::new(), ..self.pen.clone() };
        }
        self.last = cluster.to_owned();
        self.x += width;
        if self.x == self.cols() {
            self.x -= 1;
            let wraps = self.caps.has(Ability::AUTO_MARGIN) && self.private.get(&7) != Some(&false);
            self.hanging = wraps;
            if wraps && !self.caps.has(Ability::DEFERRED_WRAP) {
                self.wrap();
            }
        }
    }

    fn wrap(&mut self) {
        self.hanging = false;
        self.wrapped += 1;
        self.x = 0;
        self.line_feed();
    }

    /// What follows an ESC; returns what is left.
    fn escape<'t>(&mut self, rest: &'t str) -> &'t str {
        let (kind, after) = rest.split_at(1);
        match kind {
            "[" => {
                let end = after.find(|c: char| ('@'..='~').contains(&c)).expect("CSI has an end");
                let (params, last) = (&after[..end], after.as_bytes()[end]);
                self.csi(params, last);
                &after[end + 1..]
            }
            "]" => {
                let end = after.find(['\x07', '\x1b']).expect("OSC has an end");
                self.osc(&after[..end]);
                after[end..].strip_prefix('\x07').unwrap_or_else(|| &after[end + 2..])
            }
            "(" => {
                if self.caps.has(Ability::LINE_DRAWING) || after.starts_with('B') {
                    self.drawing = after.starts_with('0');
                } else {
                    panic!("line drawing sent to {}", self.caps.term);
                }
                &after[1..]
            }
            "M" => {
                self.need(Ability::REVERSE_INDEX, "RI");
                if self.y == self.region.0 {
                    self.scroll(-1)
                } else {
                    self.y -= 1
                }
                after
            }
            "=" | ">" => after,
            other => panic!("ESC {other:?}"),
        }
    }

    fn osc(&mut self, body: &str) {
        let (number, value) = body.split_once(';').unwrap_or((body, ""));
        match number {
            "0" | "7" => self.titles.push(value.to_owned()),
            "8" => {
                self.need(Ability::HYPERLINKS, "OSC 8");
                let (params, uri) = value.split_once(';').expect("OSC 8 has parameters");
                let id = params.strip_prefix("id=").unwrap_or("");
                self.pen.link = (!uri.is_empty()).then(|| (id.to_owned(), uri.to_owned()));
            }
            "9" => self.need(Ability::PROGRESS, "OSC 9"),
            "12" | "112" => self.need(Ability::CURSOR_COLOR, "OSC 12"),
            other => panic!("OSC {other}"),
        }
    }

    fn csi(&mut self, params: &str, last: u8) {
        if let Some(modes) = params.strip_prefix('?') {
            let mode = modes.parse().expect("one mode");
            self.private.insert(mode, last == b'h');
            return;
        }
        if params.starts_with(['>', '<', '=']) {
            return;
        }
        if last == b'q' {
            self.cursor_style = params.to_owned();
            return;
        }
        if last == b'm' {
            return self.sgr(params);
        }
        let numbers: Vec<usize> = params.split(';').map(|number| number.parse().unwrap_or(0)).collect();
        let first = numbers[0].max(1);
        let mut hanging = false;
        match last {
            b'H' => {
                self.y = first.min(self.rows()) - 1;
                self.x = numbers.get(1).copied().unwrap_or(1).clamp(1, self.cols()) - 1;
            }
            b'A' => self.y = self.y.checked_sub(first).expect("CUU in the screen"),
            b'B' => self.y += first,
            b'C' => self.x += first,
            b'D' => self.x = self.x.checked_sub(first).expect("CUB in the screen"),
            b'G' => self.x = first - 1,
            b'd' => self.y = first - 1,
            b'J' => {
                let (from_y, from_x) = if params == "2" { (0, 0) } else { (self.y, self.x) };
                let blank = self.blank();
                self.spots[from_y][from_x..].fill(blank.clone());
                self.spots[from_y + 1..].iter_mut().for_each(|row| row.fill(blank.clone()));
            }
            b'K' => {
                self.need(Ability::ERASE_LINE, "EL");
                assert!(!self.hanging, "EL from over the margin");
                let blank = self.blank();
                self.spots[self.y][self.x..].fill(blank);
            }
            b'X' => {
                self.need(Ability::ERASE_CHARS, "ECH");
                let (x, blank) = (self.x, self.blank());
                self.spots[self.y][x..x + first].fill(blank);
            }
            b'b' => {
                self.need(Ability::REPEAT, "REP");
                let text = self.last.clone();
                (0..first).for_each(|_| self.print(&text));
                hanging = self.hanging;
            }
            b'r' => {
                self.need(Ability::REGION, "DECSTBM");
                let bottom = numbers.get(1).copied().unwrap_or(self.rows());
                self.region = (first - 1, bottom - 1);
                (self.x, self.y) = (0, 0);
            }
            b'S' => {
                self.need(Ability::SCROLL_UP, "SU");
                self.scroll(first as isize);
            }
            b'T' => {
                self.need(Ability::SCROLL_DOWN, "SD");
                self.scroll(-(first as isize));
            }
            b'l' => {}
            other => panic!("CSI {params} {}", char::from(other)),
        }
        assert!(self.x < self.cols() && self.y < self.rows(), "cursor out of the screen");
        self.hanging = hanging;
    }

    fn sgr(&mut self, params: &str) {
        let mut params = params.split(';');
        while let Some(param) = params.next() {
            let mut parts = param.split(':');
            let number: u16 = parts.next().filter(|text| !text.is_empty()).map_or(0, |text| text.parse().unwrap());
            let sub: Vec<u8> = parts.map(|part| part.parse().unwrap_or(0)).collect();
            let style = &mut self.pen.style;
            let on = |attr: Attrs| (attr, true);
            let off = |attr: Attrs| (attr, false);
            let (attr, set) = match number {
                0 => {
                    *style = Style::default();
                    continue;
                }
                1 => on(Attrs::BOLD),
                2 => on(Attrs::DIM),
                3 => on(Attrs::ITALIC),
                5 => on(Attrs::BLINK),
                7 => on(Attrs::REVERSE),
                8 => on(Attrs::HIDDEN),
                9 => on(Attrs::STRIKE),
                53 => on(Attrs::OVERLINE),
                22 => off(Attrs::BOLD | Attrs::DIM),
                23 => off(Attrs::ITALIC),
                25 => off(Attrs::BLINK),
                27 => off(Attrs::REVERSE),
                28 => off(Attrs::HIDDEN),
                29 => off(Attrs::STRIKE),
                55 => off(Attrs::OVERLINE),
                4 | 24 => {
                    let kinds =
                        [Underline::None, Underline::Single, Underline::Double, Underline::Curly, Underline::Dotted];
                    let kind = match (number, sub.first()) {
                        (24, _) => Underline::None,
                        (_, None) => Underline::Single,
                        (_, Some(kind)) => kinds.get(usize::from(*kind)).copied().unwrap_or(Underline::Dashed),
                    };
                    style.attrs = style.attrs.with_underline(kind);
                    continue;
                }
                30..=37 => {
                    style.fg = Color::ansi((number - 30) as u8);
                    continue;
                }
                90..=97 => {
                    style.fg = Color::ansi((number - 82) as u8);
                    continue;
                }
                40..=47 => {
                    style.bg = Color::ansi((number - 40) as u8);
                    continue;
                }
                100..=107 => {
                    style.bg = Color::ansi((number - 92) as u8);
                    continue;
                }
                39 => {
                    style.fg = Color::DEFAULT;
                    continue;
                }
                49 => {
                    style.bg = Color::DEFAULT;
                    continue;
                }
                59 => {
                    style.us = Color::DEFAULT;
                    continue;
                }
                38 | 48 => {
                    let mut next = || params.next().and_then(|text| text.parse::<u8>().ok()).expect("colour");
                    let color = match next() {
                        5 => Color::indexed(next()),
                        _ => Color::rgb(next(), next(), next()),
                    };
                    if number == 38 {
                        style.fg = color
                    } else {
                        style.bg = color
                    }
                    continue;
                }
                58 => {
                    style.us = match sub[..] {
                        [5, n] => Color::indexed(n),
                        [2, _, r, g, b] => Color::rgb(r, g, b),
                        _ => panic!("underline colour {param}"),
                    };
                    continue;
                }
                other => panic!("SGR {other}"),
            };
            if !self.caps.has(Ability::ATTRIBUTE_OFF) && !set {
                panic!("SGR {number} sent to {}", self.caps.term);
            }
            style.attrs.set(attr, set);
        }
    }
}
