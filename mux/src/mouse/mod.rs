//! The mouse of a client: what key an event is, and where it goes: an overlay, a binding, a drag, or a pane's program.

mod click;
mod drag;
mod floating;
mod place;
#[cfg(test)]
mod tests;

pub use click::Clicks;
pub use floating::Grip;

use crate::Mux;
use crate::client::ClientFlags;
use crate::effect::Effect;
use crate::id::{ClientId, PaneId};
use crate::input::Now;
use crate::target::MousePlace;
use crate::world::World;
use keymap::{Key, MouseAction, MouseEvent, MouseKey, MouseKind, MouseLocation, MouseModes, MouseTracking};
use term::{Modes, Terminal};

/// A mouse event with where it happened.
#[derive(Clone, Debug, PartialEq)]
pub struct Mouse {
    /// The event as the terminal sent it.
    pub event: MouseEvent,
    /// Column in the window.
    pub x: u32,
    /// Row in the window.
    pub y: u32,
    /// It happened before and is told again as something else: a program has had it already.
    pub told: bool,
}

/// Where on a client something happened.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Spot {
    place: MousePlace,
    location: MouseLocation,
    /// Column and row in the window.
    x: u32,
    y: u32,
}

impl Mux {
    pub(crate) fn mouse_event(&mut self, now: Now, world: &mut dyn World, id: ClientId, event: MouseEvent) {
        if self.overlay_takes_mouse(id) {
            return self.overlay_mouse(now, world, id, event);
        }
        let starts_drag = event.kind() == MouseKind::Drag && !self.is_dragging(id);
        let at = if starts_drag { (event.last_x, event.last_y) } else { (event.x, event.y) };
        let Some(spot) = self.mouse_spot(id, at) else { return };
        if self.beside_modal(now, event.kind() == MouseKind::Press, &spot) {
            return;
        }
        let (x, y) = self.in_window(id, (event.x, event.y));
        let (action, spot) = match event.kind() {
            MouseKind::WheelUp => (MouseAction::WheelUp, spot),
            MouseKind::WheelDown => (MouseAction::WheelDown, spot),
            MouseKind::Press => (self.pressed(now, id, &event, &spot), spot),
            MouseKind::Release => (self.released(id, (x, y)), spot),
            MouseKind::Drag => match self.dragged(now, id, (x, y), spot) {
                None => return,
                Some(spot) => (MouseAction::Drag, spot),
            },
            MouseKind::Move => {
                self.follow_mouse(id, &spot);
                (MouseAction::Move, spot)
            }
        };
        self.mouse_key(now, world, id, action, spot, Mouse { event, x, y, told: false });
    }

    /// The mouse moves over a pane: it becomes the active one where the user wants that.
    fn follow_mouse(&mut self, id: ClientId, spot: &Spot) {
        let Some(client) = self.clients.get(&id).filter(|client| !client.flags.contains(ClientFlags::READ_ONLY)) else {
            return;
        };
        let follows = client.session.is_some_and(|session| self.session_flag(session, "focus-follows-mouse"));
        let pane = spot.place.pane.filter(|_| follows && spot.location == MouseLocation::Pane);
        if let Some((window, pane)) = pane.and_then(|pane| Some((self.panes.get(&pane)?.window, pane))) {
            self.focus_pane(Some(id), window, pane);
        }
    }

    fn mouse_key(
        &mut self,
        now: Now,
        world: &mut dyn World,
        id: ClientId,
        action: MouseAction,
        spot: Spot,
        mouse: Mouse,
    ) {
        let code = if action == MouseAction::DragEnd || action == MouseAction::Up {
            // An old report does not say which button was let go.
            mouse.event.button_number().or_else(|| keymap::button_number(mouse.event.last_button))
        } else {
            mouse.event.button_number()
        };
        let button = if action.is_buttonless() { 0 } else { code.unwrap_or(0) };
        let key = Key::mouse(MouseKey { action, button, location: spot.location }).with(mouse.event.modifiers());
        self.take_key(now, world, id, key, Some((spot.place, mouse)));
    }

    /// A mouse event for the program of a pane, if it asked for such.
    pub(crate) fn mouse_to_pane(&mut self, id: PaneId, mouse: &Mouse) {
        let Some(pane) = self.panes.get(&id).filter(|pane| pane.running() && !pane.in_mode() && !mouse.told) else {
            return;
        };
        let Some(rect) = self.windows.get(&pane.window).and_then(|window| window.rect(id)) else { return };
        let (x, y) = (i64::from(mouse.x) - i64::from(rect.x), i64::from(mouse.y) - i64::from(rect.y));
        let inside = (0..i64::from(rect.width)).contains(&x) && (0..i64::from(rect.height)).contains(&y);
        if !inside {
            return;
        }
        if let Some(bytes) = mouse_bytes(&pane.terminal, &mouse.event, (x as u16, y as u16)) {
            self.effect(Effect::WritePane(id, bytes));
        }
    }
}

/// A mouse event as a program wants it, when it wants it.
pub(crate) fn mouse_bytes(terminal: &Terminal, event: &MouseEvent, (x, y): (u16, u16)) -> Option<Vec<u8>> {
    let modes = terminal.modes();
    let tracking = if modes.contains(Modes::MOUSE_ALL) {
        MouseTracking::All
    } else if modes.contains(Modes::MOUSE_BUTTON) {
        MouseTracking::Button
    } else if modes.contains(Modes::MOUSE_STANDARD) {
        MouseTracking::Standard
    } else {
        return None;
    };
    let how = MouseModes { tracking, utf8: modes.contains(Modes::MOUSE_UTF8), sgr: modes.contains(Modes::MOUSE_SGR) };
    let mut bytes = Vec::new();
    keymap::encode_mouse(event, &how, x, y, &mut bytes).then_some(bytes)
}
