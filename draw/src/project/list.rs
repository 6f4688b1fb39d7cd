//! A list in a pane: its rows, and a box below them that shows the current one.

use super::page::put_text;
use super::style::{Stage, runs};
use crate::border::{Joint, line_cell};
use crate::overlay::draw_frame;
use crate::pane;
use crate::scene::{Lines, Rows};
use crate::status::draw_line;
use mux::mode::list::strip::strip;
use mux::mode::list::{Item, List, Row};
use mux::style::{Look, plain_width, trim_left, width};
use mux::target::Found;
use mux::{Mux, PaneId, SessionId, WindowId};
use term::Terminal;
use term::cell::Cell;
use term::frame::{Frame, Rect};
use term::style::{Attrs, Style};

fn short(n: usize) -> u16 {
    u16::try_from(n).unwrap_or(u16::MAX)
}

/// Draws a list over a whole page.
pub(super) fn draw(stage: &Stage<'_>, pane: PaneId, list: &List, frame: &mut Frame) {
    let chosen = stage.pane_style(pane, "mode-style").look;
    let columns = Columns { keys: list.key_columns(), chosen };
    // What no row covers is drawn too, as another page may have stood there.
    frame.fill(Rect { x: 0, y: 0, cols: frame.size().cols, rows: frame.size().rows }, Cell::BLANK);
    for (line, row) in list.visible() {
        draw_row(frame, list, row, &columns, short(line - list.offset()), line == list.current());
    }
    draw_preview(stage, pane, list, frame, chosen);
}

struct Columns {
    keys: usize,
    chosen: Look,
}

fn draw_row(frame: &mut Frame, list: &List, row: &Row, columns: &Columns, y: u16, is_current: bool) {
    let cols = frame.size().cols;
    let mut look = if is_current { columns.chosen } else { Look::default() };
    if row.tagged {
        look.attributes.toggle(mux::style::Attributes::BRIGHT);
    }
    let style = look.of_cell();
    frame.fill(Rect { x: 0, y, cols, rows: 1 }, Cell { bg: style.bg, ..Cell::BLANK });
    let key = row.key.as_ref().map_or(String::new(), |key| format!("({key})"));
    let name_columns = match row.draft.align {
        mux::mode::list::Align::None => 0,
        mux::mode::list::Align::Right => list.name_columns(row.draft.depth),
    };
    let (tag, colon) = (if row.tagged { "*" } else { "" }, if row.draft.text.is_some() { ": " } else { "" });
    let keys = columns.keys;
    let before = format!("{key:<keys$}{}", list.branches(row));
    let name = format!("{:>name_columns$}{tag}{colon}", row.draft.name);
    let used = put_text(frame, 0, y, cols, &before, style);
    let used = used + put_text(frame, used, y, cols - used, &name, style);
    if let Some(text) = &row.draft.text {
        draw_line(frame, used, y, cols - used, None, &runs(text, look));
    }
}

/// The box below the list.
fn draw_preview(stage: &Stage<'_>, pane: PaneId, list: &List, frame: &mut Frame, chosen: Look) {
    let (cols, rows) = (frame.size().cols, frame.size().rows);
    let top = short(list.height());
    if !list.has_preview() || rows <= 4 || top < 2 || rows.saturating_sub(top) <= 4 || cols <= 4 {
        return;
    }
    let Some(row) = list.current_row() else { return };
    let area = Rect { x: 0, y: top, cols, rows: rows - top };
    draw_frame(frame, area, Lines::Single, Style::default());
    draw_title(list, frame, area, chosen.of_cell());
    let inner = Rect { x: 2, y: top + 1, cols: cols - 4, rows: area.rows - 2 };
    let mux = stage.mux;
    match &row.draft.item {
        Item::Session(session) => draw_session(stage, list, frame, inner, *session),
        Item::Window(session, index) => draw_window(stage, list, frame, inner, *session, *index),
        Item::Pane(.., pane) => draw_pane(mux, frame, inner, *pane),
        Item::Buffer(name) => draw_buffer(mux, frame, inner, name),
        Item::Client(client) => draw_client(stage, frame, inner, *client),
        Item::Conversation(..) => {
            let lines = list.conversation_lines(stage.now.unix.as_millis() as u64).unwrap_or_default();
            draw_lines(frame, inner, lines.iter().map(String::as_str));
        }
        Item::Setting(_) => draw_setting(stage, pane, list, frame, inner),
        Item::Note(_) => {}
    }
}

