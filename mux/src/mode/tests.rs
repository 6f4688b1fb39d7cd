use super::*;
use proptest::prelude::*;
use std::collections::HashSet;
use term::style::{Color, Style};

/// Forty columns and ten rows, with history, wrapped lines, tabs, wide characters, brackets, a blank line and prompts.
fn terminal() -> Terminal {
    let mut terminal = Terminal::new(Size { cols: 40, rows: 10 }, 2000);
    let mut text = String::new();
    for n in 0..15 {
        text.push_str(&format!("line {n} of words, (a [b] {{c}}) end\r\n"));
    }
    text.push_str("\r\n\tindented foo\r\n日本語 wide foo.bar\r\n");
    text.push_str("\x1b]133;A\x07$ prompt\r\n\x1b]133;C\x07");
    text.push_str(&"wrapped words go on and ".repeat(4));
    text.push_str("\r\n   spaces and A foo\r\n\r\nlast");
    terminal.feed(text.as_bytes());
    terminal
}

fn words(line: &str) -> Vec<String> {
    line.split('|').map(str::to_owned).collect()
}

struct Copier {
    terminal: Terminal,
    mode: Mode,
    settings: Settings,
}

impl Copier {
    fn new(vi: bool) -> Copier {
        let terminal = terminal();
        let mode = Mode::copy(&terminal);
        Copier { terminal, mode, settings: Settings { vi, ..Settings::default() } }
    }

    /// Words parted by `|`; runs them and gives the action.
    fn run(&mut self, line: &str) -> Action {
        let call = Call::parse(&words(line)).expect("a test names commands that are there");
        self.mode.run(&self.settings, &call, None, &self.terminal)
    }

    fn all(&mut self, lines: &str) -> &mut Copier {
        for line in lines.split(' ') {
            self.run(line);
        }
        self
    }

    fn get(&self, name: &str) -> String {
        self.mode.variable(name).unwrap_or_default()
    }

    /// Column, row and offset.
    fn place(&self) -> (usize, usize, usize) {
        (self.mode.x, self.mode.y, self.mode.offset)
    }

    fn copied(&mut self, line: &str) -> String {
        self.run(line).copy.map(|copied| copied.text).unwrap_or_default()
    }
}

#[test]
fn rows_are_unique_and_say_what_they_do() {
    let names: HashSet<&str> = ROWS.iter().map(|row| row.name).collect();
    assert_eq!((names.len(), ROWS.len()), (93, 93));
    assert!(ROWS.iter().all(|row| !row.about.is_empty() && row.arguments.0 <= row.arguments.1));
}

#[test]
fn the_text_stays_while_the_program_writes_on() {
    let mut copier = Copier::new(false);
    let before = copier.run("history-top");
    assert!(!before.cancel);
    copier.terminal.feed("\r\nmore".repeat(50).as_bytes());
    assert_eq!(copier.get("copy_cursor_line"), "line 0 of words, (a [b] {c}) end");
    let history = copier.mode.page.history();
    copier.run("refresh-from-pane");
    assert_eq!(copier.mode.page.history(), history + 50);
    assert_eq!(copier.get("copy_cursor_line"), "line 0 of words, (a [b] {c}) end");
}

#[test]
fn words_are_copied_as_in_tmux() {
    let mut copier = Copier::new(true);
    copier.all("history-top start-of-line begin-selection next-word-end");
    assert_eq!(copier.copied("copy-selection"), "line");
    copier.settings.vi = false;
    copier.all("start-of-line begin-selection next-word-end");
    assert_eq!(copier.copied("copy-selection-and-cancel"), "line");
    copier.all("history-top begin-selection cursor-down");
    assert_eq!(copier.copied("copy-selection-no-clear"), "line 0 of words, (a [b] {c}) end\n");
}

