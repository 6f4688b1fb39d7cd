//! Putting panes into the tree and taking them out of it.

use super::{Axis, Content, Extent, Index, Layout, PANE_MINIMUM};
use crate::id::PaneId;

/// There is no room for another pane. The command puts its own words around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no space for a new pane")]
pub struct NoSpace;

/// How a pane is split.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Split {
    /// Side by side (-h) or one above the other.
    pub axis: Axis,
    /// The new pane comes left or above (-b).
    pub before: bool,
    /// The new pane spans the window (-f).
    pub full: bool,
    /// Cells of the new pane; half when not given. Too much or too little is brought into range as tmux does.
    pub size: Option<u32>,
}

impl Split {
    /// Halves the pane.
    pub fn half(axis: Axis) -> Self {
        Self { axis, before: false, full: false, size: None }
    }
}

impl Layout {
    /// The size of which `split-window -l 30%` takes its part: the window's with -f, else the pane's.
    pub fn split_base(&self, target: PaneId, axis: Axis, full: bool) -> u32 {
        if full {
            return self.size.along(axis);
        }
        self.rect(target).map_or(0, |rect| Extent { width: rect.width, height: rect.height }.along(axis))
    }

    /// Splits a pane. In the window's order the new one comes after it (before it with `before`), at the end or
    /// start when it spans the window.
    ///
    /// # Errors
    /// [`NoSpace`], also when `target` is not here or `new` already is.
    pub fn split(&mut self, target: PaneId, new: PaneId, how: Split) -> Result<(), NoSpace> {
        let at = self.position(target).ok_or(NoSpace)?;
        self.split_cell(target, new, how)?;
        let at = match (how.full, how.before) {
            (false, true) => at,
            (false, false) => at + 1,
            (true, true) => 0,
            (true, false) => self.order.len(),
        };
        self.order.insert(at, new);
        Ok(())
    }

    /// Splits a pane for one that comes from elsewhere. In the window's order it comes after the target, also with
    /// `before`, as in tmux 3.7 join-pane. A pane of this same window is first given its new place, then taken from
    /// its old one.
    ///
    /// # Errors
    /// [`NoSpace`], also when `target` is not here or is the pane itself.
    pub fn join(&mut self, target: PaneId, pane: PaneId, how: Split) -> Result<(), NoSpace> {
        if target == pane {
            return Err(NoSpace);
        }
        self.position(target).ok_or(NoSpace)?;
        let old = self.leaf(pane);
        self.split_cell(target, pane, how)?;
        if let Some(old) = old {
            self.destroy(old);
            self.fix_offsets();
        }
        self.floats.retain(|float| float.pane != pane);
        self.order.retain(|&other| other != pane);
        let at = self.position(target).expect("the target stays");
        self.order.insert(at + 1, pane);
        Ok(())
    }

    /// Takes a pane out; its neighbour gets the space. False when it is not here.
    pub fn close(&mut self, pane: PaneId) -> bool {
        let leaf = self.leaf(pane);
        if leaf.is_none() && !self.is_floating(pane) {
            return false;
        }
        if let Some(leaf) = leaf {
            self.destroy(leaf);
        }
        self.floats.retain(|float| float.pane != pane);
        self.order.retain(|&other| other != pane);
        self.fix_offsets();
        true
    }

    pub(super) fn split_cell(&mut self, target: PaneId, new: PaneId, how: Split) -> Result<(), NoSpace> {
        let root = self.root.ok_or(NoSpace)?;
        let cell = if how.full { root } else { self.leaf(target).ok_or(NoSpace)? };
        let (first, second) = self.split_sizes(cell, how)?;
        let (old_size, new_size) = if how.before { (second, first) } else { (first, second) };
        if !how.full {
            self.place(cell, new, how, (old_size, new_size));
            return Ok(());
        }
        if !self.fits(cell, how.axis, old_size) {
            return Err(NoSpace);
        }
        let saved = self.clone();
        self.place(cell, new, how, (old_size, new_size));
        // tmux's check lets some splits pass that leave a pane without any cell.
        if self.root.is_some_and(|root| self.sizes_match(root)) {
            return Ok(());
        }
        *self = saved;
        Err(NoSpace)
    }

    /// Puts the new pane beside a cell, with the sizes that the old one and the new one get.
    fn place(&mut self, cell: Index, new: PaneId, how: Split, (old_size, new_size): (u32, u32)) {
        let whole = self.cell(cell).size;
        let content = Content::Pane(new);
        let parent = self.cell(cell).parent;
        if let Some(parent) = parent.filter(|&parent| self.axis(parent) == Some(how.axis)) {
            let fresh = self.add(Some(parent), content, whole.with(how.axis, new_size));
            let at = self.children(parent).iter().position(|&child| child == cell).expect("a child of its parent");
            self.children_mut(parent).insert(at + usize::from(!how.before), fresh);
            self.cell_mut(cell).size = whole.with(how.axis, old_size);
        } else if how.full && self.axis(cell) == Some(how.axis) {
            self.cell_mut(cell).size = whole.with(how.axis, old_size);
            self.fit_soundly(cell, how.axis);
            self.cell_mut(cell).size = whole;
            let fresh = self.add(Some(cell), content, whole.with(how.axis, new_size));
            let at = if how.before { 0 } else { self.children(cell).len() };
            self.children_mut(cell).insert(at, fresh);
        } else {
            let split = self.add(None, Content::Split(how.axis, Vec::new()), whole);
            self.put_in_place(cell, split);
            let fresh = self.add(Some(split), content, whole.with(how.axis, new_size));
            self.cell_mut(cell).parent = Some(split);
            self.cell_mut(cell).size = whole.with(how.axis, old_size);
            *self.children_mut(split) = if how.before { vec![fresh, cell] } else { vec![cell, fresh] };
            if how.full {
                self.fit_soundly(cell, how.axis);
            }
        }
        self.fix_offsets();
    }

