//! The layout of one window: a tree of cells, each a pane or a row or column of cells, with tmux 3.7's geometry.
//!
//! Owns the tree, the panes that float over it, the order of the panes in the window and the window's size. Must not know what a pane holds, read
//! options by itself (see [`Settings`]) or import the model.

mod dump;
mod float;
mod place;
mod preset;
mod resize;
mod split;
#[cfg(test)]
mod tests;

pub use dump::{LayoutError, checksum};
pub use float::Depth;
pub use place::{Direction, Edges, Rect};
pub use preset::{Preset, PresetOptions};
pub use split::{NoSpace, Split};

use crate::id::PaneId;

/// Least width or height of a pane, in cells.
pub const PANE_MINIMUM: u32 = 1;

/// How the children of a cell lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Axis {
    /// Side by side; written `{}` and made by `split-window -h`.
    LeftRight,
    /// One above the other; written `[]` and made by `split-window -v`.
    TopBottom,
}

impl Axis {
    fn across(self) -> Self {
        match self {
            Self::LeftRight => Self::TopBottom,
            Self::TopBottom => Self::LeftRight,
        }
    }
}

/// A width and height in terminal cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Extent {
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
}

impl Extent {
    fn along(self, axis: Axis) -> u32 {
        match axis {
            Axis::LeftRight => self.width,
            Axis::TopBottom => self.height,
        }
    }

    fn along_mut(&mut self, axis: Axis) -> &mut u32 {
        match axis {
            Axis::LeftRight => &mut self.width,
            Axis::TopBottom => &mut self.height,
        }
    }

    fn with(mut self, axis: Axis, size: u32) -> Self {
        *self.along_mut(axis) = size;
        self
    }
}

/// Where the pane status lines are (option `pane-border-status`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BorderStatus {
    /// There are none.
    #[default]
    Off,
    /// Above each pane; the topmost panes give up a row for it.
    Top,
    /// Below each pane; the lowest panes give up a row for it.
    Bottom,
}

/// The scrollbar of a pane (options `pane-scrollbars-style` and `pane-scrollbars-position`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scrollbar {
    /// Columns of the bar itself.
    pub width: u32,
    /// Blank columns between bar and pane.
    pub pad: u32,
    /// Whether it is left of the pane.
    pub left: bool,
}

/// What the window's options say about its geometry. The owner of the layout keeps it up to date.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Settings {
    /// Option `pane-border-status`.
    pub border_status: BorderStatus,
    /// Style of the scrollbars, unless `pane-scrollbars` is off.
    pub scrollbar: Option<Scrollbar>,
}

type Index = usize;

#[derive(Debug, Clone, PartialEq, Eq)]
enum Content {
    Pane(PaneId),
    Split(Axis, Vec<Index>),
}

#[derive(Debug, Clone)]
struct Cell {
    parent: Option<Index>,
    content: Content,
    size: Extent,
    x: i32,
    y: i32,
}

/// Where a pane is: in the tree or over it.
#[derive(Clone, Copy)]
enum Spot {
    Cell(Index),
    Float(usize),
}

/// The tree of one window and the panes that float over it. It has at least one pane until the last one is closed.
#[derive(Debug, Clone)]
pub struct Layout {
    /// What the options say; any value is valid and counts from the next change on.
    pub settings: Settings,
    /// The preset that was last chosen, for next and previous.
    pub last_preset: Option<Preset>,
    size: Extent,
    cells: Vec<Option<Cell>>,
    root: Option<Index>,
    order: Vec<PaneId>,
    /// The frontmost first.
    floats: Vec<float::Float>,
    /// How the cells lie among which layout strings have the floating ones too, since the first of them came.
    float_axis: Option<Axis>,
    /// Where the last floating pane went whose place nobody named.
    cascaded: (i32, i32),
    /// Where tiled panes were when they last floated.
    floated: Vec<(PaneId, Rect)>,
}

