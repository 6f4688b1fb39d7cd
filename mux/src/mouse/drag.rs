//! Dragging with the mouse: borders, selections, and what a binding makes of it.

use super::Spot;
use crate::Mux;
use crate::id::ClientId;
use crate::input::Now;
use crate::layout::Axis;
use crate::queue::Context;
use crate::target::MousePlace;
use keymap::{MouseAction, MouseLocation};

impl Mux {
    pub(super) fn is_dragging(&self, id: ClientId) -> bool {
        self.clients.get(&id).is_some_and(|client| client.dragging.is_some())
    }

    /// The mouse moved with a button down. Gives where that counts as, unless a drag under way took it.
    pub(super) fn dragged(&mut self, now: Now, id: ClientId, (x, y): (u32, u32), spot: Spot) -> Option<Spot> {
        if self.drag_in_mode(now, id, (x, y)) || self.drag_border(id, x, y) {
            return None;
        }
        let on_slider = !self.is_dragging(id) && spot.location == MouseLocation::ScrollbarSlider;
        let slider = spot.place.pane.filter(|_| on_slider).and_then(|pane| self.hold_slider(pane, spot.y));
        let client = self.clients.get_mut(&id)?;
        client.slider = client.slider.or(slider);
        // The pane where it began has all of it.
        let pane = *client.dragging.get_or_insert(spot.place.pane);
        let place = MousePlace { pane: pane.or(spot.place.pane), ..spot.place };
        Some(self.on_held_slider(id, Spot { place, ..spot }))
    }

    /// Wherever the mouse that holds a slider is, that is where it counts as.
    pub(super) fn on_held_slider(&self, id: ClientId, spot: Spot) -> Spot {
        match self.clients.get(&id).and_then(|client| client.slider) {
            None => spot,
            Some(hold) => Spot {
                place: MousePlace {
                    window: self.panes.get(&hold.pane).map(|pane| pane.window),
                    pane: Some(hold.pane),
                    ..spot.place
                },
                location: MouseLocation::ScrollbarSlider,
                ..spot
            },
        }
    }

    /// A button was let go: the end of a drag, or of a click.
    pub(super) fn released(&mut self, id: ClientId, at: (u32, u32)) -> MouseAction {
        let in_mode = self.end_drag_in_mode(id, at);
        let Some(client) = self.clients.get_mut(&id) else { return MouseAction::Up };
        (client.grip, client.slider) = (None, None);
        let on_border = client.drag.take().is_some();
        let dragging = client.dragging.take().is_some();
        if in_mode || on_border || dragging { MouseAction::DragEnd } else { MouseAction::Up }
    }

    /// Start dragging the border under the mouse.
    pub(crate) fn start_drag(&mut self, context: &Context<'_>) {
        let from = self.drag_origin(context);
        let grip = self.take_hold(context, from);
        if let Some(client) = context.client.and_then(|id| self.clients.get_mut(&id)) {
            (client.drag, client.grip) = (from, grip);
        }
        self.follow(context);
    }

    /// What is dragged follows the mouse to where it is by now.
    pub(super) fn follow(&mut self, context: &Context<'_>) {
        if let (Some(mouse), Some(id)) = (&context.state.mouse_event, context.client) {
            self.drag_border(id, mouse.x, mouse.y);
        }
    }

    fn drag_border(&mut self, id: ClientId, x: u32, y: u32) -> bool {
        let Some(client) = self.clients.get_mut(&id) else { return false };
        let Some((from_x, from_y)) = client.drag else { return false };
        client.drag = Some((x, y));
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
}
