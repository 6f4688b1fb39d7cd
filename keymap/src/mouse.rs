//! Owns [`MouseEvent`]: one mouse report as the terminal sent it. Which key it is depends on the screen, so that is
//! decided elsewhere.

use crate::key::Modifiers;

const SHIFT: u8 = 4;
const META: u8 = 8;
const CTRL: u8 = 16;
const MOTION: u8 = 32;
const BUTTONS: u8 = 0b1100_0011;
const RELEASE: u8 = 3;
const WHEEL_UP: u8 = 64;
const WHEEL_DOWN: u8 = 65;

/// What an SGR report says more than an old one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SgrReport {
    /// The button code as sent, also for a release.
    pub button: u8,
    /// Whether it ended in `m`: a button was let go.
    pub release: bool,
}

/// A kind of mouse event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MouseKind {
    /// A button went down.
    Press,
    /// A button went up.
    Release,
    /// The pointer moved with a button down.
    Drag,
    /// The pointer moved with no button down.
    Move,
    /// The wheel turned up.
    WheelUp,
    /// The wheel turned down.
    WheelDown,
}

/// One report of the mouse and the one before it, in cells of the client's terminal, 0 at the top left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MouseEvent {
    /// Column.
    pub x: u16,
    /// Row.
    pub y: u16,
    /// Button code of the xterm protocol with its modifier and motion bits; every SGR release is 3.
    pub button: u8,
    /// Column of the event before.
    pub last_x: u16,
    /// Row of the event before.
    pub last_y: u16,
    /// Button code of the event before.
    pub last_button: u8,
    /// The SGR form, if the terminal sent that.
    pub sgr: Option<SgrReport>,
}

impl MouseEvent {
    /// The modifiers held.
    pub fn modifiers(&self) -> Modifiers {
        let code = self.code();
        let mut modifiers = Modifiers::empty();
        modifiers.set(Modifiers::SHIFT, code & SHIFT != 0);
        modifiers.set(Modifiers::META, code & META != 0);
        modifiers.set(Modifiers::CTRL, code & CTRL != 0);
        modifiers
    }

    /// What happened.
    pub fn kind(&self) -> MouseKind {
        let code = self.code();
        if self.sgr.is_some_and(|sgr| sgr.release) {
            return MouseKind::Release;
        }
        match code & BUTTONS {
            WHEEL_UP => MouseKind::WheelUp,
            WHEEL_DOWN => MouseKind::WheelDown,
            RELEASE if code & MOTION != 0 => MouseKind::Move,
            RELEASE => MouseKind::Release,
            _ if code & MOTION != 0 => MouseKind::Drag,
            _ => MouseKind::Press,
        }
    }

    /// The number of the button as mouse keys count: 1 to 3, 6 to 11. None for the wheel, for moves, and for a release in the
    /// old form, which does not tell; there `last_button` may.
    pub fn button_number(&self) -> Option<u8> {
        button_number(self.code())
    }

    fn code(&self) -> u8 {
        self.sgr.map_or(self.button, |sgr| sgr.button)
    }
}

/// The number that mouse keys give to a button code.
pub fn button_number(code: u8) -> Option<u8> {
    match code & BUTTONS {
        button @ 0..=2 => Some(button + 1),
        button @ 66..=67 => Some(button - 60),
        button @ 128..=131 => Some(button - 120),
        _ => None,
    }
}

/// Whether the code has the motion bit: a drag or a move.
pub fn is_motion(code: u8) -> bool {
    code & MOTION != 0
}

/// Whether the code says that no button is down.
pub(crate) fn is_release(code: u8) -> bool {
    code & BUTTONS == RELEASE
}

/// Whether the code is of the wheel.
pub(crate) fn is_wheel(code: u8) -> bool {
    matches!(code & BUTTONS, WHEEL_UP | WHEEL_DOWN)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(button: u8, release: Option<bool>) -> MouseEvent {
        let sgr = release.map(|release| SgrReport { button, release });
        let button = if release == Some(true) { 3 } else { button };
        MouseEvent { x: 0, y: 0, button, last_x: 0, last_y: 0, last_button: 0, sgr }
    }

    #[test]
    fn kinds_and_buttons_follow_the_code() {
        assert_eq!(event(0, None).kind(), MouseKind::Press);
        assert_eq!(event(2, Some(true)).kind(), MouseKind::Release);
        assert_eq!(event(2, Some(true)).button_number(), Some(3));
        assert_eq!(event(3, None).kind(), MouseKind::Release);
        assert_eq!(event(3, None).button_number(), None);
        assert_eq!(event(32, Some(false)).kind(), MouseKind::Drag);
        assert_eq!(event(35, Some(false)).kind(), MouseKind::Move);
        assert_eq!(event(64 + 16, Some(false)).kind(), MouseKind::WheelUp);
        assert_eq!(event(65, None).kind(), MouseKind::WheelDown);
        assert_eq!(event(64, None).button_number(), None);
        assert_eq!(event(67, None).button_number(), Some(7));
        assert_eq!(event(131, None).button_number(), Some(11));
        assert_eq!(event(4 + 8 + 16, None).modifiers(), Modifiers::all());
    }
}
