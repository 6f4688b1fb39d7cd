//! Owns mouse reports towards a pane: which events its modes let through, and in which of the three forms.

use crate::mouse::{MouseEvent, is_motion, is_release};

/// What a pane wants to hear of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MouseTracking {
    /// Nothing.
    #[default]
    Off,
    /// Presses and releases (1000).
    Standard,
    /// Also motion with a button down (1002).
    Button,
    /// All motion (1003).
    All,
}

/// The mouse modes of a pane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MouseModes {
    /// What is reported.
    pub tracking: MouseTracking,
    /// UTF-8 coordinates (1005).
    pub utf8: bool,
    /// SGR reports (1006); used if the client's terminal sent one too, since an old release can't be made into one.
    pub sgr: bool,
}

const BUTTON_OFFSET: u32 = 0x20;
const POSITION_OFFSET: u32 = 0x21;
const BYTE_MAX: u32 = 0xff;
const UTF8_MAX: u32 = 0x7ff;

/// Appends the report of an event at column `x`, row `y` of the pane (from 0). False if the modes leave it out.
pub fn encode_mouse(event: &MouseEvent, modes: &MouseModes, x: u16, y: u16, out: &mut Vec<u8>) -> bool {
    let all = modes.tracking == MouseTracking::All;
    if modes.tracking == MouseTracking::Off || (is_motion(event.button) && modes.tracking == MouseTracking::Standard) {
        return false;
    }
    let idle_motion = match event.sgr {
        Some(sgr) => is_motion(sgr.button) && is_release(sgr.button),
        None => is_motion(event.button) && is_release(event.button) && is_release(event.last_button),
    };
    if idle_motion && !all {
        return false;
    }
    let (x, y) = (u32::from(x), u32::from(y));
    if let Some(sgr) = event.sgr.filter(|_| modes.sgr) {
        let end = if sgr.release { 'm' } else { 'M' };
        out.extend_from_slice(format!("\x1b[<{};{};{}{end}", sgr.button, x + 1, y + 1).as_bytes());
        return true;
    }
    let button = u32::from(event.button) + BUTTON_OFFSET;
    if modes.utf8 {
        let parameters = [button, x + POSITION_OFFSET, y + POSITION_OFFSET];
        if parameters.iter().any(|parameter| *parameter > UTF8_MAX) {
            return false;
        }
        out.extend_from_slice(b"\x1b[M");
        for parameter in parameters {
            let character = char::from_u32(parameter).expect("at most 0x7ff");
            super::push_char(character, out);
        }
        return true;
    }
    if button > BYTE_MAX {
        return false;
    }
    out.extend_from_slice(b"\x1b[M");
    out.extend([button, x + POSITION_OFFSET, y + POSITION_OFFSET].map(|parameter| parameter.min(BYTE_MAX) as u8));
    true
}

#[cfg(test)]
mod tests {
    use crate::mouse::SgrReport;

    use super::*;

    fn event(button: u8, sgr: Option<(u8, bool)>) -> MouseEvent {
        let sgr = sgr.map(|(button, release)| SgrReport { button, release });
        MouseEvent { x: 0, y: 0, button, last_x: 0, last_y: 0, last_button: 3, sgr }
    }

    fn report(event: &MouseEvent, modes: &MouseModes, x: u16, y: u16) -> Option<Vec<u8>> {
        let mut out = Vec::new();
        encode_mouse(event, modes, x, y, &mut out).then_some(out)
    }

    const SGR: MouseModes = MouseModes { tracking: MouseTracking::Button, utf8: false, sgr: true };
    const OLD: MouseModes = MouseModes { tracking: MouseTracking::Standard, utf8: false, sgr: false };
    const UTF8: MouseModes = MouseModes { tracking: MouseTracking::All, utf8: true, sgr: false };

    #[test]
    fn each_mode_has_its_form() {
        let press = event(0, Some((0, false)));
        assert_eq!(report(&press, &SGR, 0, 299).as_deref(), Some(&b"\x1b[<0;1;300M"[..]));
        assert_eq!(report(&press, &OLD, 0, 299).as_deref(), Some(&b"\x1b[M \x21\xff"[..]));
        assert_eq!(report(&press, &UTF8, 95, 2000).as_deref(), Some("\x1b[M \u{80}\u{7f1}".as_bytes()));
        assert_eq!(report(&press, &UTF8, 0, 2020), None);
        let release = event(3, Some((2, true)));
        assert_eq!(report(&release, &SGR, 1, 2).as_deref(), Some(&b"\x1b[<2;2;3m"[..]));
        assert_eq!(report(&release, &OLD, 1, 2).as_deref(), Some(&b"\x1b[M#\"#"[..]));
        let old = event(0, None);
        assert_eq!(report(&old, &SGR, 1, 2).as_deref(), Some(&b"\x1b[M \"#"[..]));
        assert_eq!(report(&old, &MouseModes::default(), 1, 2), None);
    }

    #[test]
    fn motion_needs_its_mode() {
        let drag = event(32, Some((32, false)));
        let moved = event(35, Some((35, false)));
        assert_eq!(report(&drag, &OLD, 0, 0), None);
        assert!(report(&drag, &SGR, 0, 0).is_some());
        assert_eq!(report(&moved, &SGR, 0, 0), None);
        assert!(report(&moved, &UTF8, 0, 0).is_some());
        assert_eq!(report(&event(35, None), &SGR, 0, 0), None);
        assert!(report(&MouseEvent { last_button: 0, ..event(35, None) }, &SGR, 0, 0).is_some());
    }
}
