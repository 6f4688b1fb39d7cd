//! Clicks that follow one another: the second, the double one when no third follows it, and the third.

use super::{Mouse, Spot};
use crate::Mux;
use crate::id::{ClientId, PaneId};
use crate::input::Now;
use crate::timer::Timer;
use crate::world::World;
use keymap::{MouseAction, MouseEvent, MouseLocation};
use std::time::Duration;

/// How long after a click the next one still belongs to it.
const TOGETHER: Duration = Duration::from_millis(300);

/// Which click is waited for.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Waits {
    Second,
    Third,
}

/// The clicks of a client's mouse that may belong together.
#[derive(Clone, Debug, Default)]
pub struct Clicks {
    waits: Option<Waits>,
    last: Option<(MouseEvent, Spot)>,
}

impl Clicks {
    /// What a press is after those before it.
    fn press(&mut self, event: &MouseEvent, spot: &Spot) -> MouseAction {
        let same = self.last.as_ref().is_some_and(|(last, at)| {
            let place = |spot: &Spot| -> (MouseLocation, Option<PaneId>) { (spot.location, spot.place.pane) };
            last.button == event.button && place(at) == place(spot)
        });
        let action = match self.waits.filter(|_| same) {
            None => MouseAction::Down,
            Some(Waits::Second) => MouseAction::SecondClick,
            Some(Waits::Third) => MouseAction::TripleClick,
        };
        self.waits = match action {
            MouseAction::Down => Some(Waits::Second),
            MouseAction::SecondClick => Some(Waits::Third),
            _ => None,
        };
        self.last = Some((*event, *spot));
        action
    }
}

impl Mux {
    /// A button went down: which click that is.
    pub(super) fn pressed(&mut self, now: Now, id: ClientId, event: &MouseEvent, spot: &Spot) -> MouseAction {
        let Some(client) = self.clients.get_mut(&id) else { return MouseAction::Down };
        let action = client.clicks.press(event, spot);
        match client.clicks.waits {
            Some(_) => self.timers.set(Timer::Click(id), now.instant + TOGETHER),
            None => self.timers.cancel(Timer::Click(id)),
        }
        action
    }

    /// No other click followed: two were a double click.
    pub(crate) fn clicks_over(&mut self, now: Now, world: &mut dyn World, id: ClientId) {
        let Some(client) = self.clients.get_mut(&id) else { return };
        let double = client.clicks.waits.take() == Some(Waits::Third);
        let Some((event, spot)) = client.clicks.last.take().filter(|_| double) else { return };
        let mouse = Mouse { event, x: spot.x, y: spot.y, told: true };
        self.mouse_key(now, world, id, MouseAction::DoubleClick, spot, mouse);
    }
}
