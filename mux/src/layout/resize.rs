//! Changing the sizes of cells: the window's resize, a pane's, spreading out, and giving a closed pane's space away.

use super::{Axis, BorderStatus, Extent, Index, Layout, PANE_MINIMUM};
use crate::id::PaneId;

impl Layout {
    /// Fits the tree to a new size of the window. A tree that can't become so small stays larger, and the window's
    /// size is then the tree's.
    pub fn resize(&mut self, size: Extent) {
        let Some(root) = self.root else {
            self.size = size;
            return;
        };
        let wanted = Extent { width: size.width.max(1), height: size.height.max(1) };
        for axis in [Axis::LeftRight, Axis::TopBottom] {
            let current = i64::from(self.cell(root).size.along(axis));
            let limit = i64::from(self.shrinkable(root, axis));
            let mut change = (i64::from(wanted.along(axis)) - current).max(-limit);
            if limit == 0 {
                change = change.max(0);
            }
            self.adjust(root, axis, change);
        }
        self.fix_offsets();
        let tree = self.cell(root).size;
        self.size = Extent { width: wanted.width.max(tree.width), height: wanted.height.max(tree.height) };
    }

    /// Moves the border after the pane's cell (before it, when it is the last) by `change` cells: right or down when
    /// positive, left or up when negative (resize-pane -L -R -U -D). Nothing happens without such a border.
    pub fn resize_pane(&mut self, pane: PaneId, axis: Axis, change: i64) {
        let Some((parent, at)) = self.border_cell(pane, axis) else { return };
        let last = self.children(parent).len() - 1;
        self.move_border(parent, at.min(last.saturating_sub(1)), axis, change, true);
    }

    /// Makes the pane's cell `size` wide or high as far as there is room (resize-pane -x -y). The size is the cell's:
    /// a caller adds the row of a pane status line.
    pub fn resize_pane_to(&mut self, pane: PaneId, axis: Axis, size: u32) {
        let Some((parent, at)) = self.border_cell(pane, axis) else { return };
        let children = self.children(parent);
        let current = i64::from(self.cell(children[at]).size.along(axis));
        let grow = i64::from(size) - current;
        let change = if at == children.len() - 1 { -grow } else { grow };
        self.resize_pane(pane, axis, change);
    }

    /// The row that resize-pane -y must add for this pane's status line at the window's edge.
    pub fn status_row(&self, pane: PaneId) -> u32 {
        let Some(leaf) = self.leaf(pane) else { return 0 };
        u32::from(self.has_status_row(leaf))
    }

    /// Gives equal space to the cells beside the pane, or further up the tree when those are already equal
    /// (select-layout -E).
    pub fn spread_out(&mut self, pane: PaneId) {
        let Some(leaf) = self.leaf(pane) else { return };
        let mut parent = self.cell(leaf).parent;
        while let Some(index) = parent {
            if self.spread(index) {
                self.fix_offsets();
                return;
            }
            parent = self.cell(index).parent;
        }
    }

    /// Moves the border that lies under a point of the window, as dragging it does. False when there is none.
    pub fn drag_border(&mut self, x: i32, y: i32, axis: Axis, change: i64) -> bool {
        let Some((parent, at)) = self.border_at(x, y) else { return false };
        if self.axis(parent) != Some(axis) {
            return false;
        }
        self.move_border(parent, at, axis, change, false);
        true
    }

    /// The split and the child in it whose right or lower border is at this point.
    fn border_at(&self, x: i32, y: i32) -> Option<(Index, usize)> {
        let mut index = self.root?;
        loop {
            let axis = self.axis(index)?;
            let children = self.children(index);
            let inside = |&child: &Index| {
                let cell = self.cell(child);
                (cell.x..cell.x.saturating_add_unsigned(cell.size.width)).contains(&x)
                    && (cell.y..cell.y.saturating_add_unsigned(cell.size.height)).contains(&y)
            };
            if let Some(&child) = children.iter().find(|child| inside(child)) {
                index = child;
                continue;
            }
            let point = if axis == Axis::LeftRight { x } else { y };
            let at = children.windows(2).position(|pair| {
                let (before, after) = (self.cell(pair[0]), self.cell(pair[1]));
                let (start, end) = match axis {
                    Axis::LeftRight => (before.x.saturating_add_unsigned(before.size.width), after.x),
                    Axis::TopBottom => (before.y.saturating_add_unsigned(before.size.height), after.y),
                };
                (start..end).contains(&point)
            })?;
            return Some((index, at));
        }
    }

