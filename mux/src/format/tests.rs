//! Formats over a small fixed scope.

use super::*;
use proptest::prelude::*;
use std::borrow::Cow;

/// A session of two windows of which the second is current, and the variables of the recorded expressions.
struct Fixture {
    window: Option<usize>,
}

const VARIABLES: &[(&str, &str)] = &[
    ("session_name", "Summer"),
    ("session_id", "$0"),
    ("session_windows", "2"),
    ("pane_in_mode", "0"),
    ("pane_index", "0"),
    ("pane_id", "%1"),
    ("pane_title", "title"),
    ("window_flags", "*"),
    ("host", "box"),
    ("host_short", "box"),
    ("version", "3.7c"),
];

const OPTIONS: &[(&str, &str)] = &[
    ("@true", "1"),
    ("@false", "0"),
    ("@empty", ""),
    ("@warm", "Summer"),
    ("@cold", "Winter"),
    ("@path", "/usr/local/lib/file.txt"),
    ("@long", "The quick brown fox jumps over the lazy dog"),
    ("@wide", "日本語テキスト"),
    ("@styled", "#[fg=red]red#[default] plain"),
    ("@quote", "a b;c'd\"e$f#g"),
    ("@number", "42"),
    ("@format", "#{session_name}-#{@number}"),
    ("@time", "1700000000"),
    ("@colour", "colour21"),
    ("@loop", "#{E:@loop}"),
    ("@percent", "%H%%"),
    ("base-index", "0"),
];

const WINDOWS: &[&str] = &["one", "two"];

impl Scope for Fixture {
    fn option(&self, name: &str) -> Option<Cow<'_, str>> {
        OPTIONS.iter().find(|row| row.0 == name).map(|row| Cow::Borrowed(row.1))
    }
    fn variable(&self, name: &str) -> Option<Cow<'_, str>> {
        let window = self.window.unwrap_or(1);
        match name {
            "window_index" => return Some(Cow::Owned(window.to_string())),
            "window_name" => return Some(Cow::Borrowed(WINDOWS[window])),
            "window_active" => return Some(Cow::Borrowed(if window == 1 { "1" } else { "0" })),
            _ => {}
        }
        VARIABLES.iter().find(|row| row.0 == name).map(|row| Cow::Borrowed(row.1))
    }
    fn environment(&self, name: &str) -> Option<Cow<'_, str>> {
        (name == "ENV").then_some(Cow::Borrowed("from the environment"))
    }
    fn sessions(&self, _: Sort) -> Vec<Item<'_>> {
        vec![Item { scope: Box::new(Fixture { window: None }), active: false }]
    }
    fn windows(&self, sort: Sort) -> Option<Vec<Item<'_>>> {
        let item = |window| Item { scope: Box::new(Fixture { window: Some(window) }), active: window == 1 };
        let mut items: Vec<Item<'_>> = (0..WINDOWS.len()).map(item).collect();
        if sort.reversed {
            items.reverse();
        }
        Some(items)
    }
    fn panes(&self, _: Sort) -> Option<Vec<Item<'_>>> {
        Some(vec![Item { scope: Box::new(Fixture { window: self.window }), active: true }])
    }
    fn clients(&self, _: Sort) -> Vec<Item<'_>> {
        Vec::new()
    }
    fn has_session(&self, name: &str) -> bool {
        name == "Summer"
    }
    fn has_window(&self, name: &str) -> Option<bool> {
        Some(WINDOWS.contains(&name))
    }
    fn search(&self, pattern: &str, _: bool, _: bool) -> Option<u32> {
        Some(u32::from(pattern == "here"))
    }
    fn job(&self, command: &str, expanded: &str) -> String {
        format!("{}|{expanded}|#{{session_name}}", command.len())
    }
    fn now(&self) -> i64 {
        1_700_000_000
    }
    fn local(&self, unix: i64) -> Local {
        Local::utc(unix)
    }
}

fn shown(text: &str) -> String {
    expand(&Template::new(text), &Fixture { window: None })
}

