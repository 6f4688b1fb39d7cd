//! Dragging with the mouse: borders of tiled panes, and panes that float.

use crate::Mux;
use crate::id::{ClientId, PaneId};
use crate::input::Now;
use crate::layout::{Axis, Rect};
use crate::queue::Context;
use crate::target::MousePlace;
use keymap::{MouseAction, MouseLocation};

/// Where a button of the mouse went down.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pressed {
    /// What it was over.
    pub place: MousePlace,
    /// The same as keys name it.
    pub location: MouseLocation,
    /// Column in the window.
    pub x: u32,
    /// Row in the window.
    pub y: u32,
}

/// What a mouse that is held down on a floating pane does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grip {
    /// Moves it.
    Move,
    /// Moves these borders of it.
    Sides {
        /// The left one.
        left: bool,
        /// The right one.
        right: bool,
        /// The one above.
        top: bool,
        /// The one below.
        bottom: bool,
    },
    /// Draws it up anew, from here.
    Draw(u32, u32),
}

impl Mux {
    /// A button of a client's mouse went down. Beside a modal pane that may close it.
    pub(crate) fn note_press(&mut self, now: Now, id: ClientId, pressed: Pressed) {
        let Some(client) = self.clients.get_mut(&id) else { return };
        client.pressed = Some(pressed);
        (client.drag, client.grip) = (None, None);
        let window = pressed.place.window.filter(|_| pressed.location == MouseLocation::Empty);
        let modal = window.and_then(|id| self.windows.get(&id)?.modal);
        if let Some(modal) = modal.filter(|modal| self.panes.get(modal).is_some_and(|pane| pane.closes_on_click)) {
            self.close_pane(now, modal);
        }
    }

    /// Where the drag that runs a command began.
    fn drag_origin(&self, context: &Context<'_>) -> Option<(u32, u32)> {
        let mouse = context.state.mouse_event.as_ref()?;
        let pressed = context.client.and_then(|id| self.clients.get(&id)).and_then(|client| client.pressed);
        Some(pressed.map_or((mouse.x, mouse.y), |pressed| (pressed.x, pressed.y)))
    }

    /// Follow the mouse to where it is by now.
    fn go_on(&mut self, context: &Context<'_>) {
        if let (Some(client), Some(mouse)) = (context.client, context.state.mouse_event.as_ref()) {
            self.drag_border(client, mouse.x, mouse.y);
        }
    }

    /// Start dragging the border under the mouse.
    pub(crate) fn start_drag(&mut self, context: &Context<'_>) {
        let place = self.drag_origin(context);
        let grip = self.take_hold(context, place);
        if let Some(client) = context.client.and_then(|id| self.clients.get_mut(&id)) {
            (client.drag, client.grip) = (place, grip);
        }
        self.go_on(context);
    }

    /// A button was let go.
    pub(crate) fn end_drag(&mut self, id: ClientId) -> MouseAction {
        let dragging = self.clients.get_mut(&id).is_some_and(|client| {
            (client.grip, client.pressed) = (None, None);
            client.drag.take().is_some()
        });
        if dragging { MouseAction::DragEnd } else { MouseAction::Up }
    }

    /// The mouse went on: what it holds follows. False when it holds nothing.
    pub(crate) fn drag_border(&mut self, id: ClientId, x: u32, y: u32) -> bool {
        let Some(client) = self.clients.get_mut(&id) else { return false };
        let Some((from_x, from_y)) = client.drag.replace((x, y)) else {
            client.drag = None;
            return false;
        };
        let session = client.session;
        if let Some((pane, grip)) = client.grip {
            self.drag_floating(pane, grip, (from_x, from_y), (x, y));
            return true;
        }
        let window = session.and_then(|id| self.sessions.get(&id)?.current_window());
        let Some(entry) = window.and_then(|id| self.windows.get_mut(&id)).filter(|entry| !entry.zoomed()) else {
            return true;
        };
        let (dx, dy) = (i64::from(x) - i64::from(from_x), i64::from(y) - i64::from(from_y));
        let mut moved = false;
        if dx != 0 {
            moved |= entry.layout.drag_border(from_x as i32, from_y as i32, Axis::LeftRight, dx);
        }
        if dy != 0 {
            moved |= entry.layout.drag_border(from_x as i32, from_y as i32, Axis::TopBottom, dy);
        }
        if let Some(window) = window.filter(|_| moved) {
            self.layout_changed(window);
        }
        true
    }

    /// The mouse of a client moves the floating pane that it is on.
    pub(crate) fn start_move(&mut self, context: &Context<'_>) {
        let place = self.drag_origin(context);
        let pane = context.state.mouse.and_then(|place| place.pane);
        let Some(((window, pane), place)) =
            pane.and_then(|pane| Some((self.panes.get(&pane)?.window, pane))).zip(place)
        else {
            return;
        };
        if !self.windows.get(&window).is_some_and(|entry| entry.is_floating(pane)) {
            return;
        }
        self.focus_pane(context.client, window, pane);
        if let Some(client) = context.client.and_then(|id| self.clients.get_mut(&id)) {
            client.drag = Some(place);
            client.grip = Some((pane, Grip::Move));
        }
        self.go_on(context);
    }

