//! What is not cells: modes, title, directory, and the cursor's look.

use crate::caps::{Ability, Caps};
use crate::frame::{CursorShape, Frame, Keys, Mouse};
use crate::style::Color;

/// No mouse reports of any kind.
pub(super) const MOUSE_OFF: &[u8] = b"\x1b[?1006l\x1b[?1000l\x1b[?1002l\x1b[?1003l";

/// Longest title or path that is sent, in bytes.
const TITLE_MAX: usize = 1024;

/// Appends what switches the modes and the title where they differ.
pub(super) fn switch(out: &mut Vec<u8>, old: &Frame, new: &Frame, caps: &Caps) {
    let (was, will) = (&old.modes, &new.modes);
    let mut set = |ability: Ability, differs: bool, bytes: &[u8]| {
        if differs && caps.has(ability) {
            out.extend_from_slice(bytes);
        }
    };
    // Terminals differ in what one mouse mode does to another, so all are cleared first.
    set(Ability::MOUSE, was.mouse != will.mouse, MOUSE_OFF);
    set(
        Ability::MOUSE,
        was.mouse != will.mouse,
        match will.mouse {
            Mouse::Off => b"",
            Mouse::Standard => b"\x1b[?1006h\x1b[?1000h",
            Mouse::Button => b"\x1b[?1006h\x1b[?1000h\x1b[?1002h",
            Mouse::All => b"\x1b[?1006h\x1b[?1000h\x1b[?1002h\x1b[?1003h",
        },
    );
    let either = |on: bool, yes: &'static [u8], no: &'static [u8]| if on { yes } else { no };
    let (paste, focus) = (will.bracketed_paste, will.focus);
    set(Ability::PASTE, was.bracketed_paste != paste, either(paste, b"\x1b[?2004h", b"\x1b[?2004l"));
    set(Ability::FOCUS, was.focus != focus, either(focus, b"\x1b[?1004h", b"\x1b[?1004l"));
    let (cursor, keypad) = (will.application_cursor, will.application_keypad);
    set(Ability::KEYPAD, was.application_cursor != cursor, either(cursor, b"\x1b[?1h", b"\x1b[?1l"));
    set(Ability::KEYPAD, was.application_keypad != keypad, either(keypad, b"\x1b=", b"\x1b>"));
    if was.keys != will.keys {
        keys(out, was.keys, will.keys, caps);
    }
    if old.progress != new.progress && caps.has(Ability::PROGRESS) {
        let (state, percent) = new.progress;
        out.extend_from_slice(format!("\x1b]9;4;{state};{percent}\x1b\\").as_bytes());
    }
    text(out, &old.title, &new.title, caps.has(Ability::TITLE), "\x1b]0;");
    text(out, &old.path, &new.path, caps.has(Ability::PATH), "\x1b]7;");
}

/// kitty's flag for keys that have no old form, or one that is another key's too.
const DISAMBIGUATE: u8 = 1;

fn keys(out: &mut Vec<u8>, was: Keys, will: Keys, caps: &Caps) {
    let other = caps.has(Ability::EXTENDED_KEYS);
    let kitty = caps.has(Ability::KITTY_KEYS);
    // A terminal that knows the other way alone is asked in that one.
    let known = |keys| match keys {
        Keys::ModifyOther(_) if kitty && !other => Keys::Kitty(DISAMBIGUATE),
        keys => keys,
    };
    let (was, will) = (known(was), known(will));
    if was == will {
        return;
    }
    match (was, will) {
        (Keys::Kitty(_), Keys::Kitty(flags)) if kitty => {
            return out.extend_from_slice(format!("\x1b[={flags};1u").as_bytes());
        }
        (Keys::Kitty(_), _) if kitty => out.extend_from_slice(b"\x1b[<u"),
        (Keys::ModifyOther(_), Keys::Legacy | Keys::Kitty(_)) if other => out.extend_from_slice(b"\x1b[>4m"),
        _ => {}
    }
    match will {
        Keys::Kitty(flags) if kitty => out.extend_from_slice(format!("\x1b[>{flags}u").as_bytes()),
        Keys::ModifyOther(level) if other => out.extend_from_slice(format!("\x1b[>4;{level}m").as_bytes()),
        _ => {}
    }
}

fn text(out: &mut Vec<u8>, was: &Option<String>, will: &Option<String>, able: bool, opener: &str) {
    let Some(will) = will.as_ref().filter(|_| able && was != will) else { return };
    out.extend_from_slice(opener.as_bytes());
    let mut left = TITLE_MAX;
    let mut buffer = [0; 4];
    for c in will.chars().filter(|c| !c.is_control()) {
        let bytes = c.encode_utf8(&mut buffer).as_bytes();
        let Some(rest) = left.checked_sub(bytes.len()) else { break };
        left = rest;
        out.extend_from_slice(bytes);
    }
    out.push(0x07);
}

/// Appends what changes the cursor's form and colour where they differ.
pub(super) fn look(out: &mut Vec<u8>, old: &Frame, new: &Frame, caps: &Caps) {
    let (was, will) = (old.look, new.look);
    if was.color != will.color && caps.has(Ability::CURSOR_COLOR) {
        out.extend_from_slice(cursor_color(will.color).as_bytes());
    }
    if (was.shape, was.blink) != (will.shape, will.blink) && caps.has(Ability::CURSOR_STYLE) {
        let steady = match will.shape {
            CursorShape::Default => 0,
            CursorShape::Block => 2,
            CursorShape::Underline => 4,
            CursorShape::Bar => 6,
        };
        let number = if will.blink && steady > 0 { steady - 1 } else { steady };
        out.extend_from_slice(format!("\x1b[{number} q").as_bytes());
    }
}

/// OSC 12 takes a colour by its parts, OSC 112 takes it back.
fn cursor_color(color: Color) -> String {
    match crate::colour::to_rgb(color) {
        None => "\x1b]112\x07".to_owned(),
        Some((r, g, b)) => format!("\x1b]12;rgb:{r:02x}/{g:02x}/{b:02x}\x07"),
    }
}
