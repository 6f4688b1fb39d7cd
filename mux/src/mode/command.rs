//! What each command that moves, selects or searches does. Copying is in `copying`; names and rules are rows of `table`.

use super::Mode;
use super::call::{MOST, MOST_SEARCHES, Running};
use super::jump::Kind;
use super::search::Direction;
use super::selection::{Line, Unit};

pub(super) fn back_to_indentation(mode: &mut Mode, _: &mut Running<'_>) {
    mode.read_up(|reader| reader.back_to_indentation());
}

pub(super) fn begin_selection(mode: &mut Mode, running: &mut Running<'_>) {
    if let Some(mouse) = running.mouse {
        mode.begin_drag(mouse.last, (mouse.column, mouse.row));
        running.action.drag = true;
        return;
    }
    mode.selection.line = Line::None;
    mode.selection.unit = Unit::Character;
    mode.start_selection();
}

pub(super) fn stop_selection(mode: &mut Mode, _: &mut Running<'_>) {
    mode.stop_selection();
}

pub(super) fn clear_selection(mode: &mut Mode, _: &mut Running<'_>) {
    mode.clear_selection();
}

pub(super) fn cancel(_: &mut Mode, running: &mut Running<'_>) {
    running.action.cancel = true;
}

fn to_row(mode: &mut Mode, y: usize) {
    (mode.x, mode.y) = (0, y);
    mode.update_selection(false);
}

pub(super) fn top_line(mode: &mut Mode, _: &mut Running<'_>) {
    to_row(mode, 0);
}

pub(super) fn middle_line(mode: &mut Mode, _: &mut Running<'_>) {
    to_row(mode, (mode.page.rows() - 1) / 2);
}

pub(super) fn bottom_line(mode: &mut Mode, _: &mut Running<'_>) {
    to_row(mode, mode.page.rows() - 1);
}

pub(super) fn cursor_down(mode: &mut Mode, running: &mut Running<'_>) {
    mode.repeated(running.times, |mode| mode.cursor_down(false));
}

pub(super) fn cursor_down_and_cancel(mode: &mut Mode, running: &mut Running<'_>) {
    let before = mode.y;
    cursor_down(mode, running);
    running.action.cancel = before == mode.y && mode.offset == 0;
}

pub(super) fn cursor_up(mode: &mut Mode, running: &mut Running<'_>) {
    mode.repeated(running.times, |mode| mode.cursor_up(false));
}

pub(super) fn cursor_left(mode: &mut Mode, running: &mut Running<'_>) {
    mode.repeated(running.times, |mode| mode.read_up(|reader| reader.left(true)));
}

pub(super) fn cursor_right(mode: &mut Mode, running: &mut Running<'_>) {
    mode.repeated(running.times, Mode::cursor_right);
}

pub(super) fn cursor_centre_vertical(mode: &mut Mode, _: &mut Running<'_>) {
    mode.move_to(mode.x, mode.page.rows() / 2);
    mode.update_selection(false);
}

pub(super) fn cursor_centre_horizontal(mode: &mut Mode, _: &mut Running<'_>) {
    mode.move_to(mode.page.cols() / 2, mode.y);
    mode.update_selection(false);
}

pub(super) fn start_of_line(mode: &mut Mode, _: &mut Running<'_>) {
    mode.start_of_line();
}

pub(super) fn end_of_line(mode: &mut Mode, _: &mut Running<'_>) {
    mode.end_of_line();
}

pub(super) fn scroll_top(mode: &mut Mode, _: &mut Running<'_>) {
    mode.scroll_row_to(0);
}

pub(super) fn scroll_middle(mode: &mut Mode, _: &mut Running<'_>) {
    mode.scroll_row_to((mode.page.rows() - 1) / 2);
}

pub(super) fn scroll_bottom(mode: &mut Mode, _: &mut Running<'_>) {
    mode.scroll_row_to(mode.page.rows() - 1);
}