fn draw_title(list: &List, frame: &mut Frame, area: Rect, chosen: Style) {
    let sorting = list.sorting();
    let reversed = if sorting.reversed { ", reversed" } else { "" };
    let title = match list.source().orders {
        [] => format!(" {}", list.title()),
        _ => format!(" {} (sort: {}{reversed})", list.title(), sorting.order.name()),
    };
    let room = area.cols - 2;
    if usize::from(room) < title.len() {
        return;
    }
    let mut x = 1 + put_text(frame, 1, area.y, room, &title, Style::default());
    let mut put = |text: &str, style: Style| x += put_text(frame, x, area.y, (room + 1).saturating_sub(x), text, style);
    let state = match list.filtered() {
        Some(true) => "active",
        Some(false) => "no matches",
        None => return put(" ", Style::default()),
    };
    if usize::from(room) >= title.len() + state.len() + 12 {
        put(" (filter: ", Style::default());
        put(state, if state == "active" { Style::default() } else { chosen });
        put(") ", Style::default());
    } else {
        put(" ", Style::default());
    }
}

/// Part of a pane's screen, around its cursor.
fn draw_pane(mux: &Mux, frame: &mut Frame, area: Rect, pane: PaneId) {
    if let Some(pane) = mux.panes.get(&pane) {
        draw_screen(frame, area, &pane.terminal);
    }
}

pub(super) fn draw_screen(frame: &mut Frame, area: Rect, terminal: &Terminal) {
    let (size, cursor) = (terminal.size(), terminal.cursor());
    let shows_cursor = terminal.modes().contains(term::Modes::CURSOR);
    let start = |at: u16, shown: u16, whole: u16| {
        let start = at.saturating_sub(shown / 3);
        start.min(whole.saturating_sub(shown))
    };
    let from = match shows_cursor {
        true => (start(cursor.col, area.cols, size.cols), start(cursor.row, area.rows, size.rows)),
        false => (0, 0),
    };
    for row in 0..area.rows.min(size.rows - from.1.min(size.rows)) {
        let rect = Rect { y: area.y + row, rows: 1, cols: area.cols.min(size.cols), ..area };
        pane::put(frame, rect, terminal as &dyn Rows, from.1 + row, from.0);
    }
    let (x, y) = (cursor.col.saturating_sub(from.0), cursor.row.saturating_sub(from.1));
    if shows_cursor && x < area.cols && y < area.rows {
        let rect = Rect { x: area.x + x, y: area.y + y, cols: 1, rows: 1 };
        frame.restyle(rect, |cell| cell.attrs |= Attrs::REVERSE);
    }
}

/// One of several things side by side in a preview: the pane that is shown, and where its label is expanded.
struct Part {
    pane: PaneId,
    place: Found,
    window: Option<WindowId>,
    values: Vec<(String, String)>,
}

fn kind(name: &str) -> Vec<(String, String)> {
    ["session_format", "window_format", "pane_format"]
        .map(|other| (other.to_owned(), u8::from(other == name).to_string()))
        .to_vec()
}

fn draw_session(stage: &Stage<'_>, list: &List, frame: &mut Frame, area: Rect, session: SessionId) {
    let Some(session) = stage.mux.sessions.get(&session) else { return };
    let windows =
        session.windows.iter().filter_map(|(index, link)| Some((*index, stage.mux.windows.get(&link.window)?)));
    let parts: Vec<Part> = windows
        .map(|(index, window)| Part {
            pane: window.active,
            place: Found {
                session: Some(session.id),
                index: Some(index),
                window: Some(window.id),
                pane: Some(window.active),
                ..Found::default()
            },
            window: Some(window.id),
            values: kind("window_format"),
        })
        .collect();
    let current = session.windows.keys().position(|index| *index == session.current).unwrap_or(0);
    draw_parts(stage, list, frame, area, &parts, current);
}

fn draw_window(stage: &Stage<'_>, list: &List, frame: &mut Frame, area: Rect, session: SessionId, index: i32) {
    let entry = stage.mux.sessions.get(&session).and_then(|session| session.windows.get(&index));
    let Some(window) = entry.and_then(|link| stage.mux.windows.get(&link.window)) else { return };
    let part = |pane: &PaneId| Part {
        pane: *pane,
        place: Found {
            session: Some(session),
            index: Some(index),
            window: Some(window.id),
            pane: Some(*pane),
            ..Found::default()
        },
        window: None,
        values: kind("pane_format"),
    };
    let parts: Vec<Part> = window.panes().iter().map(part).collect();
    let current = window.panes().iter().position(|pane| *pane == window.active).unwrap_or(0);
    draw_parts(stage, list, frame, area, &parts, current);
}