impl Layout {
    /// A window of this size with one pane. A zero size counts as one.
    pub fn new(size: Extent, pane: PaneId) -> Self {
        let size = Extent { width: size.width.max(1), height: size.height.max(1) };
        let mut layout = Self {
            settings: Settings::default(),
            last_preset: None,
            size,
            cells: Vec::new(),
            root: None,
            order: vec![pane],
            floats: Vec::new(),
            float_axis: None,
            cascaded: (0, 0),
            floated: Vec::new(),
        };
        layout.root = Some(layout.add(None, Content::Pane(pane), size));
        layout
    }

    /// The window's size, which is never smaller than the tree.
    pub fn size(&self) -> Extent {
        self.size
    }

    /// The panes in the window's order, which is that of their index and not always that of the tree.
    pub fn panes(&self) -> &[PaneId] {
        &self.order
    }

    /// Whether the pane is in this window.
    pub fn contains(&self, pane: PaneId) -> bool {
        self.order.contains(&pane)
    }

    /// Whether the last pane has been closed.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// The pane after this one in the window's order, the first one after the last.
    pub fn next(&self, pane: PaneId) -> Option<PaneId> {
        let at = self.position(pane)?;
        self.order.get((at + 1) % self.order.len()).copied()
    }

    /// The pane before this one in the window's order, the last one before the first.
    pub fn previous(&self, pane: PaneId) -> Option<PaneId> {
        let at = self.position(pane)?;
        self.order.get((at + self.order.len() - 1) % self.order.len()).copied()
    }

    /// Exchanges two panes, both in place and in the window's order. False when one is not here.
    pub fn swap(&mut self, first: PaneId, second: PaneId) -> bool {
        let (Some(a), Some(b)) = (self.position(first), self.position(second)) else { return false };
        let (place_a, place_b) = (self.spot(first), self.spot(second));
        self.fill(place_a, second);
        self.fill(place_b, first);
        self.order.swap(a, b);
        true
    }

    /// Puts another pane in the place of one, as swap-pane between two windows does. False when `old` is not here or
    /// `new` already is.
    pub fn replace(&mut self, old: PaneId, new: PaneId) -> bool {
        let Some(at) = self.position(old).filter(|_| !self.contains(new)) else { return false };
        let spot = self.spot(old);
        self.fill(spot, new);
        self.order[at] = new;
        true
    }

    fn spot(&self, pane: PaneId) -> Option<Spot> {
        let float = self.floats.iter().position(|float| float.pane == pane).map(Spot::Float);
        float.or_else(|| self.leaf(pane).map(Spot::Cell))
    }

    fn fill(&mut self, spot: Option<Spot>, pane: PaneId) {
        match spot {
            Some(Spot::Cell(leaf)) => self.cell_mut(leaf).content = Content::Pane(pane),
            Some(Spot::Float(at)) => self.floats[at].pane = pane,
            None => {}
        }
    }

    /// Moves each pane to the place of the one before it, the first to that of the last (rotate-window -U).
    pub fn rotate_up(&mut self) {
        self.rotate(|order| order.rotate_left(1));
    }

    /// Moves each pane to the place of the one after it, the last to that of the first (rotate-window -D).
    pub fn rotate_down(&mut self) {
        self.rotate(|order| order.rotate_right(1));
    }

    fn rotate(&mut self, turn: fn(&mut [PaneId])) {
        if self.order.is_empty() {
            return;
        }
        let spots: Vec<Option<Spot>> = self.order.iter().map(|&pane| self.spot(pane)).collect();
        turn(&mut self.order);
        for (at, spot) in spots.into_iter().enumerate() {
            let pane = self.order[at];
            self.fill(spot, pane);
        }
    }

    fn position(&self, pane: PaneId) -> Option<usize> {
        self.order.iter().position(|&other| other == pane)
    }

    fn leaf(&self, pane: PaneId) -> Option<Index> {
        self.cells.iter().position(|cell| cell.as_ref().is_some_and(|cell| cell.content == Content::Pane(pane)))
    }

    fn cell(&self, index: Index) -> &Cell {
        self.cells[index].as_ref().expect("an index in the tree names a living cell")
    }

