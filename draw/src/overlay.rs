//! What lies over panes: menus, popups, the numbers of display-panes, lists to choose from.

use crate::border::{Joint, line_cell};
use crate::pane;
use crate::run::Run;
use crate::scene::{Lines, Rows, Scene};
use crate::status::draw_line;
use term::cell::{Cell, Glyph};
use term::frame::{Frame, Rect};
use term::style::{Attrs, Color, Style};

/// Something over the panes.
pub enum Overlay<'a> {
    /// A menu.
    Menu(Menu),
    /// A box with a screen in it.
    Popup(Popup<'a>),
    /// The numbers of the panes.
    Numbers(Numbers),
    /// A list to choose from.
    List(ListView<'a>),
}

/// A menu.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Menu {
    /// First column and row of its border.
    pub at: (u16, u16),
    /// The title, on the border.
    pub title: Vec<Run>,
    /// The items.
    pub items: Vec<MenuItem>,
    /// Columns of the widest item.
    pub width: u16,
    /// Which item is chosen.
    pub choice: Option<usize>,
    /// The lines of the border.
    pub lines: Lines,
    /// The style (menu-style).
    pub style: Style,
    /// The style of the border (menu-border-style).
    pub border: Style,
    /// The style of the chosen item (menu-selected-style).
    pub selected: Style,
}

/// An item of a menu.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum MenuItem {
    /// A line between items.
    Line,
    /// Something to choose.
    Item {
        /// Its text, and its key aligned right.
        runs: Vec<Run>,
        /// Cannot be chosen.
        disabled: bool,
    },
}

/// A box with a screen in it.
pub struct Popup<'a> {
    /// The box with its border.
    pub rect: Rect,
    /// The title, on the border.
    pub title: Vec<Run>,
    /// The lines of the border; [`Lines::None`] for no border.
    pub lines: Lines,
    /// The style of the border (popup-border-style).
    pub border: Style,
    /// Foreground and background for cells that ask for none (popup-style).
    pub defaults: Style,
    /// What stands in it.
    pub rows: &'a dyn Rows,
    /// The cursor in it.
    pub cursor: Option<(u16, u16)>,
}

/// The colours of display-panes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Numbers {
    /// display-panes-colour.
    pub colour: Color,
    /// display-panes-active-colour.
    pub active_colour: Color,
}

/// A list to choose from, with a preview below it.
pub struct ListView<'a> {
    /// Where it is.
    pub rect: Rect,
    /// The lines.
    pub items: Vec<ListItem>,
    /// The first line that is shown.
    pub top: usize,
    /// The chosen line.
    pub selected: usize,
    /// The style of the chosen line (mode-style).
    pub selected_style: Style,
    /// What is shown of the chosen line.
    pub preview: Option<Preview<'a>>,
}

/// A line of a list.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct ListItem {
    /// The text.
    pub runs: Vec<Run>,
    /// The same text in the style of the chosen line.
    pub chosen_runs: Vec<Run>,
}

/// A box below a list.
pub struct Preview<'a> {
    /// Its rows, of those of the list.
    pub rows: u16,
    /// The title, on the border.
    pub title: Vec<Run>,
    /// What stands in it.
    pub screen: Option<&'a dyn Rows>,
    /// The first column and row of the screen that is shown.
    pub offset: (u16, u16),
}

/// What an overlay covers.
pub(crate) fn area(scene: &Scene<'_>, overlay: &Overlay<'_>) -> Rect {
    match overlay {
        Overlay::Menu(menu) => menu.area(),
        Overlay::Popup(popup) => popup.rect,
        Overlay::Numbers(_) => Rect { x: 0, y: 0, cols: scene.size.cols, rows: scene.size.rows },
        Overlay::List(list) => list.rect,
    }
}

/// Draws an overlay. Returns the cursor in it; while there is an overlay no other is shown.
pub(crate) fn draw(scene: &Scene<'_>, frame: &mut Frame, overlay: &Overlay<'_>) -> Option<(u16, u16)> {
    match overlay {
        Overlay::Menu(menu) => draw_menu(frame, menu),
        Overlay::Popup(popup) => return draw_popup(frame, popup),
        Overlay::Numbers(numbers) => {
            scene.panes.iter().rev().for_each(|pane| draw_number(scene, frame, pane, numbers));
        }
        Overlay::List(list) => draw_list(frame, list),
    }
    None
}

impl Menu {
    /// The menu with its border.
    pub fn area(&self) -> Rect {
        let rows = u16::try_from(self.items.len()).unwrap_or(u16::MAX).saturating_add(2);
        Rect { x: self.at.0, y: self.at.1, cols: self.width.saturating_add(4), rows }
    }
}

/// Draws the lines of a box.
pub(crate) fn draw_frame(frame: &mut Frame, rect: Rect, lines: Lines, style: Style) {
    draw_box(frame, rect, lines, style, &[]);
}