#[test]
fn expressions_recorded_from_tmux_expand_the_same() {
    let table = include_str!("../../tests/fixtures/formats.tsv");
    let mut wrong = Vec::new();
    let mut count = 0;
    for line in table.lines().filter(|line| !line.starts_with("## ")) {
        let (expression, expected) = line.split_once('\t').expect("a tab in each line");
        count += 1;
        let value = shown(expression);
        if value != expected {
            wrong.push(format!("{expression}\n  expected {expected:?}\n  but got  {value:?}"));
        }
    }
    assert!(count >= 300, "only {count} expressions");
    assert!(wrong.is_empty(), "{} of {count} differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn loops_know_their_neighbours() {
    assert_eq!(shown("#{W:#{window_index}#{?loop_last_flag,., },[#W]}"), "0 [two]");
    assert_eq!(shown("#{W/r:#W }"), "two one ");
    let beside = "#{W:#{prev_window_index}<#W>#{next_window_index}#{window_before_active}#{window_after_active} }";
    assert_eq!(shown(beside), "<one>110 0<two>00 ");
}

#[test]
fn modifiers_of_tmux_after_3_7_expand() {
    for (text, value) in [
        ("#{loop_index}#{W:#{loop_index}}", "01"),
        ("#{m/z:smr,Summer}#{m/p:smr,Summer}#{m/p:x,Summer}", "10,3,5"),
        ("#{t/d:@time}|#{t/r:@time}", "0|0s"),
        (
            "#{c/f:red}#{c/b:brightred}#{c/f:#102030}#{c/b:colour20}",
            "\x1b[31m\x1b[101m\x1b[38;2;16;32;48m\x1b[48;5;20m",
        ),
        ("#{c/f:none}#{c/f:default}#{c/f:nothing}#{c:red}", "\x1b[0m\x1b[39m800000"),
        ("#{q/s:@warm}", "'Summer'"),
        ("#{A:one,two}#{A/5:one}", ""),
        ("#{I/c:RGB}#{I/f:256}#{I:session_name}", "Summer"),
        ("#{s/#,/-/:#{l:a,b}}", "a-b"),
        ("#{s/^S*/x/:@warm}#{s/^/x/:@warm}", "xummerxSummer"),
        ("#{O:#{option_name}}#{V:#{environ_name}}", ""),
    ] {
        assert_eq!(shown(text), value, "{text}");
    }
}

#[test]
fn jobs_are_asked_once_and_their_output_expands() {
    assert_eq!(shown("#(echo #S)"), "7|echo Summer|Summer");
    assert_eq!(shown("a#(echo"), "a");
}

#[test]
fn dates_go_first() {
    let dated = |text| expand_time(&Template::new(text), &Fixture { window: None });
    assert_eq!(dated("%H:%M #S %%"), "22:13 Summer %");
    assert_eq!(dated("#{?@true,%%H,}"), "22");
    assert_eq!(shown("%H #{T:@percent} #{E:@percent}"), "%H 22% %H%%");
    assert_eq!(shown("#{t:@time} #{t/f/%H#:%M:@time} #{t/p:@time}"), "Tue Nov 14 22:13:20 2023 22:13 22:13");
    assert_eq!(shown("#{t:@warm}|#{t:@false}"), "|");
}

#[test]
fn searching_and_names() {
    assert_eq!(shown("#{C:here}#{C/r:nope}#{N:one}#{N/s:Summer}#{N/s:Fall}"), "10110");
    assert_eq!(shown("#{ENV}"), "from the environment");
}

#[test]
fn expansion_is_bounded() {
    assert_eq!(shown("#{E:@loop}"), "");
    assert_eq!(shown(&"#{!!:".repeat(500)), "");
    let deep = format!("{}1{}", "#{!!:".repeat(300), "}".repeat(300));
    assert_eq!(shown(&deep), "0");
    let wide = format!("{}x{}", "#{R:".repeat(6), ",9999}".repeat(6));
    assert!(shown(&wide).len() <= 4 << 20);
    assert!(shown(&"#{R:#{R:x,9999},900}".repeat(100)).len() <= 4 << 20);
    assert!(shown(&format!("#{{{}:@long}}", "s/.*/\\0\\0/;".repeat(60))).len() <= 4 << 20);
    shown(&"#[".repeat(50_000));
    shown(&"#{?a,b,".repeat(20_000));
}

proptest! {
    #[test]
    fn no_format_panics(text in "(#\\{|\\}|[#,:;?=/!|a-z0-9%~\\[\\]()-]|#\\{[a-zA-Z=<>!&|]{1,2}:|@long|\u{65e5}|session_name){0,30}") {
        shown(&text);
        expand_time(&Template::new(&text), &Fixture { window: None });
    }

    #[test]
    fn no_text_panics(text in any::<String>()) {
        shown(&text);
    }
}
