//! From two frames to bytes: what the client's terminal must be sent so that it shows the second after the first.
//!
//! Pure: the bytes depend only on the two frames and on [`Caps`]. Between two paints the terminal's pen is plain, its
//! region is the whole screen, and its cursor stands where the frame says (anywhere while it is hidden).

mod cursor;
mod modes;
mod pen;
#[cfg(test)]
mod replay;
mod row;
mod scroll;
#[cfg(test)]
mod tests;

use crate::caps::{Ability, Caps};
use crate::frame::Frame;
use pen::Painter;

/// Bodies up to this many bytes are written without a synchronised update or a hidden cursor around them.
const SMALL: usize = 48;

/// The bytes that turn a terminal showing `old` into one showing `new`. Frames of different sizes repaint all.
pub fn paint(old: &Frame, new: &Frame, caps: &Caps) -> Vec<u8> {
    let mut out = Vec::new();
    paint_into(&mut out, old, new, caps);
    out
}

/// [`paint`], appended to a buffer.
pub fn paint_into(out: &mut Vec<u8>, old: &Frame, new: &Frame, caps: &Caps) {
    modes::switch(out, old, new, caps);
    let mut painter = Painter::new(caps, new, if old.size() == new.size() { old.cursor } else { None });
    if old.size() == new.size() {
        rows(&mut painter, old, new);
    } else {
        painter.clear();
        rows(&mut painter, &Frame::new(new.size()), new);
    }
    painter.plain();
    let body = painter.out.len();
    let shown = old.cursor.is_some();
    let sync = body > SMALL && caps.has(Ability::SYNC);
    let hide = shown && (new.cursor.is_none() || body > SMALL && !sync) && caps.has(Ability::HIDE_CURSOR);
    if let Some((x, y)) = new.cursor {
        let size = new.size();
        painter.goto(x.min(size.cols.saturating_sub(1)), y.min(size.rows.saturating_sub(1)));
    }
    if sync {
        out.extend_from_slice(b"\x1b[?2026h");
    }
    if hide {
        out.extend_from_slice(b"\x1b[?25l");
    }
    out.extend_from_slice(&painter.out);
    modes::look(out, old, new, caps);
    if new.cursor.is_some() && (hide || !shown) && caps.has(Ability::HIDE_CURSOR) {
        out.extend_from_slice(b"\x1b[?25h");
    }
    if sync {
        out.extend_from_slice(b"\x1b[?2026l");
    }
}

/// Scrolls what can be scrolled, then paints the rows that still differ.
fn rows(painter: &mut Painter<'_>, old: &Frame, new: &Frame) {
    let mut shown = scroll::Shown::new(old, new);
    if shown.dirty.iter().all(|dirty| !dirty) {
        return;
    }
    scroll::scroll(painter, &mut shown);
    let erased = row::erase_below(painter, &shown);
    for y in 0..erased {
        if shown.dirty[usize::from(y)] {
            row::row(painter, y, &shown);
        }
    }
}

/// Takes the terminal over: alternate screen, application keys, bracketed paste, no mouse, a blank screen. Afterwards
/// it shows `Frame::new(size)` (cursor hidden) with the default [`crate::frame::ClientModes`].
pub fn enter(caps: &Caps) -> Vec<u8> {
    let mut out = Vec::new();
    if caps.has(Ability::ALTERNATE) {
        out.extend_from_slice(b"\x1b[?1049h");
    }
    if caps.has(Ability::KEYPAD) {
        out.extend_from_slice(b"\x1b[?1h\x1b=");
    }
    if caps.has(Ability::VT100) {
        out.extend_from_slice(b"\x1b[?6l\x1b[?7h\x1b[4l\x1b(B");
    }
    out.extend_from_slice(&clear(caps));
    if caps.has(Ability::MOUSE) {
        out.extend_from_slice(modes::MOUSE_OFF);
    }
    if caps.has(Ability::PASTE) {
        out.extend_from_slice(b"\x1b[?2004h");
    }
    if caps.has(Ability::VT100) {
        // Reports when the terminal's theme turns light or dark.
        out.extend_from_slice(b"\x1b[?2031h");
    }
    if caps.has(Ability::HIDE_CURSOR) {
        out.extend_from_slice(b"\x1b[?25l");
    }
    out
}

/// The questions a terminal is asked once after [`enter`]: device attributes, its name, its colours and theme. The
/// answers are for [`Caps::identify`] and its kin. Nothing for a terminal that might print them.
pub fn questions(caps: &Caps) -> Vec<u8> {
    if caps.has(Ability::VT100) {
        b"\x1b[c\x1b[>c\x1b[>q\x1b]10;?\x1b\\\x1b]11;?\x1b\\\x1b[?996n".to_vec()
    } else {
        Vec::new()
    }
}

/// Blanks the whole screen, in the plain pen and with the whole screen as region: afterwards the terminal shows
/// `Frame::new(size)`, apart from cursor and modes, which stay.
pub fn clear(caps: &Caps) -> Vec<u8> {
    let mut out = Vec::new();
    if caps.has(Ability::REGION) {
        out.extend_from_slice(b"\x1b[r");
    }
    out.extend_from_slice(b"\x1b[m\x1b[H\x1b[2J");
    out
}

/// Gives the terminal back as it was, whatever modes a frame had set.
pub fn leave(caps: &Caps) -> Vec<u8> {
    let mut out = Vec::new();
    let mut put = |ability: Ability, bytes: &[u8]| {
        if caps.has(ability) {
            out.extend_from_slice(bytes);
        }
    };
    put(Ability::SYNC, b"\x1b[?2026l");
    put(Ability::HYPERLINKS, b"\x1b]8;;\x1b\\");
    put(Ability::LINE_DRAWING, b"\x1b(B");
    put(Ability::empty(), &clear(caps));
    put(Ability::KEYPAD, b"\x1b[?1l\x1b>");
    put(Ability::CURSOR_STYLE, b"\x1b[0 q");
    put(Ability::CURSOR_COLOR, b"\x1b]112\x07");
    put(Ability::PROGRESS, b"\x1b]9;4;0;0\x1b\\");
    put(Ability::MOUSE, modes::MOUSE_OFF);
    put(Ability::PASTE, b"\x1b[?2004l");
    put(Ability::FOCUS, b"\x1b[?1004l");
    put(Ability::EXTENDED_KEYS, b"\x1b[>4m");
    put(Ability::KITTY_KEYS, b"\x1b[<u");
    put(Ability::VT100, b"\x1b[?2031l");
    put(Ability::HIDE_CURSOR, b"\x1b[?25h");
    put(Ability::ALTERNATE, b"\x1b[?1049l");
    out
}

/// Sets the clipboard (OSC 52). `selection` is the kind (`c`, `p`, empty for the terminal's choice), `base64` the
/// encoded text. Nothing when the terminal cannot.
pub fn clipboard(caps: &Caps, selection: &str, base64: &str) -> Vec<u8> {
    if caps.has(Ability::CLIPBOARD) { format!("\x1b]52;{selection};{base64}\x07").into_bytes() } else { Vec::new() }
}
