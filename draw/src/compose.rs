//! Composes a scene into a frame, touching only what changed since that client's last composition.

use crate::overlay;
use crate::run::Range;
use crate::scene::{Message, PaneView, Scene, Visible};
use crate::{border, pane, status};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use term::cell::Cell;
use term::frame::{Frame, Rect};
use unicode_segmentation::UnicodeSegmentation;

/// What one client's frame was composed from. Begins empty, with which everything is drawn.
#[derive(Debug, Default)]
pub struct Seen {
    /// Everything but rows of panes, status lines and overlays.
    layout: Option<u64>,
    /// Status lines and message.
    status: Option<u64>,
    /// What overlays covered.
    covered: Vec<Rect>,
    /// What of each pane is in the frame.
    panes: HashMap<u32, PaneSeen>,
    /// What can be clicked on each status line, in columns of the client.
    pub status_ranges: Vec<Vec<Range>>,
    /// What can be clicked on a pane's border, by the number of its id, in columns from the text's start (the third
    /// column of the border).
    pub border_ranges: Vec<(u32, Vec<Range>)>,
}

/// What of a pane is in a frame.
#[derive(Clone, Copy, Debug)]
struct PaneSeen {
    /// Which screen it was.
    source: u64,
    /// The newest change of that screen.
    change: u64,
    /// Where it was.
    at: Option<Visible>,
    /// It is a picture that was kept: what had lain over it may show, so every row is drawn once it is let go.
    kept: bool,
}

/// Draws a scene into the frame this client had (of any size: it is made to fit). Rows of panes that have not changed
/// cost nothing.
pub fn compose(scene: &Scene<'_>, seen: &mut Seen, frame: &mut Frame) {
    let layout = layout_number(scene);
    let covers = scene.overlays.iter().map(|overlay| overlay::area(scene, overlay)).collect();
    let fresh = frame.size() != Frame::fit(scene.size);
    // What an overlay that moved or went away had covered is drawn again.
    let whole = fresh || seen.layout != Some(layout) || !seen.covered.is_empty() && seen.covered != covers;
    if fresh {
        frame.resize(scene.size);
    }
    frame.sweep();
    let keeps = whole && !fresh && seen.covered.is_empty() && scene.panes.iter().any(|pane| pane.held);
    let kept = keeps.then(|| frame.clone());
    if whole {
        draw_ground(scene, seen, frame);
    }
    draw_panes(scene, seen, frame, whole, kept.as_ref());
    let status = status_number(scene);
    if whole || seen.status != Some(status) {
        seen.status_ranges = draw_status(scene, frame);
    }
    let in_pane = draw_prompts(scene, frame);
    let cursor = draw_message(scene, frame, whole || seen.status != Some(status));
    let over = scene.overlays.iter().fold(None, |_, overlay| Some(overlay::draw(scene, frame, overlay)));
    let held = scene.active().is_some_and(|active| active.held);
    frame.cursor = match (over, cursor, held) {
        (Some(over), ..) => over,
        (None, Some(cursor), _) => Some(cursor),
        (None, None, _) if in_pane.is_some() => in_pane,
        (None, None, true) if !whole => frame.cursor,
        (None, None, _) => pane_cursor(scene),
    };
    let size = frame.size();
    frame.cursor = frame.cursor.filter(|(x, y)| *x < size.cols && *y < size.rows);
    frame.look = scene.look;
    frame.title.clone_from(&scene.title);
    frame.path.clone_from(&scene.path);
    frame.modes = scene.modes;
    frame.progress = scene.progress;
    seen.layout = Some(layout);
    seen.status = Some(status);
    seen.covered = covers;
}

/// Borders and what lies outside the window, with the texts of panes' borders.
fn draw_ground(scene: &Scene<'_>, seen: &mut Seen, frame: &mut Frame) {
    let view = Rect { x: 0, y: scene.top(), cols: scene.size.cols, rows: scene.view_rows() };
    frame.fill(view, Cell::BLANK);
    border::draw(scene, frame);
    seen.border_ranges = border::draw_status(scene, frame);
}