/// Draws the lines of a box, and its title over them.
fn draw_box(frame: &mut Frame, rect: Rect, lines: Lines, style: Style, title: &[Run]) {
    let Rect { x, y, cols, rows } = rect;
    if cols < 2 || rows < 2 {
        return;
    }
    let (right, bottom) = (x.saturating_add(cols - 1), y.saturating_add(rows - 1));
    let cell = |joint| line_cell(lines, joint, style);
    frame.fill(Rect { rows: 1, ..rect }, cell(Joint::LeftRight));
    frame.fill(Rect { y: bottom, rows: 1, ..rect }, cell(Joint::LeftRight));
    frame.fill(Rect { cols: 1, ..rect }, cell(Joint::TopBottom));
    frame.fill(Rect { x: right, cols: 1, ..rect }, cell(Joint::TopBottom));
    for (x, y, joint) in [
        (x, y, Joint::TopLeft),
        (right, y, Joint::TopRight),
        (x, bottom, Joint::BottomLeft),
        (right, bottom, Joint::BottomRight),
    ] {
        frame.put_cells(x, y, &[cell(joint)]);
    }
    draw_line(frame, x.saturating_add(2), y, cols.saturating_sub(4), None, title);
}

fn draw_menu(frame: &mut Frame, menu: &Menu) {
    let rect = menu.area();
    frame.fill(rect, Cell::BLANK);
    draw_box(frame, rect, menu.lines, menu.border, &menu.title);
    for (at, item) in menu.items.iter().enumerate() {
        let y = rect.y.saturating_add(1).saturating_add(at as u16);
        if y >= frame.size().rows {
            break;
        }
        match item {
            MenuItem::Line => {
                let line = Rect { y, rows: 1, ..rect };
                frame.fill(line, line_cell(menu.lines, Joint::LeftRight, menu.border));
                frame.put_cells(rect.x, y, &[line_cell(menu.lines, Joint::LeftJoin, menu.border)]);
                let right = rect.x.saturating_add(rect.cols - 1);
                frame.put_cells(right, y, &[line_cell(menu.lines, Joint::RightJoin, menu.border)]);
            }
            MenuItem::Item { runs, disabled } => {
                let chosen = menu.choice == Some(at) && !disabled;
                let style = if chosen { menu.selected } else { menu.style };
                let line = Rect { x: rect.x.saturating_add(1), y, cols: menu.width.saturating_add(2), rows: 1 };
                frame.fill(line, Cell::new(Glyph::BLANK, style));
                draw_line(frame, rect.x.saturating_add(2), y, menu.width, None, runs);
                if *disabled {
                    frame.restyle(line, |cell| cell.attrs |= Attrs::DIM);
                }
            }
        }
    }
}

fn draw_popup(frame: &mut Frame, popup: &Popup<'_>) -> Option<(u16, u16)> {
    let rect = popup.rect;
    let bordered = popup.lines != Lines::None;
    frame.fill(rect, Cell::BLANK);
    let inner = if bordered {
        if rect.cols <= 2 || rect.rows <= 2 {
            return None;
        }
        Rect { x: rect.x.saturating_add(1), y: rect.y.saturating_add(1), cols: rect.cols - 2, rows: rect.rows - 2 }
    } else {
        rect
    };
    for row in 0..inner.rows {
        let line = Rect { y: inner.y.saturating_add(row), rows: 1, ..inner };
        pane::put(frame, line, popup.rows, row, 0);
    }
    pane::fill_in(frame, rect, popup.defaults);
    if bordered {
        draw_box(frame, rect, popup.lines, popup.border, &popup.title);
    }
    let (x, y) = popup.cursor.filter(|(x, y)| *x < inner.cols && *y < inner.rows)?;
    Some((inner.x.saturating_add(x), inner.y.saturating_add(y)))
}

/// The seven segments of each digit, as bits: top, upper left, upper right, middle, lower left, lower right, bottom.
static SEGMENTS: [u8; 10] = [
    0b111_0111, 0b010_0100, 0b101_1101, 0b110_1101, 0b010_1110, 0b110_1011, 0b111_1011, 0b010_0101, 0b111_1111,
    0b110_1111,
];

/// Whether a cell of a digit, five by five, is lit.
fn lit(digit: usize, col: u16, row: u16) -> bool {
    let has = |bit: u8| SEGMENTS[digit] & 1 << bit != 0;
    let bar = match row {
        0 => has(0),
        2 => has(3),
        4 => has(6),
        _ => false,
    };
    let left = col == 0 && (row <= 2 && has(1) || row >= 2 && has(4));
    let right = col == 4 && (row <= 2 && has(2) || row >= 2 && has(5));
    bar || left || right
}

