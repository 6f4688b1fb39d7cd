//! A window: a layout of panes, one of them active.

use crate::id::{ClientId, PaneId, WindowId};
use crate::input::Now;
use crate::layout::{Depth, Extent, Layout, Rect, Scrollbar};
use crate::option::OptionStore;
use crate::scrollbar::Bars;
use std::time::Duration;

/// A window. It is gone as soon as it has no pane or no session has it.
#[derive(Debug)]
pub struct Window {
    /// Its id.
    pub id: WindowId,
    /// Its name.
    pub name: String,
    /// Its panes and where they lie; also the order of the panes.
    pub layout: Layout,
    /// While a pane is zoomed: the layout of it alone, with the panes that float over a zoom.
    pub zoom: Option<Layout>,
    /// The pane that has all keys and clicks until it is closed (`new-pane -O`).
    pub modal: Option<PaneId>,
    /// The pane that was active before that one came.
    pub modal_before: Option<PaneId>,
    /// The active pane.
    pub active: PaneId,
    /// Panes that were active before, the newest last.
    pub last_panes: Vec<PaneId>,
    /// Its own options.
    pub options: OptionStore,
    /// When it was created, since the epoch.
    pub created: Duration,
    /// When a pane of it last wrote, since the epoch.
    pub activity: Duration,
    /// The client that used it last: with `window-size latest` its size counts.
    pub latest: Option<ClientId>,
    /// The size that `resize-window` gave it; counts with `window-size manual`.
    pub manual_size: Option<Extent>,
    /// The layout before the last `select-layout`, for `-o`.
    pub old_layout: Option<String>,
    /// Which of its panes show a scrollbar, when that is not off.
    pub bars: Bars,
    /// When its name was last worked out from what runs in it.
    pub named_at: Option<std::time::Instant>,
}

impl Window {
    /// A window with one pane that fills it.
    pub(crate) fn new(id: WindowId, pane: PaneId, size: Extent, now: Now) -> Window {
        Window {
            id,
            name: String::new(),
            layout: Layout::new(size, pane),
            zoom: None,
            modal: None,
            modal_before: None,
            active: pane,
            last_panes: Vec::new(),
            options: OptionStore::default(),
            created: now.unix,
            activity: now.unix,
            latest: None,
            manual_size: None,
            old_layout: None,
            bars: Bars::default(),
            named_at: None,
        }
    }

    /// Its panes in order.
    pub fn panes(&self) -> &[PaneId] {
        self.layout.panes()
    }

    /// The layout that is shown.
    pub fn shown(&self) -> &Layout {
        self.zoom.as_ref().unwrap_or(&self.layout)
    }

    /// Its size.
    pub fn size(&self) -> Extent {
        self.layout.size()
    }

    /// Where a pane's text is shown, beside its scrollbar; `None` for one that is hidden by a zoom.
    pub fn rect(&self, pane: PaneId) -> Option<Rect> {
        let rect = self.shown().rect(pane)?;
        Some(self.scrollbar(pane).map_or(rect, |bar| rect.beside(bar)))
    }

    /// The scrollbar that a pane shows.
    pub fn scrollbar(&self, pane: PaneId) -> Option<Scrollbar> {
        let bar = self.shown().settings.scrollbar?;
        self.bars.shown(pane).then_some(bar)
    }

    /// True while a pane is zoomed.
    pub fn zoomed(&self) -> bool {
        self.zoom.is_some()
    }

    /// The pane that is zoomed.
    pub fn zoomed_pane(&self) -> Option<PaneId> {
        self.zoom.as_ref().and_then(|zoom| zoom.tiled_panes().first().copied())
    }

    /// Whether a pane is shown: all are, but for a zoom.
    pub fn shows(&self, pane: PaneId) -> bool {
        self.shown().contains(pane)
    }

    /// Whether a pane floats as it is shown: the one that is zoomed does not.
    pub fn is_floating(&self, pane: PaneId) -> bool {
        self.shown().is_floating(pane)
    }

    /// True while the active pane floats over a zoomed one.
    pub fn over_zoom(&self) -> bool {
        self.zoomed() && self.is_floating(self.active)
    }

    /// Change both the layout and what is shown of it during a zoom.
    pub fn change_layouts(&mut self, mut change: impl FnMut(&mut Layout)) {
        change(&mut self.layout);
        if let Some(zoom) = &mut self.zoom {
            change(zoom);
        }
    }

    /// Make a pane active, unless another one is modal; one that floats comes to the front. True when it was another one
    /// before.
    pub fn activate(&mut self, pane: PaneId) -> bool {
        if pane == self.active || !self.layout.contains(pane) || self.modal.is_some_and(|modal| modal != pane) {
            return false;
        }
        self.change_layouts(|layout| _ = layout.set_depth(pane, Depth::Front));
        let before = self.active;
        self.last_panes.retain(|other| *other != pane && *other != before);
        if self.layout.contains(before) {
            self.last_panes.push(before);
        }
        self.active = pane;
        true
    }

    /// Fill the window with a pane, over which those that are `kept` may float. False when it is alone or one is zoomed
    /// already.
    pub fn zoom_in(&mut self, pane: PaneId, kept: impl Fn(PaneId) -> bool) -> bool {
        if self.zoom.is_some() || self.panes().len() < 2 || !self.layout.contains(pane) {
            return false;
        }
        self.zoom = Some(self.layout.zoomed(pane, kept));
        true
    }

    /// End a zoom. False when there was none.
    pub fn zoom_out(&mut self) -> bool {
        let Some(zoom) = self.zoom.take() else { return false };
        self.layout.after_zoom(&zoom, zoom.tiled_panes().contains(&self.active));
        true
    }

    /// Give the window another size.
    pub fn resize(&mut self, size: Extent) {
        self.layout.resize(size);
        if let Some(zoom) = &mut self.zoom {
            zoom.resize(size);
        }
    }

    /// The pane that becomes active when this one goes: the one active before, else the previous, else the next.
    pub fn heir(&self, pane: PaneId) -> Option<PaneId> {
        let before = self.modal_before.filter(|before| self.modal == Some(pane) && self.layout.contains(*before));
        if before.is_some() {
            return before;
        }
        let last = self.last_panes.iter().rev().copied().find(|other| *other != pane && self.layout.contains(*other));
        last.or_else(|| {
            let panes = self.panes();
            let at = panes.iter().position(|other| *other == pane)?;
            if at > 0 { panes.get(at - 1).copied() } else { panes.get(at + 1).copied() }
        })
    }

    /// A modal pane that floats no more, as a layout of its own may have it, is a pane like others.
    pub(crate) fn settle_modal(&mut self) {
        if self.modal.is_some_and(|pane| !self.layout.is_floating(pane)) {
            self.modal = None;
            self.modal_before = None;
        }
    }

    /// The pane whose cells include this place, its scrollbar and the border right of or below it counting as its own.
    pub fn pane_at(&self, x: u32, y: u32) -> Option<PaneId> {
        let inside = |rect: Rect, slack: u32| {
            let (left, top) = (rect.x.max(0) as u32, rect.y.max(0) as u32);
            x >= left && x < left + rect.width + slack && y >= top && y < top + rect.height + slack
        };
        let find = |slack| {
            self.panes().iter().copied().find(|pane| self.shown().rect(*pane).is_some_and(|rect| inside(rect, slack)))
        };
        find(0).or_else(|| find(1))
    }
}
