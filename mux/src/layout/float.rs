//! Panes that float over the tiled ones: each has a place of its own and one in front of or behind the others.

use super::{Axis, Content, Index, Layout, NoSpace, Rect, Split};
use crate::id::PaneId;

/// How far right and down of the one before a new floating pane is put.
const CASCADE: (i32, i32) = (4, 2);

/// A pane over the tiled ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Float {
    pub(super) pane: PaneId,
    pub(super) rect: Rect,
    /// Where it was tiled before it floated.
    home: Option<Home>,
}

impl Float {
    pub(super) fn new(pane: PaneId, rect: Rect) -> Float {
        Float { pane, rect, home: None }
    }
}

/// A place beside a tiled pane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Home {
    beside: PaneId,
    axis: Axis,
    before: bool,
}

/// Where among the floating panes one goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// Before all others.
    Front,
    /// Behind all others.
    Back,
    /// So many others are before it.
    At(usize),
    /// Before the one that is before it; with `true` the first goes to the back.
    Forward(bool),
    /// Behind the one that is behind it; with `true` the last goes to the front.
    Backward(bool),
}

impl Layout {
    /// Whether the pane floats.
    pub fn is_floating(&self, pane: PaneId) -> bool {
        self.floats.iter().any(|float| float.pane == pane)
    }