#[test]
fn a_wrapped_line_is_copied_as_one() {
    let mut copier = Copier::new(false);
    copier.all("history-bottom search-backward|wrapped start-of-line");
    assert_eq!(copier.copied("copy-line"), "wrapped words go on and ".repeat(4).trim_end());
}

#[test]
fn a_search_marks_counts_and_goes_round() {
    let mut copier = Copier::new(true);
    copier.run("search-backward|foo");
    assert_eq!((copier.get("search_count"), copier.get("search_match")), ("3".into(), "foo".into()));
    let first = copier.place();
    copier.all("search-again search-again search-again");
    assert_eq!(copier.place(), first);
    copier.run("search-forward|fo+\\.b");
    assert_eq!(copier.get("search_match"), "foo.b");
    assert_eq!(copier.get("search_present"), "1");
    copier.run("cancel");
    assert_eq!(copier.get("search_present"), "0");
}

#[test]
fn selection_and_matches_are_drawn() {
    let mut copier = Copier::new(false);
    copier.run("search-forward-text|foo");
    let red = |n| Style { bg: Color::ansi(n), ..Style::default() };
    let styles = Styles {
        selection: Highlight { style: red(1), replaces: false },
        matches: red(2),
        current_match: red(3),
        mark: red(4),
        ..Styles::default()
    };
    let found =
        (0..10).flat_map(|y| copier.mode.row_cells(y, &styles)).filter(|cell| cell.bg == Color::ansi(3)).count();
    assert_eq!(found, 3);
    copier.all("history-top start-of-line begin-selection cursor-right cursor-right set-mark");
    let row = copier.mode.row_cells(0, &styles);
    assert_eq!(row.len(), 40);
    assert_eq!(row.iter().filter(|cell| cell.bg == Color::ansi(1)).count(), 2);
    assert_eq!(row.iter().filter(|cell| cell.bg == Color::ansi(4)).count(), 37);
}

#[test]
fn lines_are_numbered_on_the_left() {
    let mut copier = Copier::new(false);
    copier.settings.line_numbers = LineNumbers::Absolute;
    copier.all("history-top start-of-line");
    let text: String =
        copier.mode.row_cells(0, &Styles::default()).iter().filter_map(|cell| cell.glyph.as_char()).collect();
    assert!(text.starts_with("  1 line 0 of"), "{text}");
    assert_eq!(copier.mode.cursor().col, 4);
    assert_eq!(copier.get("copy_position"), "1");
    assert_eq!(copier.mode.position_columns(), Some(4..40));
}

#[test]
fn the_mouse_drags_and_scrolls_at_the_edges() {
    let mut copier = Copier::new(false);
    copier.run("search-backward|wide");
    let row = copier.mode.cursor().row;
    assert!(!copier.mode.begin_drag((7, row), (11, row)));
    assert_eq!(copier.copied("copy-selection"), "wide");
    assert!(copier.mode.begin_drag((3, 1), (3, 0)));
    let before = copier.mode.offset();
    assert!(copier.mode.drag_tick());
    assert_eq!(copier.mode.offset(), before + 1);
    copier.mode.end_drag((3, 0));
    assert!(!copier.mode.drag_tick());
    let call = Call::parse(&words("begin-selection")).expect("it is a command");
    let mouse = Mouse { column: 5, row: 3, last: (2, 3), ..Mouse::default() };
    let action = copier.mode.run(&copier.settings, &call, Some(&mouse), &copier.terminal);
    assert!(action.drag);
    assert_eq!((copier.get("selection_start_x"), copier.get("selection_end_x")), ("2".into(), "5".into()));
}

