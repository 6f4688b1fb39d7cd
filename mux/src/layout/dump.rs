//! The layout string: `b25d,80x24,0,0,0`, with `{}` around cells side by side and `[]` around cells one above the other.
//! Panes that float follow in `<>`, the frontmost first, and stand in the tree too.

use std::fmt::Write;

use super::float::Float;
use super::{Axis, Content, Extent, Index, Layout, Rect};
use crate::id::PaneId;

/// Most cells along one side that a layout string may ask for.
const SIZE_MAXIMUM: u32 = 10_000;
/// Most cells within cells of a layout string.
const DEPTH_MAXIMUM: usize = 256;

/// Why a layout string was refused, in tmux's words; select-layout adds `: ` and the string.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LayoutError {
    /// It can't be read or its checksum is wrong.
    #[error("invalid layout")]
    Invalid,
    /// It has fewer cells than the window has panes.
    #[error("have {have} panes but need {need}")]
    PaneCount {
        /// Panes of the window.
        have: usize,
        /// Cells of the layout.
        need: usize,
    },
    /// Its sizes don't add up.
    #[error("size mismatch after applying layout")]
    SizeMismatch,
}

/// The checksum before a layout string, over all that follows its comma.
pub fn checksum(layout: &str) -> u16 {
    layout.bytes().fold(0u16, |sum, byte| sum.rotate_right(1).wrapping_add(u16::from(byte)))
}

enum Parsed {
    Pane(Rect, Option<PaneId>),
    Split(Axis, Extent, Vec<Parsed>),
}

impl Parsed {
    fn panes(&self) -> usize {
        match self {
            Self::Pane(..) => 1,
            Self::Split(_, _, children) => children.iter().map(Self::panes).sum(),
        }
    }

    /// Without the panes that float, which stand in the tree as well.
    fn without(self, floats: &[(Rect, Option<PaneId>)]) -> Option<Parsed> {
        match self {
            Self::Pane(_, Some(pane)) if floats.iter().any(|(_, other)| *other == Some(pane)) => None,
            Self::Split(axis, size, children) => {
                let mut left: Vec<Parsed> = children.into_iter().filter_map(|child| child.without(floats)).collect();
                if left.len() > 1 { Some(Self::Split(axis, size, left)) } else { left.pop() }
            }
            pane => Some(pane),
        }
    }
}

/// What a layout string says.
struct Text {
    tree: Option<Parsed>,
    /// How the cells of the root lay before those that float were taken out.
    axis: Option<Axis>,
    floats: Vec<(Rect, Option<PaneId>)>,
}

impl Text {
    fn tiled(&self) -> usize {
        self.tree.as_ref().map_or(0, Parsed::panes)
    }

    /// Which of the panes float, and where: those it names, and for what it does not name the last of the others.
    fn floats_among(&self, panes: &[PaneId]) -> Vec<Float> {
        let mut rest = panes.to_vec();
        let named: Vec<Option<PaneId>> = self
            .floats
            .iter()
            .map(|(_, pane)| {
                let at = rest.iter().position(|other| Some(*other) == *pane)?;
                Some(rest.remove(at))
            })
            .collect();
        let mut found = Vec::new();
        for ((rect, _), named) in self.floats.iter().zip(named) {
            let pane = named.or_else(|| if rest.len() > self.tiled() { rest.pop() } else { None });
            found.extend(pane.map(|pane| Float::new(pane, *rect)));
        }
        found
    }
}

impl Layout {
    /// The layout string (`#{window_layout}`).
    pub fn dump(&self) -> String {
        let mut text = String::new();
        match self.root {
            Some(root) if self.floats.is_empty() => self.dump_cell(root, &mut text),
            None if self.floats.is_empty() => {}
            root => self.dump_with_floats(root, &mut text),
        }
        format!("{:04x},{text}", checksum(&text))
    }

    /// The floating panes stand in the tree too, as the last children of its root in the window's order.
    fn dump_with_floats(&self, root: Option<Index>, text: &mut String) {
        let float = |Float { pane, rect: Rect { x, y, width, height }, .. }: &Float| {
            format!("{width}x{height},{x},{y},{}", pane.0)
        };
        let axis = self.float_axis.unwrap_or(Axis::TopBottom);
        let own = root.filter(|root| self.axis(*root) == Some(axis));
        let children = own.map_or(root.into_iter().collect(), |own| self.child_list(own));
        let mut cells: Vec<String> = children
            .into_iter()
            .map(|child| {
                let mut cell = String::new();
                self.dump_cell(child, &mut cell);
                cell
            })
            .collect();
        let mut in_order: Vec<&Float> = self.floats.iter().collect();
        in_order.sort_by_key(|float| self.position(float.pane));
        cells.extend(in_order.into_iter().map(float));
        let Extent { width, height } = self.size;
        let (open, close) = if axis == Axis::LeftRight { ('{', '}') } else { ('[', ']') };
        match &cells[..] {
            [only] => text.push_str(only),
            cells => text.push_str(&format!("{width}x{height},0,0{open}{}{close}", cells.join(","))),
        }
        let floats: Vec<String> = self.floats.iter().map(float).collect();
        text.push_str(&format!("<{}>", floats.join(",")));
    }