/// The panes' rows and scrollbars; tiled ones first, then floating ones from the hindmost.
fn draw_panes(scene: &Scene<'_>, seen: &mut Seen, frame: &mut Frame, whole: bool, kept: Option<&Frame>) {
    let mut drawn = whole;
    let mut panes = HashMap::with_capacity(scene.panes.len());
    for pane in scene.panes.iter().rev().filter(|pane| pane.floating.is_none()) {
        let (new, now) = draw_pane(scene, seen, frame, pane, whole, kept);
        drawn |= new;
        panes.insert(pane.id, now);
    }
    for pane in scene.panes.iter().filter(|pane| pane.scrollbar.is_some()) {
        drawn = true;
        if pane.floating.is_none() {
            pane::draw_scrollbar(scene, frame, pane);
        }
    }
    for pane in scene.panes.iter().rev().filter(|pane| pane.floating.is_some()) {
        // What changed below has been drawn over it.
        if drawn {
            border::draw_floating(scene, frame, pane);
            pane::draw_scrollbar(scene, frame, pane);
        }
        let (new, now) = draw_pane(scene, seen, frame, pane, drawn, kept);
        drawn |= new;
        panes.insert(pane.id, now);
    }
    seen.panes = panes;
}

/// One pane's rows, all of them with `whole`. A pane that holds its picture back keeps what was last shown of it, from
/// the frame itself or from `kept`. Returns whether anything was drawn, and what of the pane is in the frame now.
fn draw_pane(
    scene: &Scene<'_>,
    seen: &Seen,
    frame: &mut Frame,
    pane: &PaneView<'_>,
    whole: bool,
    kept: Option<&Frame>,
) -> (bool, PaneSeen) {
    let at = pane::visible(scene, pane);
    let before = seen.panes.get(&pane.id).filter(|before| before.source == pane.source && before.at == at);
    if let (true, Some(before)) = (pane.held, before) {
        if let (true, Some(kept), Some(at)) = (whole, kept, at) {
            pane::keep(frame, at, kept);
            return (true, PaneSeen { kept: true, ..*before });
        }
        if !whole {
            return (false, *before);
        }
    }
    let since = before.filter(|before| !whole && !before.kept).map(|before| before.change);
    let drawn = pane::draw(scene, frame, pane, since);
    let change = (0..pane.place.rows).map(|y| pane.rows.row(y).change).max().unwrap_or(0);
    (drawn, PaneSeen { source: pane.source, change, at, kept: false })
}

fn status_start(scene: &Scene<'_>) -> u16 {
    if scene.status_top { 0 } else { scene.view_rows() }
}

fn draw_status(scene: &Scene<'_>, frame: &mut Frame) -> Vec<Vec<Range>> {
    let start = status_start(scene);
    let rows = Rect { x: 0, y: start, cols: scene.size.cols, rows: scene.status_rows() };
    frame.fill(rows, Cell::BLANK);
    let lines = (start..start + scene.status_rows()).zip(&scene.status);
    lines.map(|(y, line)| status::draw_line(frame, 0, y, scene.size.cols, Some(line.base), &line.runs)).collect()
}

/// The message or prompt. Returns the cursor, for a prompt.
fn draw_message(scene: &Scene<'_>, frame: &mut Frame, draw: bool) -> Option<(u16, u16)> {
    let message = scene.message.as_ref()?;
    let last = scene.status_rows().checked_sub(1)?;
    let y = status_start(scene) + message.line.min(last);
    let cols = message.cols.min(scene.size.cols.saturating_sub(message.x));
    if draw {
        status::draw_line(frame, message.x, y, cols, None, &message.runs);
    }
    draw_input(frame, message, y, cols)
}