pub(super) fn scroll_to_mouse(mode: &mut Mode, running: &mut Running<'_>) {
    if let Some(slider) = running.mouse.and_then(|mouse| mouse.slider) {
        running.action.cancel = mode.scroll_to_slider(slider, running.call.has('e'));
    }
}

/// Pages towards the newest line, until that ends the mode.
fn pages_down(mode: &mut Mode, running: &mut Running<'_>, half: bool, exit: bool) {
    let mut ends = false;
    mode.repeated(running.times, |mode| ends = ends || mode.page_down(half, exit));
    running.action.cancel = ends;
}

pub(super) fn halfpage_down(mode: &mut Mode, running: &mut Running<'_>) {
    pages_down(mode, running, true, mode.scroll_exit);
}

pub(super) fn halfpage_down_and_cancel(mode: &mut Mode, running: &mut Running<'_>) {
    pages_down(mode, running, true, true);
}

pub(super) fn halfpage_up(mode: &mut Mode, running: &mut Running<'_>) {
    mode.repeated(running.times, |mode| mode.page_up(true));
}

pub(super) fn page_down(mode: &mut Mode, running: &mut Running<'_>) {
    pages_down(mode, running, false, mode.scroll_exit);
}

pub(super) fn page_down_and_cancel(mode: &mut Mode, running: &mut Running<'_>) {
    pages_down(mode, running, false, true);
}

pub(super) fn page_up(mode: &mut Mode, running: &mut Running<'_>) {
    mode.repeated(running.times, |mode| mode.page_up(false));
}

pub(super) fn scroll_down(mode: &mut Mode, running: &mut Running<'_>) {
    let rows = if mode.offset == 0 { 0 } else { running.times };
    running.action.cancel = scroll_rows_down(mode, rows) && mode.scroll_exit;
}

pub(super) fn scroll_down_and_cancel(mode: &mut Mode, running: &mut Running<'_>) {
    running.action.cancel = scroll_rows_down(mode, running.times);
}

/// True when the newest row is reached and nothing is selected. What is selected stays as it is while the view moves,
/// unless the mouse is selecting.
fn scroll_rows_down(mode: &mut Mode, rows: usize) -> bool {
    if mode.selection.present && mode.dragger.is_none() {
        mode.hold_selection();
        mode.scroll_up(rows);
    } else {
        mode.repeated(rows, |mode| mode.cursor_down(true));
    }
    mode.offset == 0 && !mode.selection.present
}

pub(super) fn scroll_up(mode: &mut Mode, running: &mut Running<'_>) {
    if mode.selection.present && mode.dragger.is_none() {
        mode.hold_selection();
        let above = mode.page.history() - mode.offset;
        mode.scroll_down(running.times.min(above));
    } else {
        mode.repeated(running.times, |mode| mode.cursor_up(true));
    }
}

pub(super) fn scroll_exit_on(mode: &mut Mode, _: &mut Running<'_>) {
    mode.scroll_exit = true;
}

pub(super) fn scroll_exit_off(mode: &mut Mode, _: &mut Running<'_>) {
    mode.scroll_exit = false;
}

pub(super) fn scroll_exit_toggle(mode: &mut Mode, _: &mut Running<'_>) {
    mode.scroll_exit = !mode.scroll_exit;
}

pub(super) fn toggle_position(mode: &mut Mode, _: &mut Running<'_>) {
    mode.hides_position = !mode.hides_position;
}

pub(super) fn recentre_top_bottom(mode: &mut Mode, _: &mut Running<'_>) {
    mode.recentre();
}

pub(super) fn refresh_from_pane(mode: &mut Mode, running: &mut Running<'_>) {
    mode.refresh(running.terminal);
}

pub(super) fn goto_line(mode: &mut Mode, running: &mut Running<'_>) {
    if let Some(text) = running.call.text(0) {
        mode.goto_line(text);
    }
}