    /// The sizes left or above and right or below the new border.
    fn split_sizes(&self, cell: Index, how: Split) -> Result<(u32, u32), NoSpace> {
        let whole = self.cell(cell).size.along(how.axis);
        let minimum = match (how.axis, self.settings.scrollbar) {
            (Axis::LeftRight, Some(bar)) => (PANE_MINIMUM * 2).saturating_add(bar.width).saturating_add(bar.pad),
            (Axis::LeftRight, None) => PANE_MINIMUM * 2 + 1,
            (Axis::TopBottom, _) => PANE_MINIMUM * 2 + 1 + u32::from(self.has_status_row(cell)),
        };
        if whole < minimum.max(PANE_MINIMUM * 2 + 1) {
            return Err(NoSpace);
        }
        // With -b a size beyond the pane wraps in tmux and so leaves the new pane the least, not the most.
        let second = match how.size {
            None => whole.div_ceil(2) - 1,
            Some(size) if how.before => whole.wrapping_sub(size).wrapping_sub(1),
            Some(size) => size,
        };
        let second = second.clamp(PANE_MINIMUM, whole - 2);
        Ok((whole - 1 - second, second))
    }

    /// Whether a cell and all in it can take a size along an axis.
    fn fits(&self, index: Index, axis: Axis, size: u32) -> bool {
        let Some(own) = self.axis(index) else { return size >= PANE_MINIMUM };
        let children = self.children(index);
        if own != axis {
            return children.iter().all(|&child| self.axis(child).is_none() || self.fits(child, axis, size));
        }
        let count = children.len();
        if (size as usize) < count * 2 - 1 {
            return false;
        }
        let previous = self.cell(index).size.along(axis);
        let mut available = size;
        for (at, &child) in children.iter().enumerate() {
            let new = self.share(previous, child, axis, size, count - at, available);
            let border = u32::from(at != count - 1);
            let Some(left) = available.checked_sub(new).and_then(|left| left.checked_sub(border)) else { return false };
            if !self.fits(child, axis, new) {
                return false;
            }
            available = left;
        }
        true
    }

    /// The size of a child when its parent of size `previous` becomes `size`: in proportion, but leaving room for
    /// the others. `count` and `available` are the children and cells still to be given, this one's included.
    fn share(&self, previous: u32, child: Index, axis: Axis, size: u32, count: usize, available: u32) -> u32 {
        if count == 1 {
            return available;
        }
        let own = self.cell(child).size.along(axis);
        let least = own - self.shrinkable(child, axis).min(own);
        let others = u32::try_from(count - 1).unwrap_or(u32::MAX).saturating_mul(PANE_MINIMUM + 1);
        let most = available.wrapping_sub(others.max(least));
        let new = u64::from(own) * u64::from(size) / u64::from(previous.max(1));
        u32::try_from(new).unwrap_or(u32::MAX).min(most).max(PANE_MINIMUM)
    }

    /// Fits what is in a cell whose size along the axis has changed. tmux's proportions may also change the other
    /// sizes, in a crowded window down to nothing; then those stay.
    fn fit_soundly(&mut self, index: Index, axis: Axis) {
        let saved = self.cells.clone();
        self.fit_children(index, None);
        if !self.sizes_match(index) {
            self.cells = saved;
            self.fit_children(index, Some(axis.across()));
        }
    }

    /// Fits the children of a cell, and theirs, into the size the cell now has. Sizes along `keep` are left.
    fn fit_children(&mut self, index: Index, keep: Option<Axis>) {
        let Some(axis) = self.axis(index) else { return };
        let size = self.cell(index).size;
        let children = self.child_list(index);
        let count = children.len();
        let sum: u32 = children.iter().fold(0, |sum, &child| sum.saturating_add(self.cell(child).size.along(axis)));
        let previous = sum.saturating_add(u32::try_from(count).unwrap_or(u32::MAX).saturating_sub(1));
        let mut available = size.along(axis);
        for (at, child) in children.into_iter().enumerate() {
            let new = if keep == Some(axis) {
                self.cell(child).size.along(axis)
            } else {
                self.share(previous, child, axis, size.along(axis), count - at, available)
            };
            available = available.wrapping_sub(new).wrapping_sub(1);
            self.cell_mut(child).size = size.with(axis, new);
            self.fit_children(child, keep);
        }
    }
}