    /// The floating panes, the frontmost first.
    pub fn floating(&self) -> impl Iterator<Item = PaneId> + '_ {
        self.floats.iter().map(|float| float.pane)
    }

    /// The tiled panes in the window's order.
    pub fn tiled_panes(&self) -> Vec<PaneId> {
        self.order.iter().copied().filter(|pane| !self.is_floating(*pane)).collect()
    }

    /// How many panes are in front of it, as `#{pane_z}` counts: all tiled ones are behind the floating ones.
    pub fn depth(&self, pane: PaneId) -> usize {
        self.floats.iter().position(|float| float.pane == pane).unwrap_or(self.floats.len() + 1)
    }

    /// Adds a pane that floats, in front of the others but behind `under`; the last in the window's order.
    pub fn add_floating(&mut self, pane: PaneId, rect: Rect, under: Option<PaneId>) {
        if self.contains(pane) {
            return;
        }
        self.note_float_axis();
        let at = under.and_then(|under| self.floats.iter().position(|float| float.pane == under));
        self.floats.insert(at.map_or(0, |at| at + 1), Float::new(pane, rect));
        self.order.push(pane);
    }

    /// Takes a tiled pane out of the tree and lets it float in front of all. False when it floats or is not here.
    pub fn float(&mut self, pane: PaneId, rect: Rect) -> bool {
        let Some(leaf) = self.leaf(pane) else { return false };
        let home = self.home(leaf);
        self.note_float_axis();
        self.destroy(leaf);
        self.fix_offsets();
        self.floats.insert(0, Float { pane, rect, home });
        true
    }

    /// The first floating pane comes among the children of the root, or makes one of the root's place.
    fn note_float_axis(&mut self) {
        if self.floats.is_empty() {
            self.float_axis = self.root.and_then(|root| self.axis(root));
        }
    }

    /// Where a tiled pane is: beside a pane of the next cell, or of the one before when it is the last.
    fn home(&self, leaf: Index) -> Option<Home> {
        let parent = self.cell(leaf).parent?;
        let axis = self.axis(parent)?;
        let children = self.children(parent);
        let at = children.iter().position(|&child| child == leaf)?;
        let (other, before) = match children.get(at + 1) {
            Some(&next) => (next, true),
            None => (*children.get(at.checked_sub(1)?)?, false),
        };
        Some(Home { beside: self.first_pane(other)?, axis, before })
    }

    fn first_pane(&self, mut index: Index) -> Option<PaneId> {
        loop {
            match &self.cell(index).content {
                Content::Pane(pane) => return Some(*pane),
                Content::Split(_, children) => index = *children.first()?,
            }
        }
    }

    /// Puts a floating pane back into the tree: where it was before, or else beside the tiled pane before it.
    ///
    /// # Errors
    /// [`NoSpace`], also when it does not float.
    pub fn tile(&mut self, pane: PaneId) -> Result<(), NoSpace> {
        let at = self.floats.iter().position(|float| float.pane == pane).ok_or(NoSpace)?;
        let home = self.floats[at].home.filter(|home| self.leaf(home.beside).is_some());
        let place = home.or_else(|| {
            let place = self.position(pane)?;
            let (before, after) = self.order.split_at(place);
            let mut tiled = before.iter().rev().chain(after).copied().filter(|other| self.leaf(*other).is_some());
            tiled.next().map(|beside| Home { beside, axis: Axis::TopBottom, before: false })
        });
        match place {
            None => {
                let size = self.size;
                self.root = Some(self.add(None, Content::Pane(pane), size));
            }
            Some(Home { beside, axis, before }) => {
                self.split_cell(beside, pane, Split { axis, before, full: false, size: None })?;
            }
        }
        let float = self.floats.remove(at);
        self.floated.retain(|(other, _)| *other != pane && self.order.contains(other));
        self.floated.push((pane, float.rect));
        Ok(())
    }

    /// Where a tiled pane was when it last floated.
    pub fn floated(&self, pane: PaneId) -> Option<Rect> {
        self.floated.iter().find(|(other, _)| *other == pane).map(|(_, rect)| *rect)
    }

    /// Gives a floating pane another place. False when it does not float.
    pub fn place_floating(&mut self, pane: PaneId, rect: Rect) -> bool {
        let Some(float) = self.floats.iter_mut().find(|float| float.pane == pane) else { return false };
        float.rect = rect;
        true
    }

    /// Moves a floating pane in front of or behind others. False when it does not float.
    pub fn set_depth(&mut self, pane: PaneId, depth: Depth) -> bool {
        let Some(at) = self.floats.iter().position(|float| float.pane == pane) else { return false };
        let float = self.floats.remove(at);
        let last = self.floats.len();
        let to = match depth {
            Depth::Front => 0,
            Depth::Back => last,
            Depth::At(place) => place.min(last),
            Depth::Forward(false) => at.saturating_sub(1),
            Depth::Forward(true) => at.checked_sub(1).unwrap_or(last),
            Depth::Backward(false) => (at + 1).min(last),
            Depth::Backward(true) if at == last => 0,
            Depth::Backward(true) => at + 1,
        };
        self.floats.insert(to, float);
        true
    }

    /// Where the next new floating pane begins, unless it is told: each a little further than the one before.
    pub fn cascade(&mut self, wants: (bool, bool)) -> (i32, i32) {
        let step = |last: i32, by: i32, end: i32| if last == 0 || last > end { by } else { last + by };
        let end = |cells: u32| i32::try_from(cells).unwrap_or(i32::MAX);
        let (x, y) = self.cascaded;
        let next = (step(x, CASCADE.0, end(self.size.width)), step(y, CASCADE.1, end(self.size.height)));
        self.cascaded = (if wants.0 { next.0 } else { x }, if wants.1 { next.1 } else { y });
        next
    }

    /// The layout that is shown while a pane fills the window: that pane, and over it `kept`, which float.
    pub fn zoomed(&self, pane: PaneId, kept: impl Fn(PaneId) -> bool) -> Layout {
        let mut zoom = Layout::new(self.size, pane);
        zoom.settings = self.settings;
        let kept = self.floats.iter().filter(|float| float.pane != pane && kept(float.pane));
        zoom.floats = kept.cloned().collect();
        let floats: Vec<PaneId> = zoom.floating().collect();
        zoom.order.extend(self.order.iter().copied().filter(|other| floats.contains(other)));
        zoom
    }

    /// Takes over where the floating panes of a zoomed layout went. The pane that filled the window, if it floats, goes
    /// to the front, or else behind the others.
    pub fn after_zoom(&mut self, zoom: &Layout, to_front: bool) {
        for float in &zoom.floats {
            self.place_floating(float.pane, float.rect);
        }
        for float in zoom.floats.iter().rev() {
            self.set_depth(float.pane, Depth::Front);
        }
        for pane in zoom.tiled_panes() {
            self.set_depth(pane, if to_front { Depth::Front } else { Depth::Back });
        }
    }
}