fn draw_number(scene: &Scene<'_>, frame: &mut Frame, pane: &crate::scene::PaneView<'_>, numbers: &Numbers) {
    let Some(seen) = scene.visible(pane.place) else { return };
    let colour = if pane.active { numbers.active_colour } else { numbers.colour };
    let seen = Rect { x: seen.x, y: seen.y, cols: seen.cols, rows: seen.rows };
    if !draw_index(frame, seen, pane.index, colour, 5) || seen.rows <= 6 {
        return;
    }
    let size = format!("{}x{}", pane.place.cols, pane.place.rows);
    if let Some(indent) = seen.cols.checked_sub(size.len() as u16) {
        frame.put_str(seen.x + indent, seen.y, &size, Style { fg: colour, ..Style::default() });
    }
}

/// Draws the number of a pane in its middle, large where there are so many rows and enough columns. True when it is large.
pub(crate) fn draw_index(frame: &mut Frame, seen: Rect, index: u32, colour: Color, rows: u16) -> bool {
    let text = Style { fg: colour, ..Style::default() };
    let digits = index.to_string();
    let len = digits.len() as u16;
    if seen.cols < len {
        return false;
    }
    let letter = match index {
        10..35 => char::from_u32(u32::from('a') + index - 10).map(String::from).unwrap_or_default(),
        _ => String::new(),
    };
    let (middle_x, middle_y) = (seen.x + seen.cols / 2, seen.y + seen.rows / 2);
    if seen.cols < len.saturating_mul(6) || seen.rows < rows {
        let label = if letter.is_empty() || seen.cols < len + 2 { digits } else { format!("{digits} {letter}") };
        frame.put_str(middle_x.saturating_sub(label.len() as u16 / 2), middle_y, &label, text);
        return false;
    }
    let (left, top) = (middle_x - len * 3, middle_y - 2);
    for (at, digit) in digits.bytes().enumerate() {
        for (row, col) in (0..5).flat_map(|row| (0..5).map(move |col| (row, col))) {
            if lit(usize::from(digit - b'0'), col, row) {
                let x = left + at as u16 * 6 + col;
                frame.fill(Rect { x, y: top + row, cols: 1, rows: 1 }, Cell { bg: colour, ..Cell::BLANK });
            }
        }
    }
    if seen.rows > 6 && !letter.is_empty() {
        frame.put_str((middle_x + len * 3).saturating_sub(2), middle_y + 3, &letter, text);
    }
    true
}

fn draw_list(frame: &mut Frame, list: &ListView<'_>) {
    let rect = list.rect;
    frame.fill(rect, Cell::BLANK);
    let preview = list.preview.as_ref().filter(|preview| preview.rows > 2 && preview.rows < rect.rows && rect.cols > 4);
    let rows = rect.rows - preview.map_or(0, |preview| preview.rows);
    for (row, (at, item)) in (0..rows).zip(list.items.iter().enumerate().skip(list.top)) {
        let y = rect.y.saturating_add(row);
        if at == list.selected {
            draw_line(frame, rect.x, y, rect.cols, Some(list.selected_style), &item.chosen_runs);
        } else {
            draw_line(frame, rect.x, y, rect.cols, None, &item.runs);
        }
    }
    let Some(preview) = preview else { return };
    let area = Rect { y: rect.y.saturating_add(rows), rows: preview.rows, ..rect };
    draw_box(frame, area, Lines::Single, Style::default(), &[]);
    draw_line(frame, area.x.saturating_add(1), area.y, area.cols - 2, None, &preview.title);
    if let Some(screen) = preview.screen {
        for row in 0..area.rows - 2 {
            let y = area.y.saturating_add(1).saturating_add(row);
            let line = Rect { x: area.x.saturating_add(2), y, cols: area.cols - 4, rows: 1 };
            pane::put(frame, line, screen, preview.offset.1.saturating_add(row), preview.offset.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_have_their_shape() {
        let picture = |digit| {
            let row = |row| (0..5).map(|col| if lit(digit, col, row) { '#' } else { '.' }).collect::<String>();
            (0..5).map(row).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(picture(0), "##### #...# #...# #...# #####");
        assert_eq!(picture(1), "....# ....# ....# ....# ....#");
        assert_eq!(picture(2), "##### ....# ##### #.... #####");
        assert_eq!(picture(3), "##### ....# ##### ....# #####");
        assert_eq!(picture(4), "#...# #...# ##### ....# ....#");
        assert_eq!(picture(5), "##### #.... ##### ....# #####");
        assert_eq!(picture(6), "##### #.... ##### #...# #####");
        assert_eq!(picture(7), "##### ....# ....# ....# ....#");
        assert_eq!(picture(8), "##### #...# ##### #...# #####");
        assert_eq!(picture(9), "##### #...# ##### ....# #####");
    }
}