pub(super) fn history_bottom(mode: &mut Mode, _: &mut Running<'_>) {
    if mode.selection.line == Line::RightLeft && mode.row() == mode.selection.end.1 {
        mode.other_end();
    }
    mode.y = mode.page.rows() - 1;
    mode.x = mode.limit(mode.page.last(), false);
    mode.offset = 0;
    mode.mark_visible();
    mode.update_selection(false);
}

pub(super) fn history_top(mode: &mut Mode, _: &mut Running<'_>) {
    if mode.selection.line == Line::LeftRight && mode.row() == mode.selection.start.1 {
        mode.other_end();
    }
    (mode.x, mode.y, mode.offset) = (0, 0, mode.page.history());
    mode.mark_visible();
    mode.update_selection(false);
}

fn jump(mode: &mut Mode, running: &mut Running<'_>, kind: Kind) {
    if let Some(text) = running.call.text(0) {
        mode.start_jump(kind, text, running.times);
    }
}

pub(super) fn jump_forward(mode: &mut Mode, running: &mut Running<'_>) {
    jump(mode, running, Kind::Forward);
}

pub(super) fn jump_backward(mode: &mut Mode, running: &mut Running<'_>) {
    jump(mode, running, Kind::Backward);
}

pub(super) fn jump_to_forward(mode: &mut Mode, running: &mut Running<'_>) {
    jump(mode, running, Kind::ToForward);
}

pub(super) fn jump_to_backward(mode: &mut Mode, running: &mut Running<'_>) {
    jump(mode, running, Kind::ToBackward);
}

pub(super) fn jump_again(mode: &mut Mode, running: &mut Running<'_>) {
    mode.jump_again(running.times, false);
}

pub(super) fn jump_reverse(mode: &mut Mode, running: &mut Running<'_>) {
    mode.jump_again(running.times, true);
}

pub(super) fn set_mark(mode: &mut Mode, _: &mut Running<'_>) {
    mode.mark = super::Mark { place: mode.place(), shown: true };
}

pub(super) fn jump_to_mark(mode: &mut Mode, _: &mut Running<'_>) {
    mode.jump_to_mark();
}

pub(super) fn next_prompt(mode: &mut Mode, running: &mut Running<'_>) {
    mode.go_to_prompt(true, running.call.has('o'));
}

pub(super) fn previous_prompt(mode: &mut Mode, running: &mut Running<'_>) {
    mode.go_to_prompt(false, running.call.has('o'));
}

/// Matches a bracket several times, until there is none to start from.
fn brackets(mode: &mut Mode, times: usize, once: fn(&mut Mode) -> bool) {
    for _ in 0..times.min(MOST) {
        let before = mode.place();
        if !once(mode) || before == mode.place() {
            break;
        }
    }
}

pub(super) fn next_matching_bracket(mode: &mut Mode, running: &mut Running<'_>) {
    brackets(mode, running.times, Mode::next_bracket);
}

pub(super) fn previous_matching_bracket(mode: &mut Mode, running: &mut Running<'_>) {
    brackets(mode, running.times, Mode::previous_bracket);
}

pub(super) fn next_paragraph(mode: &mut Mode, running: &mut Running<'_>) {
    mode.repeated(running.times, Mode::next_paragraph);
}

pub(super) fn previous_paragraph(mode: &mut Mode, running: &mut Running<'_>) {
    mode.repeated(running.times, Mode::previous_paragraph);
}

pub(super) fn next_space(mode: &mut Mode, running: &mut Running<'_>) {
    mode.repeated(running.times, |mode| mode.next_word(""));
}

pub(super) fn next_space_end(mode: &mut Mode, running: &mut Running<'_>) {
    mode.repeated(running.times, |mode| mode.next_word_end("", false));
}

pub(super) fn previous_space(mode: &mut Mode, running: &mut Running<'_>) {
    mode.repeated(running.times, |mode| mode.previous_word("", true));
}

