//! SGR: colours and attributes of the pen.

use super::Screen;
use crate::grid::line::SPACE;
use crate::parser::Params;
use crate::style::{Attrs, Color, Underline};

/// Which colour an extended colour sets.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Target {
    Fg,
    Bg,
    Us,
}

impl Target {
    fn of(code: i32) -> Option<Target> {
        match code {
            38 => Some(Target::Fg),
            48 => Some(Target::Bg),
            58 => Some(Target::Us),
            _ => None,
        }
    }
}

impl Screen {
    pub(super) fn sgr(&mut self, params: &Params<'_>) {
        if params.len() == 0 {
            self.pen.look = SPACE;
            self.pen.us = Color::DEFAULT;
            self.pen.link = None;
            return;
        }
        let mut i = 0;
        while i < params.len() {
            if let Some(text) = params.text(i) {
                self.sgr_colon(text);
                i += 1;
                continue;
            }
            let code = params.get(i, 0, 0);
            i += 1;
            match Target::of(code) {
                Some(target) => i += self.sgr_colour(target, params, i),
                None => self.sgr_code(code),
            }
        }
    }

    /// An extended colour with semicolons, its kind at `i`; how many parameters it took.
    fn sgr_colour(&mut self, target: Target, params: &Params<'_>, i: usize) -> usize {
        let value = |at: usize| params.get(i + at, 0, -1);
        match value(0) {
            2 => 1 + if self.set_rgb(target, [value(1), value(2), value(3)]) { 3 } else { 0 },
            5 => {
                self.set_indexed(target, value(1));
                2
            }
            _ => 1,
        }
    }

    fn set_colour(&mut self, target: Target, colour: Color) {
        match target {
            Target::Fg => self.pen.look.fg = colour,
            Target::Bg => self.pen.look.bg = colour,
            Target::Us => {
                self.pen.us = colour;
                self.settle_pen();
            }
        }
    }

    fn set_rgb(&mut self, target: Target, rgb: [i32; 3]) -> bool {
        let [Ok(r), Ok(g), Ok(b)] = rgb.map(u8::try_from) else { return false };
        self.set_colour(target, Color::rgb(r, g, b));
        true
    }

    fn set_indexed(&mut self, target: Target, index: i32) {
        match u8::try_from(index) {
            Ok(index) => self.set_colour(target, Color::indexed(index)),
            Err(_) if target == Target::Us => {}
            Err(_) => self.set_colour(target, Color::DEFAULT),
        }
    }

    /// A parameter with sub-parameters.
    fn sgr_colon(&mut self, text: &[u8]) {
        let mut p = [-1; 8];
        let mut n = 0;
        for part in text.split(|&byte| byte == b':') {
            if !part.is_empty() {
                let number = std::str::from_utf8(part).ok().and_then(|part| part.parse::<i32>().ok());
                let Some(number) = number else { return };
                p[n] = number;
            }
            n += 1;
            if n == p.len() {
                return;
            }
        }
        if p[0] == 4 {
            if n == 2 {
                self.set_underline(p[1]);
            }
            return;
        }
        let Some(target) = Target::of(p[0]) else { return };
        match p[1] {
            2 if n >= 3 => {
                // With a colour space there is one more before the colours.
                let at = if n == 5 { 2 } else { 3 };
                if n >= at + 3 {
                    self.set_rgb(target, [p[at], p[at + 1], p[at + 2]]);
                }
            }
            5 if n >= 3 => self.set_indexed(target, p[2]),
            _ => {}
        }
    }

    fn set_underline(&mut self, style: i32) {
        let style = match style {
            0 => Underline::None,
            1 => Underline::Single,
            2 => Underline::Double,
            3 => Underline::Curly,
            4 => Underline::Dotted,
            5 => Underline::Dashed,
            _ => return,
        };
        self.pen.look.attrs = self.pen.look.attrs.with_underline(style);
    }

    fn sgr_code(&mut self, code: i32) {
        let attrs = &mut self.pen.look.attrs;
        match code {
            0 => {
                let us = std::mem::take(&mut self.pen.us);
                self.pen.look = crate::cell::Cell { ext: self.pen.look.ext, ..SPACE };
                if !us.is_default() {
                    self.settle_pen();
                }
            }
            1 => attrs.insert(Attrs::BOLD),
            2 => attrs.insert(Attrs::DIM),
            3 => attrs.insert(Attrs::ITALIC),
            4 => self.set_underline(1),
            5 | 6 => attrs.insert(Attrs::BLINK),
            7 => attrs.insert(Attrs::REVERSE),
            8 => attrs.insert(Attrs::HIDDEN),
            9 => attrs.insert(Attrs::STRIKE),
            21 => self.set_underline(2),
            22 => attrs.remove(Attrs::BOLD | Attrs::DIM),
            23 => attrs.remove(Attrs::ITALIC),
            24 => self.set_underline(0),
            25 => attrs.remove(Attrs::BLINK),
            27 => attrs.remove(Attrs::REVERSE),
            28 => attrs.remove(Attrs::HIDDEN),
            29 => attrs.remove(Attrs::STRIKE),
            30..=37 => self.pen.look.fg = Color::ansi((code - 30) as u8),
            39 => self.pen.look.fg = Color::DEFAULT,
            40..=47 => self.pen.look.bg = Color::ansi((code - 40) as u8),
            49 => self.pen.look.bg = Color::DEFAULT,
            53 => attrs.insert(Attrs::OVERLINE),
            55 => attrs.remove(Attrs::OVERLINE),
            59 => self.set_colour(Target::Us, Color::DEFAULT),
            90..=97 => self.pen.look.fg = Color::ansi((code - 82) as u8),
            100..=107 => self.pen.look.bg = Color::ansi((code - 92) as u8),
            -1 => {}
            _ => self.unknown += 1,
        }
    }
}
