//! The seven named arrangements. Each builds a new tree over the same panes, in the window's order.

use super::{Axis, Content, Extent, Index, Layout, PANE_MINIMUM};
use crate::id::PaneId;
use crate::number::percentage;

/// A named arrangement, in tmux's order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Preset {
    /// All side by side.
    EvenHorizontal,
    /// All one above the other.
    EvenVertical,
    /// A large pane above, the others side by side.
    MainHorizontal,
    /// A large pane below, the others side by side.
    MainHorizontalMirrored,
    /// A large pane at the left, the others one above the other.
    MainVertical,
    /// A large pane at the right, the others one above the other.
    MainVerticalMirrored,
    /// Rows and columns of like size.
    Tiled,
}

/// The options that presets read, as their texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PresetOptions<'a> {
    /// `main-pane-width`: columns or a percentage.
    pub main_pane_width: &'a str,
    /// `main-pane-height`: rows or a percentage.
    pub main_pane_height: &'a str,
    /// `other-pane-width`: columns or a percentage, 0 for what is left.
    pub other_pane_width: &'a str,
    /// `other-pane-height`: rows or a percentage, 0 for what is left.
    pub other_pane_height: &'a str,
    /// `tiled-layout-max-columns`: 0 for no limit.
    pub tiled_layout_max_columns: u32,
}

impl Default for PresetOptions<'_> {
    fn default() -> Self {
        Self {
            main_pane_width: "80",
            main_pane_height: "24",
            other_pane_width: "0",
            other_pane_height: "0",
            tiled_layout_max_columns: 0,
        }
    }
}

impl Preset {
    /// Every preset with its name.
    pub const ALL: [(Preset, &'static str); 7] = [
        (Preset::EvenHorizontal, "even-horizontal"),
        (Preset::EvenVertical, "even-vertical"),
        (Preset::MainHorizontal, "main-horizontal"),
        (Preset::MainHorizontalMirrored, "main-horizontal-mirrored"),
        (Preset::MainVertical, "main-vertical"),
        (Preset::MainVerticalMirrored, "main-vertical-mirrored"),
        (Preset::Tiled, "tiled"),
    ];

    /// The preset of this name, or of the only name that starts so.
    pub fn named(name: &str) -> Option<Preset> {
        if let Some(&(preset, _)) = Self::ALL.iter().find(|(_, whole)| *whole == name) {
            return Some(preset);
        }
        let mut matches = Self::ALL.iter().filter(|(_, whole)| whole.starts_with(name));
        match (matches.next(), matches.next()) {
            (Some(&(preset, _)), None) => Some(preset),
            _ => None,
        }
    }

    /// What select-layout calls it.
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }

    fn step(self, by: usize) -> Preset {
        Self::ALL[(self as usize + by) % Self::ALL.len()].0
    }
}

impl Layout {
    /// Arranges the panes by a preset. The window grows when they need more room than it has.
    pub fn select_preset(&mut self, preset: Preset, options: &PresetOptions<'_>) {
        self.last_preset = Some(preset);
        if self.order.len() - self.floats.len() < 2 {
            return;
        }
        match preset {
            Preset::EvenHorizontal => self.even(Axis::LeftRight),
            Preset::EvenVertical => self.even(Axis::TopBottom),
            Preset::MainHorizontal => self.main(Axis::TopBottom, options, Order::MainFirst),
            Preset::MainHorizontalMirrored => self.main(Axis::TopBottom, options, Order::MainLast),
            Preset::MainVertical => self.main(Axis::LeftRight, options, Order::MainFirst),
            Preset::MainVerticalMirrored => self.main(Axis::LeftRight, options, Order::MainLast),
            Preset::Tiled => self.tiled(options.tiled_layout_max_columns),
        }
        self.fix_offsets();
        if let Some(root) = self.root {
            self.size = self.cell(root).size;
        }
    }

    /// Goes on to the preset after the last one chosen (next-layout).
    pub fn next_preset(&mut self, options: &PresetOptions<'_>) -> Preset {
        let preset = self.last_preset.map_or(Preset::EvenHorizontal, |last| last.step(1));
        self.select_preset(preset, options);
        preset
    }

    /// Goes back to the preset before the last one chosen (previous-layout).
    pub fn previous_preset(&mut self, options: &PresetOptions<'_>) -> Preset {
        let preset = self.last_preset.map_or(Preset::Tiled, |last| last.step(Preset::ALL.len() - 1));
        self.select_preset(preset, options);
        preset
    }

    fn new_root(&mut self, axis: Axis, size: Extent) -> Index {
        self.cells.clear();
        let root = self.add(None, Content::Split(axis, Vec::new()), size);
        self.root = Some(root);
        root
    }

    fn push(&mut self, parent: Index, content: Content, size: Extent) -> Index {
        let child = self.add(Some(parent), content, size);
        self.children_mut(parent).push(child);
        child
    }