#[test]
fn a_view_keeps_what_it_shows_while_lines_are_added() {
    let mut mode = Mode::view(Size { cols: 20, rows: 4 });
    for n in 0..10 {
        mode.append(&format!("added {n}"));
    }
    assert_eq!((mode.line_at(0), mode.offset()), ("added 0".to_owned(), 6));
    let terminal = Terminal::new(Size { cols: 20, rows: 4 }, 0);
    let page_down = Call::parse(&words("page-down-and-cancel")).expect("it is a command");
    assert!(!mode.run(&Settings::default(), &page_down, None, &terminal).cancel);
    mode.set_repeat(9);
    assert!(mode.run(&Settings::default(), &page_down, None, &terminal).cancel);
    assert_eq!(mode.name(), "view-mode");
}

#[test]
fn a_resize_keeps_the_cursor_on_its_text() {
    let mut copier = Copier::new(true);
    copier.run("search-backward|go on and wrapped words go");
    let word = copier.get("copy_cursor_word");
    for cols in [20, 60, 7, 40] {
        copier.terminal.resize(Size { cols, rows: 10 });
        copier.mode.resized(&copier.terminal);
        assert_eq!(copier.get("copy_cursor_word"), word, "{cols}");
    }
}

#[test]
fn wrong_words_are_no_call() {
    for line in ["", "nonsense", "goto-line", "goto-line|1|2", "cursor-up|-x", "cursor-up|1", "copy-selection|-Q"] {
        assert!(Call::parse(&words(line)).is_none(), "{line}");
    }
    let mut call = Call::parse(&words("copy-pipe|-CP|--|cat|name")).expect("it is a command");
    assert_eq!(call.formats(false), ["cat", "name"]);
    let mut copier = Copier::new(false);
    copier.all("history-top begin-selection end-of-line");
    let action = copier.mode.run(&copier.settings, &call, None, &copier.terminal);
    let copied = action.copy.expect("something is selected");
    assert_eq!((copied.prefix.as_deref(), copied.buffer, copied.clipboard), (Some("name"), false, false));
    assert_eq!(action.pipe.expect("there is a pipe").command.as_deref(), Some("cat"));
}