fn draw_parts(stage: &Stage<'_>, list: &List, frame: &mut Frame, area: Rect, parts: &[Part], current: usize) {
    if parts.is_empty() {
        return;
    }
    let Some(strip) = strip(area.cols, parts.len(), current, list.shift()) else { return };
    let line = |frame: &mut Frame, x: u16| {
        let rect = Rect { x, y: area.y, cols: 1, rows: area.rows };
        frame.fill(rect, line_cell(Lines::Single, Joint::TopBottom, Style::default()));
    };
    let middle = area.y + area.rows / 2;
    if strip.left {
        line(frame, area.x + 2);
        frame.put_str(area.x, middle, "<", Style::default());
    }
    if strip.right {
        line(frame, area.x + area.cols - 3);
        frame.put_str(area.x + area.cols - 1, middle, ">", Style::default());
    }
    for (at, part) in parts[strip.start..strip.end].iter().enumerate() {
        let is_last = strip.start + at + 1 == strip.end;
        let offset = short(at) * strip.each + if strip.left { 3 } else { 0 };
        let cols = if is_last { strip.each + strip.remaining } else { strip.each - 1 };
        let inner = Rect { x: area.x + offset, cols, ..area };
        draw_pane(stage.mux, frame, inner, part.pane);
        draw_label(stage, frame, inner, part);
        if !is_last {
            line(frame, inner.x + cols);
        }
    }
}

/// The name of a part, in a box in its middle.
fn draw_label(stage: &Stage<'_>, frame: &mut Frame, area: Rect, part: &Part) {
    let mux = stage.mux;
    let option = |name: &str| match part.window {
        Some(window) => mux.window_text(window, name),
        None => mux.pane_text(part.pane, name),
    };
    let expand = |text: &str| mux.expand_at(None, part.place, text, &part.values, stage.world, stage.now);
    let label = expand(&option("tree-mode-preview-format"));
    if area.cols < 5 || area.rows < 3 || label.is_empty() {
        return;
    }
    let room = usize::from(area.cols - 4);
    let label = if width(&label) > room { trim_left(&label, room) } else { label };
    let columns = short(width(&label));
    if columns == 0 {
        return;
    }
    let style = mux::style::Markup::parse(&expand(&option("tree-mode-preview-style"))).unwrap_or_default();
    let (x, y) = (area.x + (area.cols - columns).div_ceil(2), area.y + area.rows.div_ceil(2));
    let around = Rect { x: x.saturating_sub(2), y: y - 1, cols: columns + 4, rows: 3 };
    frame.fill(around, Cell::BLANK);
    draw_frame(frame, around, Lines::Single, Style::default());
    draw_line(frame, x, y, columns, None, &runs(&label, style.look));
}

/// The beginning of a buffer, its control characters made visible.
fn draw_buffer(mux: &Mux, frame: &mut Frame, area: Rect, name: &str) {
    let Some(buffer) = mux.buffers.get(name) else { return };
    let lines: Vec<String> = buffer
        .data
        .split(|byte| *byte == b'\n')
        .take(usize::from(area.rows))
        .map(|line| visible(&String::from_utf8_lossy(line)))
        .collect();
    draw_lines(frame, area, lines.iter().map(String::as_str));
}

fn visible(text: &str) -> String {
    text.chars()
        .flat_map(|c| match c {
            '\t' => "\\t".chars().collect::<Vec<char>>(),
            '\r' => "\\r".chars().collect(),
            '\\' => "\\\\".chars().collect(),
            c if c.is_control() => format!("\\{:03o}", c as u32).chars().collect(),
            c => vec![c],
        })
        .collect()
}

/// Lines of text, cut at the edge; empty ones leave what is there.
fn draw_lines<'a>(frame: &mut Frame, area: Rect, lines: impl Iterator<Item = &'a str>) {
    for (row, line) in (0..area.rows).zip(lines) {
        put_text(frame, area.x, area.y + row, area.cols, line, Style::default());
    }
}