pub(super) fn next_word(mode: &mut Mode, running: &mut Running<'_>) {
    let separators = mode.settings.separators.clone();
    mode.repeated(running.times, |mode| mode.next_word(&separators));
}

pub(super) fn next_word_end(mode: &mut Mode, running: &mut Running<'_>) {
    let separators = mode.settings.separators.clone();
    mode.repeated(running.times, |mode| mode.next_word_end(&separators, false));
}

pub(super) fn previous_word(mode: &mut Mode, running: &mut Running<'_>) {
    let separators = mode.settings.separators.clone();
    mode.repeated(running.times, |mode| mode.previous_word(&separators, true));
}

pub(super) fn other_end(mode: &mut Mode, running: &mut Running<'_>) {
    mode.selection.unit = Unit::Character;
    if running.times % 2 == 1 {
        mode.other_end();
    }
}

pub(super) fn select_line(mode: &mut Mode, running: &mut Running<'_>) {
    mode.select_line(running.times);
}

pub(super) fn select_word(mode: &mut Mode, _: &mut Running<'_>) {
    mode.select_word();
}

pub(super) fn selection_mode(mode: &mut Mode, running: &mut Running<'_>) {
    let unit = running.call.given(0).map(str::to_ascii_lowercase);
    match unit.as_deref() {
        None | Some("char" | "c") => mode.selection.unit = Unit::Character,
        Some("word" | "w") => {
            mode.selection.separators = Some(mode.settings.separators.clone());
            mode.selection.unit = Unit::Word;
        }
        Some("line" | "l") => mode.selection.unit = Unit::Line,
        Some(_) => {}
    }
}

pub(super) fn rectangle_on(mode: &mut Mode, _: &mut Running<'_>) {
    mode.set_rectangle(true);
}

pub(super) fn rectangle_off(mode: &mut Mode, _: &mut Running<'_>) {
    mode.set_rectangle(false);
}

pub(super) fn rectangle_toggle(mode: &mut Mode, _: &mut Running<'_>) {
    mode.set_rectangle(!mode.selection.rectangle);
}

fn search(mode: &mut Mode, running: &mut Running<'_>, direction: Direction, regex: bool) {
    let Some(text) = running.call.text(0) else { return };
    mode.search.text = Some(text.to_owned());
    mode.search.direction = Some(direction);
    mode.search.regex = regex;
    searches(mode, running.times, direction);
}

fn searches(mode: &mut Mode, times: usize, direction: Direction) {
    for _ in 0..times.min(MOST_SEARCHES) {
        if !mode.search(direction, mode.search.regex) {
            break;
        }
    }
}

pub(super) fn search_again(mode: &mut Mode, running: &mut Running<'_>) {
    if let Some(direction) = mode.search.direction {
        searches(mode, running.times, direction);
    }
}

pub(super) fn search_reverse(mode: &mut Mode, running: &mut Running<'_>) {
    if let Some(direction) = mode.search.direction {
        searches(mode, running.times, direction.reversed());
    }
}

pub(super) fn search_backward(mode: &mut Mode, running: &mut Running<'_>) {
    search(mode, running, Direction::Up, true);
}

pub(super) fn search_backward_text(mode: &mut Mode, running: &mut Running<'_>) {
    search(mode, running, Direction::Up, false);
}

pub(super) fn search_forward(mode: &mut Mode, running: &mut Running<'_>) {
    search(mode, running, Direction::Down, true);
}

pub(super) fn search_forward_text(mode: &mut Mode, running: &mut Running<'_>) {
    search(mode, running, Direction::Down, false);
}

pub(super) fn search_backward_incremental(mode: &mut Mode, running: &mut Running<'_>) {
    mode.search_incremental(running.call.given(0).unwrap_or_default(), Direction::Up);
}

pub(super) fn search_forward_incremental(mode: &mut Mode, running: &mut Running<'_>) {
    mode.search_incremental(running.call.given(0).unwrap_or_default(), Direction::Down);
}
