//! Runs of characters beyond ASCII, written without asking each for every rule.

use super::Screen;
use crate::cell::{Cell, Glyph};
use crate::grid::line::{LineFlags, padding_over, rich};
use crate::modes::Modes;
use crate::parser::decode;
use crate::style::Attrs;
use crate::width::{self, Class};

/// The character at the front and its length, if it is a printable one.
#[inline]
fn next_character(bytes: &[u8]) -> Option<(char, usize)> {
    match *bytes.first()? {
        byte @ 0x20..=0x7e => Some((byte as char, 1)),
        0x80.. => decode(bytes),
        _ => None,
    }
}

/// Whether writing over the first `width` cells leaves part of a character that is wider, or of a tab.
#[inline]
pub(super) fn belongs_to_another(cells: &[Cell], width: usize) -> bool {
    let touched = cells.iter().take(width + 1);
    touched.map(|cell| cell.glyph).any(Glyph::is_padding) || cells[0].glyph.tab_width().is_some()
}

impl Screen {
    /// Writes characters from the front of `bytes` for as long as each only covers cells of its own and joins none,
    /// within the line. Returns how many bytes that were; the character after them needs [`Screen::write_char`].
    // Kept out of the loop over ASCII, which is faster by itself.
    #[inline(never)]
    pub(crate) fn write_text(&mut self, bytes: &[u8]) -> usize {
        let look = self.pen.look;
        let simple = self.modes & (Modes::WRAP | Modes::INSERT) == Modes::WRAP
            && look.ext == 0
            && !look.attrs.contains(Attrs::CHARSET)
            && !self.pen.is_drawing();
        if !simple || self.left_is_open() {
            return 0;
        }
        let (cols, mut x) = (self.size.cols as usize, self.cursor.col as usize);
        let mut extended = rich(&look);
        let (mut done, mut last) = (0, None);
        let line = self.grid.line_mut(self.cursor.row);
        while let Some((c, len)) = next_character(&bytes[done..]) {
            let wide = match width::class(c) {
                Class::Narrow => false,
                Class::Wide => true,
                Class::Special => break,
            };
            let end = x + 1 + usize::from(wide);
            if end > cols {
                break;
            }
            line.expand(end, cols);
            // Past the used cells there are only blanks.
            if x < line.used as usize && belongs_to_another(&line.cells[x..], end - x) {
                break;
            }
            let under = &mut line.cells[x..end];
            under[0] = Cell { glyph: Glyph::point(c, wide), ..look };
            if let [_, second] = under {
                *second = padding_over(second, look.bg);
            }
            extended |= len > 1;
            (x, done, last) = (end, done + len, Some(c));
        }
        if last.is_some() {
            line.used = line.used.max(x as u16);
            line.flags.set(LineFlags::EXTENDED, extended || line.flags.contains(LineFlags::EXTENDED));
            self.cursor.col = x as u16;
            self.last = last;
        }
        done
    }
}