/// What is said of a setting, each line going on in the next rows where it is long.
fn draw_setting(stage: &Stage<'_>, pane: PaneId, list: &List, frame: &mut Frame, area: Rect) {
    let mut y = 0;
    for line in list.setting_lines(stage.mux, pane, stage.world, stage.now) {
        let rows = wrapped(&line.text, usize::from(area.cols));
        let last = rows.last().map_or(0, |row| width(row));
        let count = short(rows.len());
        for (row, text) in (y..area.rows).zip(&rows) {
            frame.put_str(area.x, area.y + row, text, Style::default());
        }
        y = y.saturating_add(count).min(area.rows);
        if let Some(look) = line.example.filter(|_| y > 0) {
            let x = short(last).min(area.cols);
            put_text(frame, area.x + x, area.y + y - 1, area.cols - x, "EXAMPLE", look.of_cell());
        }
    }
}

/// A text in rows of at most so many columns, broken at blanks where there are some.
fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let (mut rows, mut row) = (Vec::new(), String::new());
    for word in text.split_inclusive(' ') {
        if !row.is_empty() && plain_width(&row) + plain_width(word.trim_end()) > columns {
            rows.push(std::mem::take(&mut row));
        }
        for letter in word.chars() {
            let mut with = row.clone();
            with.push(letter);
            if plain_width(&with) > columns && letter != ' ' {
                rows.push(std::mem::take(&mut row));
            }
            row.push(letter);
        }
    }
    rows.push(row);
    rows
}

/// A client: the active pane of its session, and its status lines.
fn draw_client(stage: &Stage<'_>, frame: &mut Frame, area: Rect, client: mux::ClientId) {
    let mux = stage.mux;
    let Some(entry) = mux.clients.get(&client) else { return };
    let Some(session) = entry.session.and_then(|id| mux.sessions.get(&id)) else { return };
    let Some(window) = session.current_window().and_then(|id| mux.windows.get(&id)) else { return };
    let mut lines = short(mux.client_status_lines(entry) as usize);
    if lines >= area.rows {
        lines = 0;
    }
    let own = Stage { client, session: session.id, ..*stage };
    let at_top = own.text("status-position") == "top";
    let top = if at_top { lines } else { 0 };
    let rows = area.rows.saturating_sub(2 + lines);
    draw_pane(mux, frame, Rect { y: area.y + top, rows, ..area }, window.active);
    let line_y = if at_top && lines > 0 { area.y + 2 } else { area.y + area.rows - 1 - lines };
    frame.fill(Rect { y: line_y, rows: 1, ..area }, line_cell(Lines::Single, Joint::LeftRight, Style::default()));
    let status_y = if at_top { area.y } else { area.y + area.rows - lines };
    for (row, line) in (0..lines).zip(super::message::status(&own, lines)) {
        draw_line(frame, area.x, status_y + row, area.cols, Some(line.base), &line.runs);
    }
}

/// What of the panes that a list previews has changed: a number that grows with each of them.
pub(super) fn change(mux: &Mux, list: &List) -> u64 {
    let of = |pane: &PaneId| mux.panes.get(pane).map_or(0, |pane| pane.terminal.change());
    let active = |window: WindowId| mux.windows.get(&window).map_or(0, |window| of(&window.active));
    let window =
        |session: &SessionId, index: &i32| mux.sessions.get(session)?.windows.get(index).map(|link| link.window);
    match list.current_row().map(|row| &row.draft.item) {
        Some(Item::Session(session)) => {
            let windows = mux.sessions.get(session).map(|session| session.windows.values());
            windows.into_iter().flatten().map(|link| active(link.window)).fold(0, u64::wrapping_add)
        }
        Some(Item::Window(session, index)) => {
            let panes = window(session, index).and_then(|id| mux.windows.get(&id)).map(|window| window.panes());
            panes.into_iter().flatten().map(of).fold(0, u64::wrapping_add)
        }
        Some(Item::Pane(.., pane)) => of(pane),
        Some(Item::Client(client)) => {
            let session = mux.clients.get(client).and_then(|client| mux.sessions.get(&client.session?));
            session.and_then(|session| session.current_window()).map_or(0, active)
        }
        _ => 0,
    }
}

/// The lines of a help: the key at the right of its column, a line, what it does.
pub(super) fn help(lines: &[(String, String)], cols: u16) -> Frame {
    const KEYS: usize = 11;
    let mut frame = Frame::new(term::Size { cols, rows: short(lines.len()) });
    let bold = Style { attrs: Attrs::BOLD, ..Style::default() };
    for (y, (key, about)) in (0..).zip(lines) {
        let used = put_text(&mut frame, 0, y, cols, &format!("{key:>KEYS$}"), bold);
        put_text(&mut frame, used, y, cols - used, &format!(" │ {about}"), Style::default());
    }
    frame
}