    fn push_evenly(&mut self, parent: Index, panes: &[PaneId]) {
        let axis = self.axis(parent).expect("a split");
        let size = self.cell(parent).size.with(axis, PANE_MINIMUM);
        for &pane in panes {
            self.push(parent, Content::Pane(pane), size);
        }
        self.spread(parent);
    }

    fn even(&mut self, axis: Axis) {
        let panes = self.tiled_panes();
        let along = needed(panes.len()).max(self.size.along(axis));
        let root = self.new_root(axis, self.size.with(axis, along));
        self.push_evenly(root, &panes);
    }

    fn main(&mut self, axis: Axis, options: &PresetOptions<'_>, order: Order) {
        let across = axis.across();
        let (main, other) = main_sizes(self.size.along(axis).saturating_sub(1), axis, options);
        let mut rest = self.tiled_panes();
        let first = rest.remove(0);
        let wide = needed(rest.len()).max(self.size.along(across));
        let size = self.size.with(across, wide);
        let root = self.new_root(axis, size.with(axis, main + other + 1));
        if order == Order::MainFirst {
            self.push(root, Content::Pane(first), size.with(axis, main));
        }
        if let [only] = *rest {
            self.push(root, Content::Pane(only), size.with(axis, other));
        } else {
            let others = self.push(root, Content::Split(across, Vec::new()), size.with(axis, other));
            self.push_evenly(others, &rest);
        }
        if order == Order::MainLast {
            self.push(root, Content::Pane(first), size.with(axis, main));
        }
    }

    fn tiled(&mut self, max_columns: u32) {
        let panes = self.tiled_panes();
        let count = u32::try_from(panes.len()).unwrap_or(u32::MAX);
        let (rows, columns) = grid(count, max_columns);
        let share = |whole: u32, number: u32| (whole.saturating_sub(number - 1) / number).max(PANE_MINIMUM);
        let (width, height) = (share(self.size.width, columns), share(self.size.height, rows));
        let size = Extent {
            width: ((width + 1) * columns - 1).max(self.size.width),
            height: ((height + 1) * rows - 1).max(self.size.height),
        };
        let root = self.new_root(Axis::TopBottom, size);
        let mut last = None;
        for chunk in panes.chunks(columns as usize) {
            let row_size = Extent { width: size.width, height };
            if let [only] = *chunk {
                last = Some(self.push(root, Content::Pane(only), row_size));
                continue;
            }
            let row = self.push(root, Content::Split(Axis::LeftRight, Vec::new()), row_size);
            last = Some(row);
            for &pane in chunk {
                self.push(row, Content::Pane(pane), Extent { width, height });
            }
            let used = (width + 1) * u32::try_from(chunk.len()).unwrap_or(u32::MAX) - 1;
            let end = *self.children(row).last().expect("a chunk is not empty");
            self.adjust(end, Axis::LeftRight, i64::from(size.width) - i64::from(used));
        }
        if let Some(last) = last {
            let used = (height + 1) * rows - 1;
            self.adjust(last, Axis::TopBottom, i64::from(size.height) - i64::from(used));
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    MainFirst,
    MainLast,
}

/// The cells that so many panes beside each other need.
fn needed(panes: usize) -> u32 {
    u32::try_from(panes).unwrap_or(u32::MAX).saturating_mul(PANE_MINIMUM + 1).saturating_sub(1)
}

/// The sizes of the main pane and of the others out of what is there without the border between them.
fn main_sizes(whole: u32, axis: Axis, options: &PresetOptions<'_>) -> (u32, u32) {
    let (main, other, fallback) = match axis {
        Axis::LeftRight => (options.main_pane_width, options.other_pane_width, 80),
        Axis::TopBottom => (options.main_pane_height, options.other_pane_height, 24),
    };
    let read = |text| {
        let whole = i64::from(whole);
        percentage(text, 0, whole, whole).ok().and_then(|size| u32::try_from(size).ok())
    };
    let main = read(main).unwrap_or(fallback);
    if main + PANE_MINIMUM >= whole {
        return (whole.saturating_sub(PANE_MINIMUM).max(PANE_MINIMUM), PANE_MINIMUM);
    }
    match read(other) {
        Some(other) if other != 0 && whole - other >= main && whole > other => (whole - other, other),
        _ => (main.max(PANE_MINIMUM), whole - main.max(PANE_MINIMUM)),
    }
}

/// Rows and columns for so many panes.
fn grid(count: u32, max_columns: u32) -> (u32, u32) {
    let (mut rows, mut columns) = (1u32, 1u32);
    while rows * columns < count {
        rows += 1;
        if rows * columns < count && (max_columns == 0 || columns < max_columns) {
            columns += 1;
        }
    }
    (rows, columns)
}