    /// The nearest split along the axis above the pane, and which of its children holds the pane.
    fn border_cell(&self, pane: PaneId, axis: Axis) -> Option<(Index, usize)> {
        let mut index = self.leaf(pane)?;
        loop {
            let parent = self.cell(index).parent?;
            if self.axis(parent) == Some(axis) {
                let at = self.children(parent).iter().position(|&child| child == index)?;
                return Some((parent, at));
            }
            index = parent;
        }
    }

    fn move_border(&mut self, parent: Index, at: usize, axis: Axis, change: i64, opposite: bool) {
        let children = self.child_list(parent);
        let mut needed = change.abs();
        while needed > 0 {
            let moved = if change > 0 {
                self.grow(&children, at, axis, needed, opposite)
            } else {
                self.shrink(&children, at, axis, needed)
            };
            if moved == 0 {
                break;
            }
            needed -= moved;
        }
        self.fix_offsets();
    }

    /// Grows a child by the space of the first one after it that has some, or else before it. Returns how much.
    fn grow(&mut self, children: &[Index], at: usize, axis: Axis, needed: i64, opposite: bool) -> i64 {
        let after = children[at + 1..].iter();
        let before = children[..at].iter().rev().take(if opposite { usize::MAX } else { 0 });
        let Some((&from, space)) =
            after.chain(before).map(|child| (child, self.shrinkable(*child, axis))).find(|&(_, space)| space > 0)
        else {
            return 0;
        };
        let size = i64::from(space).min(needed);
        self.adjust(children[at], axis, size);
        self.adjust(from, axis, -size);
        size
    }

    /// Shrinks a child, or the nearest before it that can, in favour of the next one. Returns how much.
    fn shrink(&mut self, children: &[Index], at: usize, axis: Axis, needed: i64) -> i64 {
        let Some(&to) = children.get(at + 1) else { return 0 };
        let Some((&from, space)) = children[..=at]
            .iter()
            .rev()
            .map(|child| (child, self.shrinkable(*child, axis)))
            .find(|&(_, space)| space > 0)
        else {
            return 0;
        };
        let size = i64::from(space).min(needed);
        self.adjust(to, axis, size);
        self.adjust(from, axis, -size);
        size
    }

    /// How much a cell can lose along an axis.
    pub(super) fn shrinkable(&self, index: Index, axis: Axis) -> u32 {
        match self.axis(index) {
            None => self.cell(index).size.along(axis).saturating_sub(self.pane_minimum(index, axis)),
            Some(own) if own == axis => {
                self.children(index).iter().fold(0, |sum: u32, &child| sum.saturating_add(self.shrinkable(child, axis)))
            }
            Some(_) => self.children(index).iter().map(|&child| self.shrinkable(child, axis)).min().unwrap_or(0),
        }
    }

    fn pane_minimum(&self, index: Index, axis: Axis) -> u32 {
        match axis {
            Axis::LeftRight => {
                PANE_MINIMUM + self.settings.scrollbar.map_or(0, |bar| bar.width.saturating_add(bar.pad))
            }
            Axis::TopBottom => PANE_MINIMUM + u32::from(self.has_status_row(index)),
        }
    }

    /// Whether a cell is at the edge of the window where it must give a row to the pane status line.
    pub(super) fn has_status_row(&self, index: Index) -> bool {
        match self.settings.border_status {
            BorderStatus::Off => false,
            BorderStatus::Top => self.at_edge(index, |children| children.first()),
            BorderStatus::Bottom => self.at_edge(index, |children| children.last()),
        }
    }