    fn dump_cell(&self, index: Index, text: &mut String) {
        let cell = self.cell(index);
        let Extent { width, height } = cell.size;
        let put = "writing to a string cannot fail";
        write!(text, "{width}x{height},{},{}", cell.x, cell.y).expect(put);
        match &cell.content {
            Content::Pane(PaneId(pane)) => write!(text, ",{pane}").expect(put),
            Content::Split(axis, children) => {
                let (open, close) = if *axis == Axis::LeftRight { ('{', '}') } else { ('[', ']') };
                for (at, &child) in children.iter().enumerate() {
                    text.push(if at == 0 { open } else { ',' });
                    self.dump_cell(child, text);
                }
                text.push(close);
            }
        }
    }

    /// Arranges the panes, in the window's order, as a layout string says; the ids in it don't count. Spare cells are
    /// closed from the bottom right. The window takes the layout's size, a lone pane the window's. Panes float as the
    /// string says; one without any that float tiles all.
    ///
    /// # Errors
    /// [`LayoutError`]; then nothing has changed.
    pub fn apply(&mut self, text: &str) -> Result<(), LayoutError> {
        let mut new = self.built(text)?;
        for _ in new.tiled_panes().len()..new.leaves().len() {
            new.destroy(new.bottom_right());
        }
        new.settle_sizes(Some(self.size))?;
        new.assign();
        *self = new;
        Ok(())
    }

    /// The layout that gave a string, with its panes in the window's order. Without their ids in the string they get
    /// its cells in that order. The window has the string's size.
    ///
    /// # Errors
    /// [`LayoutError`], also when there are fewer panes than cells.
    pub fn restore(text: &str, panes: &[PaneId]) -> Result<Layout, LayoutError> {
        let empty = Layout::new(Extent { width: 1, height: 1 }, PaneId(0));
        let mut new = Layout { order: panes.to_vec(), ..empty }.built(text)?;
        let need = new.leaves().len() + new.floats.len();
        if panes.len() != need {
            return Err(LayoutError::PaneCount { have: panes.len(), need });
        }
        new.settle_sizes(None)?;
        if !new.tiled_panes().iter().all(|&pane| new.leaf(pane).is_some()) || has_twice(panes) {
            new.assign();
        }
        Ok(new)
    }

    /// This layout with the tree of a string that has cells enough.
    fn built(&self, text: &str) -> Result<Layout, LayoutError> {
        let parsed = parse(text)?;
        let have = self.order.len();
        let floats = parsed.floats_among(&self.order);
        let need = parsed.tiled() + floats.len();
        if have == 0 || have > need {
            return Err(LayoutError::PaneCount { have, need: parsed.tiled() + parsed.floats.len() });
        }
        let mut new = Layout { cells: Vec::new(), root: None, floats, ..self.clone() };
        new.float_axis = parsed.axis;
        new.root = parsed.tree.map(|tree| new.build(None, tree));
        Ok(new)
    }

    /// Sets the size of the root from its children, since old versions of tmux wrote a wrong one, and checks all
    /// others. A lone pane gets the size of the window, if there is one already.
    fn settle_sizes(&mut self, window: Option<Extent>) -> Result<(), LayoutError> {
        let Some(root) = self.root else { return Ok(()) };
        let sizes: Vec<Extent> = self.children(root).iter().map(|&child| self.cell(child).size).collect();
        let size = match (self.axis(root), sizes.last()) {
            (Some(axis), Some(last)) => {
                let sum = sizes.iter().fold(0u32, |sum, size| sum.saturating_add(size.along(axis)).saturating_add(1));
                last.with(axis, sum - 1)
            }
            _ => window.unwrap_or(self.cell(root).size),
        };
        self.cell_mut(root).size = size;
        if !self.sizes_match(root) {
            return Err(LayoutError::SizeMismatch);
        }
        self.size = size;
        self.fix_offsets();
        Ok(())
    }

    fn build(&mut self, parent: Option<Index>, parsed: Parsed) -> Index {
        match parsed {
            Parsed::Pane(rect, pane) => {
                let size = Extent { width: rect.width, height: rect.height };
                self.add(parent, Content::Pane(pane.unwrap_or(PaneId(0))), size)
            }
            Parsed::Split(axis, size, children) => {
                let split = self.add(parent, Content::Split(axis, Vec::new()), size);
                for child in children {
                    let child = self.build(Some(split), child);
                    self.children_mut(split).push(child);
                }
                split
            }
        }
    }

    fn bottom_right(&self) -> Index {
        let mut index = self.root.expect("a cell is left");
        while let Some(&last) = self.children(index).last() {
            index = last;
        }
        index
    }

