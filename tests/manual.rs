//! The man page: its lists are made from the tables of verbs, commands, options, hooks and variables.
//!
//! `UPDATE_DOCS=1 cargo test --test run manual` writes them anew; without it a stale list fails.

use std::fmt::Write as _;
use std::fs;

use crate::tidy::root;
use mux::Face;
use mux::option::{OPTIONS, OptionDef, Scope, Start};

const PAGE: &str = "docs/rove.1";

/// A list: its name, and what makes it.
type List = (&'static str, fn() -> String);

const LISTS: &[List] = &[
    ("verbs", verbs),
    ("commands", commands),
    ("own-commands", own_commands),
    ("options", options),
    ("hooks", hooks),
    ("variables", variables),
];

/// Text that roff shows as it is.
fn plain(text: &str) -> String {
    let text = text.replace('\\', "\\e").replace('-', "\\-");
    if text.starts_with(['.', '\'']) { format!("\\&{text}") } else { text }
}

/// An entry: its heading, in bold the name, and what is said of it.
fn entry(page: &mut String, name: &str, rest: &str, about: &str) {
    writeln!(page, ".TP\n\\fB{}\\fR {}\n{}.", plain(name), plain(rest), plain(about.trim_end_matches('.'))).unwrap();
}

fn verbs() -> String {
    let mut page = String::new();
    for verb in rove::cli::VERBS {
        entry(&mut page, verb.name, verb.usage, verb.about);
    }
    page
}

fn rows(own: bool) -> String {
    let mut page = String::new();
    for row in mux::commands::rows(Face::Rove).filter(|row| row.rove == own) {
        let alias = row.signature.alias.map_or(String::new(), |alias| format!(" ({alias})"));
        entry(&mut page, &format!("{}{alias}", row.signature.name), row.signature.usage, row.about);
    }
    page
}

fn commands() -> String {
    rows(false)
}

fn own_commands() -> String {
    rows(true)
}

fn scope(scope: Scope) -> &'static str {
    match scope {
        Scope::Server => "server",
        Scope::Session => "session",
        Scope::Window => "window",
        Scope::WindowOrPane => "window or pane",
    }
}

/// What an option is before anybody has set it, if that is short.
fn start(row: &OptionDef) -> String {
    let value = match row.start {
        Start::Value(value) | Start::Split(value) => value,
        Start::Items(_) => "",
    };
    let shown = |value: &str| if value.is_empty() || value.len() > 40 { String::new() } else { format!("; {value}") };
    match row.rove_start {
        Some(own) => format!("{}, as rove {own}", shown(value)),
        None => shown(value),
    }
}

fn options() -> String {
    let mut page = String::new();
    for row in OPTIONS.iter().filter(|row| !row.hook) {
        entry(&mut page, row.name, &format!("({}{})", scope(row.scope), start(row)), row.about);
    }
    page
}

fn hooks() -> String {
    let mut page = String::new();
    for row in OPTIONS.iter().filter(|row| row.hook) {
        entry(&mut page, row.name, &format!("({})", scope(row.scope)), row.about);
    }
    page
}

fn variables() -> String {
    let mut page = String::new();
    for (name, about) in mux::scope::variables() {
        entry(&mut page, name, "", about);
    }
    page
}

fn with_list(page: &str, name: &str, list: &str) -> String {
    let begin = format!(".\\\" generated: {name}\n");
    let (before, rest) = page.split_once(&begin).unwrap_or_else(|| panic!("{PAGE} has no list {name}"));
    let (_, after) = rest.split_once(".\\\" end\n").unwrap_or_else(|| panic!("{PAGE}: the list {name} has no end"));
    format!("{before}{begin}{list}.\\\" end\n{after}")
}

#[test]
fn the_manual_is_fresh() {
    let path = root().join(PAGE);
    let found = fs::read_to_string(&path).unwrap();
    let page = LISTS.iter().fold(found.clone(), |page, (name, make)| with_list(&page, name, &make()));
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, &page).unwrap();
        return;
    }
    assert!(found == page, "{PAGE} is stale: run UPDATE_DOCS=1 cargo test --test run manual");
}

/// Nothing that roff would take for a request of its own stands at the beginning of a line.
#[test]
fn the_manual_is_roff() {
    let page = fs::read_to_string(root().join(PAGE)).unwrap();
    let known = [".TH", ".SH", ".TP", ".B", ".I", ".BI", ".BR", ".RI", ".IR", ".PP", ".br", ".\\\""];
    for (at, line) in page.lines().enumerate().filter(|(_, line)| line.starts_with(['.', '\''])) {
        let word = line.split_whitespace().next().unwrap_or_default();
        assert!(known.contains(&word), "{PAGE}:{}: {line}", at + 1);
    }
}