    fn at_edge(&self, mut index: Index, edge: fn(&[Index]) -> Option<&Index>) -> bool {
        while let Some(parent) = self.cell(index).parent {
            if self.axis(parent) == Some(Axis::TopBottom) && edge(self.children(parent)) != Some(&index) {
                return false;
            }
            index = parent;
        }
        self.root == Some(index)
    }

    /// Changes a cell's size and spreads the change over what is in it, one cell at a time in turn.
    pub(super) fn adjust(&mut self, index: Index, axis: Axis, change: i64) {
        let size = self.cell_mut(index).size.along_mut(axis);
        *size = u32::try_from((i64::from(*size) + change).max(0)).unwrap_or(u32::MAX);
        let children = self.child_list(index);
        match self.axis(index) {
            None => {}
            Some(own) if own != axis => children.iter().for_each(|&child| self.adjust(child, axis, change)),
            Some(_) => self.adjust_in_turn(&children, axis, change),
        }
    }

    fn adjust_in_turn(&mut self, children: &[Index], axis: Axis, mut change: i64) {
        let mut stuck = false;
        while change != 0 && !stuck {
            stuck = true;
            for &child in children {
                if change > 0 {
                    self.adjust(child, axis, 1);
                    change -= 1;
                } else if change < 0 && self.shrinkable(child, axis) > 0 {
                    self.adjust(child, axis, -1);
                    change += 1;
                } else {
                    continue;
                }
                stuck = false;
            }
        }
    }

    /// Gives the children of a split equal sizes. True when that changed something.
    pub(super) fn spread(&mut self, parent: Index) -> bool {
        let Some(axis) = self.axis(parent) else { return false };
        let children = self.child_list(parent);
        let number = u32::try_from(children.len()).unwrap_or(u32::MAX);
        let own_row = u32::from(axis == Axis::TopBottom && self.has_status_row(parent));
        let size = self.cell(parent).size.along(axis).saturating_sub(own_row);
        if number <= 1 || size < number - 1 {
            return false;
        }
        let each = (size - (number - 1)) / number;
        if each == 0 {
            return false;
        }
        let mut remainder = (size + 1).saturating_sub(number * (each + 1));
        let mut changes = Vec::with_capacity(children.len());
        for child in children {
            let row = u32::from(axis == Axis::TopBottom && self.has_status_row(child));
            let extra = u32::from(remainder > 0);
            remainder -= extra;
            changes.push((child, i64::from(each + row + extra) - i64::from(self.cell(child).size.along(axis))));
        }
        // tmux never ends when something inside a cell can't shrink so far.
        if !changes.iter().all(|&(child, change)| self.can_lose(child, axis, -change)) {
            return false;
        }
        changes.iter().for_each(|&(child, change)| self.adjust(child, axis, change));
        changes.iter().any(|&(_, change)| change != 0)
    }

    /// Whether [`Layout::adjust`] can take so much from a cell.
    fn can_lose(&self, index: Index, axis: Axis, amount: i64) -> bool {
        match self.axis(index) {
            _ if amount <= 0 => true,
            None => i64::from(self.cell(index).size.along(axis)) > amount,
            Some(own) if own == axis => i64::from(self.shrinkable(index, axis)) >= amount,
            Some(_) => self.children(index).iter().all(|&child| self.can_lose(child, axis, amount)),
        }
    }

    /// Takes a cell out of the tree; its space goes to the one before it, or after it when it is the first. A split
    /// with one cell left is replaced by that cell.
    pub(super) fn destroy(&mut self, index: Index) {
        let cell = self.cell(index).clone();
        self.cells[index] = None;
        let Some(parent) = cell.parent else {
            self.root = None;
            return;
        };
        let axis = self.axis(parent).expect("a parent is a split");
        let at = self.children(parent).iter().position(|&child| child == index).expect("a child of its parent");
        self.children_mut(parent).remove(at);
        let other = self.children(parent).get(at.saturating_sub(1)).copied();
        if let Some(other) = other {
            self.adjust(other, axis, i64::from(cell.size.along(axis)) + 1);
        }
        if let [only] = *self.children(parent) {
            self.put_in_place(parent, only);
            self.cells[parent] = None;
        }
    }
}