    fn cell_mut(&mut self, index: Index) -> &mut Cell {
        self.cells[index].as_mut().expect("an index in the tree names a living cell")
    }

    fn add(&mut self, parent: Option<Index>, content: Content, size: Extent) -> Index {
        let cell = Some(Cell { parent, content, size, x: 0, y: 0 });
        match self.cells.iter().position(Option::is_none) {
            Some(free) => {
                self.cells[free] = cell;
                free
            }
            None => {
                self.cells.push(cell);
                self.cells.len() - 1
            }
        }
    }

    /// Number of children of a cell, none for a pane.
    fn children(&self, index: Index) -> &[Index] {
        match &self.cell(index).content {
            Content::Pane(_) => &[],
            Content::Split(_, children) => children,
        }
    }

    /// A copy of the children, for walks that change their cells.
    fn child_list(&self, index: Index) -> Vec<Index> {
        self.children(index).to_vec()
    }

    fn children_mut(&mut self, index: Index) -> &mut Vec<Index> {
        match &mut self.cell_mut(index).content {
            Content::Split(_, children) => children,
            Content::Pane(_) => unreachable!("only a split has children"),
        }
    }

    fn axis(&self, index: Index) -> Option<Axis> {
        match self.cell(index).content {
            Content::Pane(_) => None,
            Content::Split(axis, _) => Some(axis),
        }
    }

    /// Puts one cell in the place of another under the other's parent, or at the root.
    fn put_in_place(&mut self, old: Index, new: Index) {
        let parent = self.cell(old).parent;
        self.cell_mut(new).parent = parent;
        match parent {
            None => self.root = Some(new),
            Some(parent) => {
                for child in self.children_mut(parent) {
                    if *child == old {
                        *child = new;
                    }
                }
            }
        }
    }

    /// Works out every offset anew from the sizes.
    fn fix_offsets(&mut self) {
        let Some(root) = self.root else { return };
        let cell = self.cell_mut(root);
        (cell.x, cell.y) = (0, 0);
        self.fix_offsets_below(root);
    }

    fn fix_offsets_below(&mut self, index: Index) {
        let Some(axis) = self.axis(index) else { return };
        let (mut x, mut y) = (self.cell(index).x, self.cell(index).y);
        for child in self.child_list(index) {
            let cell = self.cell_mut(child);
            (cell.x, cell.y) = (x, y);
            match axis {
                Axis::LeftRight => x = x.saturating_add_unsigned(cell.size.width + 1),
                Axis::TopBottom => y = y.saturating_add_unsigned(cell.size.height + 1),
            }
            self.fix_offsets_below(child);
        }
    }

    /// Asserts what must hold after every change; for tests.
    #[doc(hidden)]
    pub fn check(&self) {
        let mut seen: Vec<PaneId> = self.floating().collect();
        if let Some(root) = self.root {
            assert_eq!(self.cell(root).parent, None);
            self.check_below(root, &mut seen);
        }
        assert_eq!(seen.len(), self.order.len(), "each pane has one place");
        assert!(seen.iter().all(|pane| self.order.contains(pane)));
        assert!(self.order.iter().all(|&pane| self.rect(pane).is_some_and(|rect| rect.width > 0 && rect.height > 0)));
    }

    fn check_below(&self, index: Index, seen: &mut Vec<PaneId>) {
        let cell = self.cell(index);
        assert!(cell.size.width > 0 && cell.size.height > 0, "{}", self.dump());
        match &cell.content {
            Content::Pane(pane) => seen.push(*pane),
            Content::Split(axis, children) => {
                assert!(children.len() > 1, "{}", self.dump());
                let across = axis.across();
                let sum: u32 = children.iter().map(|&child| self.cell(child).size.along(*axis) + 1).sum();
                assert_eq!(sum - 1, cell.size.along(*axis), "{}", self.dump());
                for &child in children {
                    assert_eq!(self.cell(child).parent, Some(index));
                    assert_eq!(self.cell(child).size.along(across), cell.size.along(across), "{}", self.dump());
                    self.check_below(child, seen);
                }
            }
        }
    }
}