    /// The mouse of a client draws up a floating pane from where it is.
    pub(crate) fn draw_up(&mut self, context: &Context<'_>, pane: PaneId) {
        let Some((x, y)) = context.state.mouse_event.as_ref().map(|mouse| (mouse.x, mouse.y)) else { return };
        let from = context.client.and_then(|id| self.clients.get(&id)).and_then(|client| client.pressed);
        let (from_x, from_y) = from.map_or((x, y), |pressed| (pressed.x, pressed.y));
        if let Some(client) = context.client.and_then(|id| self.clients.get_mut(&id)) {
            client.drag = Some((x, y));
            client.grip = Some((pane, Grip::Draw(from_x, from_y)));
        }
        self.drag_floating(pane, Grip::Draw(from_x, from_y), (from_x, from_y), (x, y));
    }

    /// Take hold of the floating pane under a client's mouse, which becomes the active one.
    pub(crate) fn take_hold(&mut self, context: &Context<'_>, at: Option<(u32, u32)>) -> Option<(PaneId, Grip)> {
        let ((x, y), pane) = at.zip(context.state.mouse.and_then(|place| place.pane))?;
        let grip = self.grip(pane, x, y)?;
        let window = self.panes.get(&pane)?.window;
        self.focus_pane(context.client, window, pane);
        Some((pane, grip))
    }

    /// How a floating pane is held at a place.
    fn grip(&self, pane: PaneId, x: u32, y: u32) -> Option<Grip> {
        let window = self.windows.get(&self.panes.get(&pane)?.window)?;
        let rect = window.rect(pane).filter(|_| window.is_floating(pane))?;
        let (x, y) = (i64::from(x), i64::from(y));
        let (left, right) = (i64::from(rect.x) - 1, i64::from(rect.right()));
        let (top, bottom) = (i64::from(rect.y) - 1, i64::from(rect.bottom()));
        let (on_top, on_bottom) = (y == top, y == bottom);
        // Cells are high, so the one beside a corner counts as the corner.
        let corner = on_top || on_bottom;
        let at_left = x == left || corner && x == left + 1;
        let at_right = x == right || corner && x == right + 1;
        if on_top && !at_left && !at_right {
            return Some(Grip::Move);
        }
        let sides = Grip::Sides { left: at_left, right: at_right, top: on_top, bottom: on_bottom };
        Some(sides).filter(|_| at_left || at_right || on_top || on_bottom)
    }

    /// The mouse that holds a floating pane went from one place to another.
    pub(crate) fn drag_floating(&mut self, pane: PaneId, grip: Grip, from: (u32, u32), to: (u32, u32)) {
        let Some(window) = self.panes.get(&pane).map(|pane| pane.window) else { return };
        let border = self.has_border(pane);
        let Some(entry) = self.windows.get(&window).filter(|entry| entry.is_floating(pane)) else { return };
        let Some(rect) = entry.rect(pane) else { return };
        let (dx, dy) = (to.0 as i32 - from.0 as i32, to.1 as i32 - from.1 as i32);
        let rect = match grip {
            Grip::Move => Rect { x: rect.x + dx, y: rect.y + dy, ..rect },
            Grip::Sides { left, right, top, bottom } => {
                let (x, width) = pulled((rect.x, rect.width), (left, right), dx);
                let (y, height) = pulled((rect.y, rect.height), (top, bottom), dy);
                Rect { x, y, width, height }
            }
            Grip::Draw(x, y) => {
                let (x, width) = drawn(x, to.0, border);
                let (y, height) = drawn(y, to.1, border);
                Rect { x, y, width, height }
            }
        };
        self.place_floating(window, pane, rect);
    }
}

/// A span of which one end or the other is pulled; it keeps a cell.
fn pulled((start, cells): (i32, u32), (first, last): (bool, bool), by: i32) -> (i32, u32) {
    let most = i32::try_from(cells).unwrap_or(i32::MAX) - 1;
    let by = if first { by.min(most) } else { by.max(-most) };
    match (first, last) {
        (true, _) => (start + by, cells.saturating_add_signed(-by)),
        (false, true) => (start, cells.saturating_add_signed(by)),
        (false, false) => (start, cells),
    }
}

/// The cells between two places, both included, without the border.
fn drawn(from: u32, to: u32, border: bool) -> (i32, u32) {
    let (start, end) = (from.min(to), from.max(to));
    let edge = u32::from(border);
    ((start + edge) as i32, (end - start + 1).saturating_sub(2 * edge).max(1))
}