/// For each command: what is done before it, its words, and what it must change: column, row, offset, cancel or variables.
const CASES: &[(&str, &str, &str)] = &[
    ("begin-selection cursor-left", "append-selection", "copy +t"),
    ("begin-selection cursor-left", "append-selection-and-cancel", "copy +t cancel"),
    ("search-backward|spaces start-of-line", "back-to-indentation", "copy_cursor_x=3"),
    ("", "begin-selection", "selection_active=1"),
    ("top-line", "bottom-line", "copy_cursor_y=9"),
    ("", "cancel", "cancel"),
    ("begin-selection", "clear-selection", "selection_active=0"),
    ("history-top", "copy-end-of-line", "copy +line 0 of words, (a [b] {c}) end"),
    ("history-top", "copy-end-of-line-and-cancel", "copy +line 0 of words, (a [b] {c}) end cancel"),
    ("history-top", "copy-pipe-end-of-line|cat", "copy +line 0 of words, (a [b] {c}) end pipe"),
    ("history-top", "copy-pipe-end-of-line-and-cancel|cat", "copy +line 0 of words, (a [b] {c}) end pipe cancel"),
    ("history-top end-of-line", "copy-line", "copy +line 0 of words, (a [b] {c}) end"),
    ("history-top end-of-line", "copy-line-and-cancel", "copy +line 0 of words, (a [b] {c}) end cancel"),
    ("history-top end-of-line", "copy-pipe-line|cat", "copy +line 0 of words, (a [b] {c}) end pipe"),
    ("history-top end-of-line", "copy-pipe-line-and-cancel|cat", "copy +line 0 of words, (a [b] {c}) end pipe cancel"),
    ("begin-selection cursor-left", "copy-pipe-no-clear|cat", "copy +t pipe selection_active=1"),
    ("begin-selection cursor-left", "copy-pipe|cat", "copy +t pipe selection_active=0"),
    ("begin-selection cursor-left", "copy-pipe-and-cancel|cat", "copy +t pipe cancel"),
    ("begin-selection cursor-left", "copy-selection-no-clear", "copy +t selection_active=1"),
    ("begin-selection cursor-left", "copy-selection", "copy +t selection_active=0"),
    ("begin-selection cursor-left", "copy-selection-and-cancel", "copy +t cancel"),
    ("top-line", "cursor-down", "copy_cursor_y=1"),
    ("history-bottom", "cursor-down-and-cancel", "cancel"),
    ("", "cursor-left", "copy_cursor_x=3"),
    ("history-top", "cursor-right", "copy_cursor_x=1"),
    ("", "cursor-up", "copy_cursor_y=8"),
    ("", "cursor-centre-vertical", "copy_cursor_y=5"),
    ("history-top", "cursor-centre-horizontal", "copy_cursor_x=20"),
    ("history-top", "end-of-line", "copy_cursor_x=32"),
    ("", "goto-line|3", "scroll_position=3"),
    ("goto-line|9", "halfpage-down", "scroll_position=3"),
    ("goto-line|4", "halfpage-down-and-cancel", "cancel"),
    ("goto-line|2 top-line", "halfpage-up", "scroll_position=7"),
    ("history-top", "history-bottom", "scroll_position=0"),
    ("", "history-top", "scroll_position=15"),
    ("history-top jump-forward|w", "jump-again", "copy_cursor_x=10"),
    ("history-top end-of-line", "jump-backward|e", "copy_cursor_x=29"),
    ("history-top", "jump-forward|o", "copy_cursor_x=7"),
    ("history-top jump-forward|o jump-again", "jump-reverse", "copy_cursor_x=7"),
    ("history-top end-of-line", "jump-to-backward|e", "copy_cursor_x=30"),
    ("history-top", "jump-to-forward|o", "copy_cursor_x=6"),
    ("set-mark history-top", "jump-to-mark", "copy_cursor_y=9"),
    ("history-top", "next-prompt", "copy_cursor_line=$ prompt"),
    ("", "previous-prompt", "copy_cursor_line=$ prompt"),
    ("", "middle-line", "copy_cursor_y=4"),
    ("history-top jump-forward|(", "next-matching-bracket", "copy_cursor_x=27"),
    ("history-top", "next-paragraph", "copy_cursor_line="),
    ("history-top", "next-space", "copy_cursor_x=5"),
    ("history-top", "next-space-end", "copy_cursor_x=4"),
    ("history-top", "next-word", "copy_cursor_x=5"),
    ("history-top", "next-word-end", "copy_cursor_x=4"),
    ("history-top begin-selection cursor-right", "other-end", "copy_cursor_x=0"),
    ("goto-line|9", "page-down", "scroll_position=1"),
    ("goto-line|5", "page-down-and-cancel", "cancel"),
    ("", "page-up", "scroll_position=8"),
    ("begin-selection cursor-left", "pipe-no-clear|cat", "pipe selection_active=1"),
    ("begin-selection cursor-left", "pipe|cat", "pipe selection_active=0"),
    ("begin-selection cursor-left", "pipe-and-cancel|cat", "pipe cancel"),
    ("history-top jump-forward|)", "previous-matching-bracket", "copy_cursor_x=17"),
    ("", "previous-paragraph", "copy_cursor_line="),
    ("", "previous-space", "copy_cursor_x=0"),
    ("", "previous-word", "copy_cursor_x=0"),
    ("goto-line|8 bottom-line", "recentre-top-bottom", "copy_cursor_y=4"),
    ("", "rectangle-on", "rectangle_toggle=1"),
    ("rectangle-on", "rectangle-off", "rectangle_toggle=0"),
    ("", "rectangle-toggle", "rectangle_toggle=1"),
    ("begin-selection", "refresh-from-pane", "selection_active=0"),
    ("goto-line|3 top-line", "scroll-bottom", "copy_cursor_y=9"),
    ("goto-line|8", "scroll-down", "scroll_position=7"),
    ("goto-line|1", "scroll-down-and-cancel", "cancel"),
    ("scroll-exit-on goto-line|1", "scroll-down", "cancel"),
    ("scroll-exit-on scroll-exit-off goto-line|1", "scroll-down", "stays"),
    ("scroll-exit-toggle goto-line|1", "scroll-down", "cancel"),
    ("", "scroll-exit-on", "stays"),
    ("", "scroll-exit-off", "stays"),
    ("", "scroll-exit-toggle", "stays"),
    ("goto-line|8 top-line", "scroll-middle", "copy_cursor_y=4"),
    ("", "scroll-to-mouse", "stays"),
    ("goto-line|10 bottom-line", "scroll-top", "copy_cursor_y=0"),
    ("", "scroll-up", "scroll_position=1"),
    ("search-backward|foo", "search-again", "search_match=foo"),
    ("", "search-backward|[a-z]+\\.bar", "search_match=foo.bar"),
    ("", "search-backward-text|foo.bar", "search_match=foo.bar"),
    ("", "search-backward-incremental|=foo", "search_match=foo"),
    ("", "search-forward|l.ne 0", "search_match=line 0"),
    ("", "search-forward-text|line 1", "search_match=line 1"),
    ("", "search-forward-incremental|=line 1", "search_match=line 1"),
    ("search-backward|foo", "search-reverse", "search_match=foo"),
    ("history-top", "select-line", "selection_mode=line"),
    ("history-top", "select-word", "selection_end_x=4"),
    ("", "selection-mode|word", "selection_mode=word"),
    ("", "set-mark", "copy_cursor_x=4"),
    ("", "start-of-line", "copy_cursor_x=0"),
    ("begin-selection", "stop-selection", "selection_active=0"),
    ("", "toggle-position", "hidden"),
    ("", "top-line", "copy_cursor_y=0"),
];