/// Prompts over panes, whose rows are drawn anew when one changes. Returns the cursor in that of the active pane.
fn draw_prompts(scene: &Scene<'_>, frame: &mut Frame) -> Option<(u16, u16)> {
    let mut cursor = None;
    for prompt in &scene.prompts {
        let Some(seen) = scene.visible(prompt.place) else { continue };
        status::draw_line(frame, seen.x, seen.y, seen.cols, None, &prompt.message.runs);
        let message = Message { x: seen.x, ..prompt.message.clone() };
        let at = draw_input(frame, &message, seen.y, seen.cols);
        cursor = at.filter(|_| prompt.active).or(cursor);
    }
    cursor
}

/// What is being typed, so far to the left that the cursor is seen.
fn draw_input(frame: &mut Frame, message: &Message, y: u16, cols: u16) -> Option<(u16, u16)> {
    let input = message.input.as_ref()?;
    let start = status::width(&message.runs).min(cols);
    let room = usize::from(cols - start);
    if room == 0 {
        return None;
    }
    let mut cells = Vec::new();
    let mut cursor = None;
    for (at, cluster) in input.text.grapheme_indices(true) {
        if at >= input.cursor && cursor.is_none() {
            cursor = Some(cells.len());
            quote(frame, &mut cells, message, input.quoting);
        }
        match cluster.as_bytes() {
            [byte @ (0..0x20 | 0x7f)] => {
                for c in ['^', char::from(byte ^ 0x40)] {
                    frame.push_cluster(&mut cells, c.encode_utf8(&mut [0; 4]), message.base);
                }
            }
            _ => frame.push_cluster(&mut cells, cluster, message.base),
        }
    }
    let cursor = cursor.unwrap_or_else(|| {
        let end = cells.len();
        quote(frame, &mut cells, message, input.quoting);
        end
    });
    let offset = if cursor >= room { cursor - room + 1 } else { 0 };
    let shown = &cells[offset.min(cells.len())..];
    let x = message.x + start;
    frame.put_cells(x, y, &shown[..shown.len().min(room)]);
    Some((x + (cursor - offset) as u16, y))
}

fn quote(frame: &mut Frame, cells: &mut Vec<Cell>, message: &Message, quoting: bool) {
    if quoting {
        frame.push_cluster(cells, "^", message.base);
    }
}

/// The cursor of the active pane in the client, unless it is out of view.
fn pane_cursor(scene: &Scene<'_>) -> Option<(u16, u16)> {
    let pane = scene.active()?;
    let (x, y) = scene.cursor?;
    if x > pane.place.cols || y >= pane.place.rows {
        return None;
    }
    // A cursor that hangs over the right margin is shown in the last column.
    let x = x.min(pane.place.cols.saturating_sub(1));
    let place =
        crate::scene::Place { x: pane.place.x + i32::from(x), y: pane.place.y + i32::from(y), cols: 1, rows: 1 };
    scene.visible(place).map(|seen| (seen.x, seen.y))
}

/// A number for all that [`draw_ground`] and the places of rows depend on.
fn layout_number(scene: &Scene<'_>) -> u64 {
    let mut hasher = DefaultHasher::new();
    (scene.size, scene.window, scene.offset, scene.top(), scene.status_rows()).hash(&mut hasher);
    scene.borders.hash(&mut hasher);
    scene.prompts.hash(&mut hasher);
    for pane in &scene.panes {
        (pane.id, pane.index, pane.place, pane.defaults, pane.dimmed, &pane.palette).hash(&mut hasher);
        (pane.active, pane.marked, pane.floating, pane.border, pane.active_border).hash(&mut hasher);
        pane.status.hash(&mut hasher);
        pane.scrollbar.map(|bar| (bar.left, bar.width, bar.pad)).hash(&mut hasher);
    }
    hasher.finish()
}

fn status_number(scene: &Scene<'_>) -> u64 {
    let mut hasher = DefaultHasher::new();
    scene.status.hash(&mut hasher);
    scene.message.hash(&mut hasher);
    hasher.finish()
}