    /// Whether everything in a cell has a size and all sizes add up.
    pub(super) fn sizes_match(&self, index: Index) -> bool {
        let own = self.cell(index).size;
        if own.width == 0 || own.height == 0 {
            return false;
        }
        let Some(axis) = self.axis(index) else { return true };
        let mut sum = 0u32;
        for &child in self.children(index) {
            let size = self.cell(child).size;
            if size.with(axis, own.along(axis)) != own || !self.sizes_match(child) {
                return false;
            }
            sum = sum.saturating_add(size.along(axis)).saturating_add(1);
        }
        sum == own.along(axis).saturating_add(1)
    }

    /// Gives the panes, in the window's order, the cells in that of the tree.
    fn assign(&mut self) {
        let panes = self.tiled_panes();
        for (leaf, pane) in self.leaves().into_iter().zip(panes) {
            self.cell_mut(leaf).content = Content::Pane(pane);
        }
    }

    /// The cells of panes, in the order of the tree.
    fn leaves(&self) -> Vec<Index> {
        let mut leaves = Vec::new();
        let mut stack: Vec<Index> = self.root.into_iter().collect();
        while let Some(index) = stack.pop() {
            if self.axis(index).is_none() {
                leaves.push(index);
            }
            stack.extend(self.children(index).iter().rev());
        }
        leaves
    }
}

fn has_twice(panes: &[PaneId]) -> bool {
    panes.iter().enumerate().any(|(at, pane)| panes[..at].contains(pane))
}

/// Reads a layout string, which may be without any cell.
fn parse(text: &str) -> Result<Text, LayoutError> {
    let (sum, rest) = text.split_at_checked(5).ok_or(LayoutError::Invalid)?;
    let digits = sum.strip_suffix(',').ok_or(LayoutError::Invalid)?;
    if u16::from_str_radix(digits, 16).ok() != Some(checksum(rest)) {
        return Err(LayoutError::Invalid);
    }
    let mut reader = Reader { rest: rest.as_bytes() };
    reader.text().filter(|_| reader.rest.is_empty()).ok_or(LayoutError::Invalid)
}

struct Reader<'a> {
    rest: &'a [u8],
}

impl Reader<'_> {
    fn text(&mut self) -> Option<Text> {
        let empty = matches!(self.rest.first(), None | Some(b'<'));
        let tree = if empty { None } else { Some(self.cell(0)?) };
        let mut floats = Vec::new();
        if self.rest.first() == Some(&b'<') {
            loop {
                self.rest = &self.rest[1..];
                let Parsed::Pane(rect, pane) = self.cell(0)? else { return None };
                floats.push((rect, pane));
                if self.rest.first() != Some(&b',') {
                    break;
                }
            }
            self.take(b'>')?;
        }
        let axis = match &tree {
            Some(Parsed::Split(axis, ..)) => Some(*axis),
            _ => None,
        };
        Some(Text { tree: tree.and_then(|tree| tree.without(&floats)), axis, floats })
    }

    fn cell(&mut self, depth: usize) -> Option<Parsed> {
        let width = self.number()?;
        self.take(b'x')?;
        let height = self.number()?;
        self.take(b',')?;
        let x = self.offset()?;
        self.take(b',')?;
        let y = self.offset()?;
        let pane = self.pane_id();
        let fits = |size: u32| (1..=SIZE_MAXIMUM).contains(&size);
        if !fits(width) || !fits(height) || depth > DEPTH_MAXIMUM {
            return None;
        }
        let size = Extent { width, height };
        let (axis, close) = match self.rest.first() {
            Some(b'{') => (Axis::LeftRight, b'}'),
            Some(b'[') => (Axis::TopBottom, b']'),
            _ => return Some(Parsed::Pane(Rect { x, y, width, height }, pane)),
        };
        let mut children = Vec::new();
        loop {
            self.rest = &self.rest[1..];
            children.push(self.cell(depth + 1)?);
            if self.rest.first() != Some(&b',') {
                break;
            }
        }
        self.take(close)?;
        // A split of one cell is that cell.
        if children.len() == 1 { children.pop() } else { Some(Parsed::Split(axis, size, children)) }
    }

    fn take(&mut self, byte: u8) -> Option<()> {
        let (&first, rest) = self.rest.split_first()?;
        (first == byte).then(|| self.rest = rest)
    }

    fn digits(&self) -> usize {
        self.rest.iter().take_while(|byte| byte.is_ascii_digit()).count()
    }

    fn number(&mut self) -> Option<u32> {
        let (digits, rest) = self.rest.split_at(self.digits());
        self.rest = rest;
        std::str::from_utf8(digits).ok()?.parse().ok()
    }

    fn offset(&mut self) -> Option<i32> {
        let negative = self.take(b'-').is_some();
        let offset = i32::try_from(self.number()?).ok()?;
        Some(if negative { -offset } else { offset })
    }

    /// An id follows a comma, but so may the next cell.
    fn pane_id(&mut self) -> Option<PaneId> {
        let saved = self.rest;
        self.take(b',')?;
        let digits = self.digits();
        if self.rest.get(digits) == Some(&b'x') {
            self.rest = saved;
            return None;
        }
        let id = self.number();
        self.rest = &saved[1 + digits..];
        id.map(PaneId)
    }
}