#[test]
fn every_row_does_what_it_says() {
    let mut wrong = Vec::new();
    for (before, line, expected) in CASES {
        let mut copier = Copier::new(false);
        for line in before.split_terminator(' ') {
            copier.run(line);
        }
        let action = copier.run(line);
        let found = differences(&copier, &action, expected);
        if !found.is_empty() {
            wrong.push(format!("{before} {line}: {}", found.join(", ")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let tried: HashSet<&str> = CASES.iter().map(|(_, line, _)| line.split('|').next().unwrap_or(line)).collect();
    assert_eq!(
        ROWS.iter().map(|row| row.name).filter(|name| !tried.contains(name)).collect::<Vec<_>>(),
        Vec::<&str>::new()
    );
}

/// What is not as `expected` says.
fn differences(copier: &Copier, action: &Action, expected: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut compare = |what: &str, is: String, wanted: String| {
        if is != wanted {
            found.push(format!("{what} is {is}, not {wanted}"));
        }
    };
    let expects = |word: &str| expected.split(' ').any(|other| other == word).to_string();
    compare("cancel", action.cancel.to_string(), expects("cancel"));
    compare("pipe", action.pipe.is_some().to_string(), expects("pipe"));
    compare("hidden", copier.mode.position_columns().is_none().to_string(), expects("hidden"));
    let copied = action.copy.as_ref().map_or("", |copied| copied.text.as_str());
    let wanted = expected.strip_prefix("copy +").unwrap_or_default();
    let wanted = [" cancel", " pipe", " selection_active=0", " selection_active=1"]
        .iter()
        .fold(wanted.to_owned(), |wanted, word| wanted.replace(word, ""));
    compare("copied", copied.to_owned(), wanted);
    if let Some((name, value)) = expected.split_once('=') {
        let name = name.rsplit(' ').next().unwrap_or(name);
        compare(name, copier.get(name), value.to_owned());
    }
    found
}

fn any_line() -> impl Strategy<Value = String> {
    let argument = prop_oneof![
        Just("foo"),
        Just("o"),
        Just("=w"),
        Just("+on"),
        Just("3"),
        Just("16"),
        Just("99"),
        Just("-1"),
        Just("word"),
        Just("w.*s"),
        Just("語")
    ];
    (0..ROWS.len(), argument).prop_map(|(at, argument)| {
        let row = &ROWS[at];
        if row.arguments.1 > 0 { format!("{}|--|{argument}", row.name) } else { row.name.to_owned() }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn commands_keep_cursor_and_selection_within_the_text(
        vi: bool,
        steps in proptest::collection::vec((any_line(), 1u64..4, 0u16..60, 0u16..20), 1..60),
    ) {
        let mut copier = Copier::new(vi);
        for (line, times, cols, rows) in steps {
            match cols % 16 {
                0 => {
                    copier.terminal.resize(Size { cols: cols + 1, rows: rows + 1 });
                    copier.mode.resized(&copier.terminal);
                }
                1 => {
                    copier.mode.begin_drag((cols, rows), (rows, cols));
                    copier.mode.drag_tick();
                }
                2 => copier.settings.line_numbers = LineNumbers::NAMES[usize::from(rows) % 5].1,
                _ => {}
            }
            copier.mode.set_repeat(times);
            copier.run(&line);
            let mode = &copier.mode;
            let (cols, last) = (mode.page.cols(), mode.page.last());
            prop_assert!(mode.x <= cols && mode.y < mode.page.rows() && mode.offset <= mode.page.history());
            if mode.selection.present {
                for (x, row) in [mode.selection.start, mode.selection.end] {
                    prop_assert!(x <= cols && row <= last, "{:?}", mode.selection);
                }
            }
            for y in 0..mode.page.rows() {
                prop_assert_eq!(mode.row_cells(y as u16, &Styles::default()).len(), cols);
            }
            for (name, _) in Mode::variables() {
                mode.variable(name);
            }
        }
    }
}

#[test]
fn what_is_selected_stays_while_the_view_moves() {
    let mut copier = Copier::new(false);
    copier.run("scroll-exit-on");
    copier.all("history-top start-of-line begin-selection cursor-down");
    let one = "line 0 of words, (a [b] {c}) end\n";
    for scroll in ["scroll-down", "scroll-up", "scroll-middle", "scroll-down-and-cancel"] {
        assert!(!copier.run(scroll).cancel);
        assert_eq!(copier.copied("copy-selection-no-clear"), one, "{scroll}");
    }
    copier.mode.set_repeat(200);
    assert!(!copier.run("scroll-down").cancel, "something is selected");
    assert_eq!(copier.place().2, 0);
    assert!(!copier.run("page-down").cancel);
    copier.run("clear-selection");
    assert!(copier.run("scroll-down").cancel);
}

#[test]
fn the_mouse_takes_the_selection_along() {
    let mut copier = Copier::new(false);
    copier.all("history-top start-of-line begin-selection cursor-down");
    copier.mode.set_dragger(Some(ClientId(1)));
    copier.run("scroll-down");
    assert!(copier.copied("copy-selection-no-clear").starts_with("line 0 of words, (a [b] {c}) end\nline 1"));
}

#[test]
fn vi_stands_on_wide_characters_as_one() {
    let mut terminal = Terminal::new(Size { cols: 20, rows: 5 }, 0);
    terminal.feed("abc中\r\nxyz".as_bytes());
    let mut copier = Copier::new(true);
    copier.mode = Mode::copy(&terminal);
    copier.all("history-top start-of-line cursor-right cursor-right cursor-right");
    assert_eq!(copier.place(), (3, 0, 0));
    copier.run("cursor-right");
    assert_eq!(copier.place(), (0, 1, 0));
    copier.run("cursor-left");
    assert_eq!(copier.place(), (3, 0, 0));
    copier.run("end-of-line");
    assert_eq!(copier.place(), (3, 0, 0));
}
