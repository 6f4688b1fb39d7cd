//! The documentation: parts of it are made from the tables, and what it names exists.
//!
//! `UPDATE_DOCS=1 cargo test --test run docs` writes the parts anew; without it a stale part fails. A part stands
//! between a line `<!-- generated: NAME -->` and a line `<!-- end -->`, in a page that is written by hand.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::tidy::root;
use agents::engines::IdSource;
use mux::Face;
use mux::option::{OPTIONS, OptionDef, Scope};

/// tmux 3.7c's commands: name, alias, usage.
const COMMANDS: &str = include_str!("fixtures/facts/commands.txt");
/// Its options and hooks: name, scope.
const OPTION_NAMES: &str = include_str!("fixtures/facts/options.txt");
/// Its notifications in control mode: name and arguments.
const NOTIFICATIONS: &str = include_str!("fixtures/facts/notifications.txt");
/// Its format variables.
const VARIABLE_NAMES: &str = include_str!("fixtures/facts/variables.txt");

/// What makes a part.
type Make = fn() -> String;

/// The generated parts: the page, the part's name, what makes it.
const PARTS: &[(&str, &str, Make)] = &[
    ("docs/COMPATIBILITY.md", "commands", commands),
    ("docs/COMPATIBILITY.md", "own-commands", own_commands),
    ("docs/COMPATIBILITY.md", "options", options),
    ("docs/COMPATIBILITY.md", "own-options", own_options),
    ("docs/COMPATIBILITY.md", "variables", variables),
    ("docs/CONTROL.md", "notifications", notifications),
    ("docs/ENGINES.md", "engines", engines),
    ("docs/KEYS.md", "own-keys", own_keys),
    ("docs/KEYS.md", "prefix-keys", prefix_keys),
    ("docs/KEYS.md", "other-tables", other_tables),
    ("docs/PERSISTENCE.md", "environment", environment),
];

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The page with the part's lines replaced.
fn with_part(page: &str, name: &str, text: &str) -> Option<String> {
    let begin = format!("<!-- generated: {name} -->\n");
    let (before, rest) = page.split_once(&begin)?;
    let (_, after) = rest.split_once("<!-- end -->\n")?;
    Some(format!("{before}{begin}\n{}\n\n<!-- end -->\n{after}", text.trim_end()))
}

#[test]
fn generated_parts_are_fresh() {
    let mut pages: BTreeMap<&str, String> = BTreeMap::new();
    for (path, name, make) in PARTS {
        let page = pages.entry(path).or_insert_with(|| read(path));
        *page = with_part(page, name, &make()).unwrap_or_else(|| panic!("{path} has no part {name}"));
    }
    let update = std::env::var_os("UPDATE_DOCS").is_some();
    for (path, page) in pages {
        if update {
            fs::write(root().join(path), &page).unwrap();
        }
        let hint = "is stale: run UPDATE_DOCS=1 cargo test --test run docs";
        assert!(read(path) == page, "{path} {hint}");
    }
}

/// Every page, by its path from the root.
fn pages() -> Vec<String> {
    let folder = fs::read_dir(root().join("docs")).unwrap();
    let names = folder.map(|entry| format!("docs/{}", entry.unwrap().file_name().display()));
    let mut all: Vec<String> = names.filter(|name| name.ends_with(".md")).collect();
    all.extend(["README.md", "CONTRIBUTING.md"].map(str::to_owned));
    all.sort();
    all
}

#[test]
fn no_page_has_a_part_that_nothing_makes() {
    for path in pages() {
        let page = read(&path);
        for name in page.lines().filter_map(|line| line.strip_prefix("<!-- generated: ")?.strip_suffix(" -->")) {
            assert!(PARTS.iter().any(|(page, part, _)| (*page, *part) == (path.as_str(), name)), "{path}: {name}");
        }
    }
}

#[test]
fn links_lead_somewhere() {
    let link = regex::Regex::new(r"\]\(([^)#:]+)(#[^)]*)?\)").unwrap();
    for path in pages() {
        let page = read(&path);
        let folder = root().join(&path).parent().unwrap().to_owned();
        for found in link.captures_iter(&page) {
            assert!(folder.join(&found[1]).exists(), "{path} links to {}", &found[1]);
        }
    }
}

/// In a block of commands (```sh) every `rove WORD` is a verb of rove's, a command, an engine or a directory.
#[test]
fn commands_in_the_pages_exist() {
    let mut checked = 0;
    for path in pages() {
        let page = read(&path);
        for block in page.split("```sh\n").skip(1) {
            let lines = block.split("```").next().unwrap().lines();
            for line in lines.map(|line| line.split(" #").next().unwrap().trim()) {
                let Some(rest) = line.strip_prefix("rove ").or_else(|| line.strip_prefix("cargo run -- ")) else {
                    continue;
                };
                let word = rest.split_whitespace().find(|word| !word.starts_with('-')).unwrap_or_default();
                let known = rove::cli::find(word).is_some() || rove::server::is_command(word) || word == ".";
                assert!(known, "{path}: {line}: nothing is called {word}");
                checked += 1;
            }
        }
    }
    assert!(checked > 5, "only {checked} commands were found");
}

/// One command of tmux's list.
struct Listed {
    name: &'static str,
    alias: Option<&'static str>,
    usage: &'static str,
}

fn tmux_commands() -> Vec<Listed> {
    let listed = |line: &'static str| {
        let mut fields = line.splitn(3, '|');
        let mut next = || fields.next().unwrap_or_default();
        let (name, alias, usage) = (next(), next(), next());
        Listed { name, alias: (!alias.is_empty()).then_some(alias), usage }
    };
    COMMANDS.lines().map(listed).collect()
}

/// The flags in a usage text: the letters of its `[-abc]` and `[-x value]`.
fn flags_of(usage: &str) -> BTreeSet<char> {
    let group = regex::Regex::new(r"\[-([A-Za-z0-9]+)").unwrap();
    group.captures_iter(usage).flat_map(|found| found[1].chars().collect::<Vec<_>>()).collect()
}

fn commands() -> String {
    let all = tmux_commands();
    let rows: BTreeMap<&str, &mux::commands::Row> =
        mux::commands::rows(Face::Tmux).map(|row| (row.signature.name, row)).collect();
    let there = all.iter().filter(|listed| rows.contains_key(listed.name)).count();
    let mut text = format!("{there} of tmux's {} commands are there.\n\n", all.len());
    text.push_str("| command | short | here |\n|---|---|---|\n");
    for listed in &all {
        let state = match rows.get(listed.name) {
            None => "**missing**".to_owned(),
            Some(row) => {
                let ours: BTreeSet<char> = row.signature.template.flags.chars().filter(|it| *it != ':').collect();
                let lacking: String = flags_of(listed.usage).difference(&ours).collect();
                if lacking.is_empty() { "yes".to_owned() } else { format!("yes, without `-{lacking}`") }
            }
        };
        writeln!(text, "| {} | {} | {state} |", listed.name, listed.alias.unwrap_or("")).unwrap();
    }
    text
}

#[test]
fn commands_have_the_short_names_of_tmux() {
    let rows: BTreeMap<&str, Option<&str>> =
        mux::commands::rows(Face::Tmux).map(|row| (row.signature.name, row.signature.alias)).collect();
    for listed in tmux_commands() {
        if let Some(alias) = rows.get(listed.name) {
            assert_eq!(*alias, listed.alias, "{}", listed.name);
        }
    }
    let names: BTreeSet<&str> = tmux_commands().iter().map(|listed| listed.name).collect();
    let strange: Vec<_> = rows.keys().filter(|name| !names.contains(*name)).collect();
    assert!(strange.is_empty(), "as tmux there are commands that tmux has not: {strange:?}");
}

fn own_commands() -> String {
    let mut text = String::from("| command | what it does |\n|---|---|\n");
    for row in mux::commands::rows(Face::Rove).filter(|row| row.rove) {
        let usage = row.signature.usage.replace('|', "\\|");
        writeln!(text, "| `{} {usage}` | {} |", row.signature.name, row.about).unwrap();
    }
    text
}

fn notifications() -> String {
    let sources = sources(&["control/src", "src", "mux/src"]);
    let mut text = String::from("| notification | here |\n|---|---|\n");
    for line in NOTIFICATIONS.lines().filter(|line| !line.is_empty()) {
        let name = line.split_whitespace().next().unwrap_or_default();
        // Some are put together from `unlinked-` and the rest, or from a word and what happened to it.
        let plain = name.trim_start_matches('%').trim_start_matches("unlinked-");
        let spelled =
            [format!("%{plain}"), plain.to_owned(), format!("\"{}\"", plain.rsplit('-').next().unwrap_or(plain))];
        let there = sources.contains(&spelled[0])
            || (sources.contains("window-{what}") && plain.starts_with("window-") && sources.contains(&spelled[2]));
        writeln!(text, "| `{}` | {} |", line.replace('|', "\\|"), if there { "yes" } else { "**missing**" }).unwrap();
    }
    text
}

/// The sources in these folders outside the table of options, without tests.
pub fn sources(folders: &[&str]) -> String {
    fn collect(folder: &Path, text: &mut String) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() && name != "tests" {
                collect(&path, text);
            } else if name.ends_with(".rs") && !name.contains("tests") && !path.ends_with("option/table.rs") {
                let source = fs::read_to_string(&path).unwrap();
                text.push_str(source.split("#[cfg(test)]\nmod").next().unwrap());
            }
        }
    }
    let mut text = String::new();
    for folder in folders {
        collect(&root().join(folder), &mut text);
    }
    text
}

/// Where options and variables are read.
const PROGRAM: &[&str] = &["src", "mux/src", "draw/src", "control/src", "persist/src"];

/// Options that nothing reads: they are set, shown and inherited, and change nothing.
fn unread() -> Vec<&'static OptionDef> {
    let sources = sources(PROGRAM);
    let starts = read("mux/src/option/table.rs");
    let read = |name: &str| {
        sources.contains(&format!("\"{name}\""))
            || [format!(":{name}}}"), format!("{{{name}}}")]
                .iter()
                .any(|form| starts.contains(form) || sources.contains(form))
    };
    OPTIONS.iter().filter(|row| !row.hook && !row.rove && !read(row.name)).collect()
}

fn scope_name(scope: Scope) -> &'static str {
    match scope {
        Scope::Server => "server",
        Scope::Session => "session",
        Scope::Window => "window",
        Scope::WindowOrPane => "window or pane",
    }
}

fn list(names: &[&str]) -> String {
    if names.is_empty() {
        "none".to_owned()
    } else {
        names.iter().map(|it| format!("`{it}`")).collect::<Vec<_>>().join(", ")
    }
}

#[test]
fn every_option_is_read() {
    let unread: Vec<&str> = unread().iter().map(|row| row.name).collect();
    assert_eq!(unread, crate::effects::NOTHING);
}

fn options() -> String {
    let listed: Vec<&str> = OPTION_NAMES.lines().filter_map(|line| line.split('|').next()).collect();
    let missing: Vec<&str> = listed.iter().copied().filter(|name| mux::option::find(name).is_none()).collect();
    let hooks = OPTIONS.iter().filter(|row| row.hook && !row.rove).count();
    let values = OPTIONS.iter().filter(|row| !row.hook && !row.rove).count();
    let silent: Vec<&str> = unread().iter().map(|row| row.name).collect();
    format!(
        "The table has {values} options and {hooks} hooks of tmux's. Of the {} that tmux 3.7c lists these are missing: {}.\n\n\
         Each does what it does in tmux, and `tests/effects.rs` names the test that shows it. Nothing reads these, in tmux neither: {}.\n",
        listed.len(),
        list(&missing),
        list(&silent),
    )
}

fn own_options() -> String {
    let mut text = String::from(
        "| option | scope | default as tmux | default as rove | what it is for |\n|---|---|---|---|---|\n",
    );
    let start = |row: &OptionDef| match row.start {
        mux::option::Start::Value(value) | mux::option::Start::Split(value) => value,
        mux::option::Start::Items(_) => "",
    };
    for row in OPTIONS.iter().filter(|row| row.rove || row.rove_start.is_some()) {
        let as_tmux = if row.rove { format!("{} (not listed)", start(row)) } else { start(row).to_owned() };
        let as_rove = row.rove_start.unwrap_or(start(row));
        writeln!(text, "| `{}` | {} | {as_tmux} | {as_rove} | {} |", row.name, scope_name(row.scope), row.about)
            .unwrap();
    }
    text
}

/// Whether the sources give a variable that is in no table: by its name, or put together from what it is of (a hook, the
/// windows beside one in a loop) and what is meant.
pub fn is_given(sources: &str, name: &str) -> bool {
    let of = ["hook_", "next_", "prev_"].into_iter().find(|of| name.starts_with(of));
    sources.contains(&format!("\"{name}\"")) || of.is_some_and(|of| sources.contains(of))
}

fn variables() -> String {
    let ours: BTreeSet<&str> = mux::scope::variables().map(|(name, _)| name).collect();
    let theirs: BTreeSet<&str> = VARIABLE_NAMES.lines().collect();
    let own: Vec<&str> = ours.difference(&theirs).copied().collect();
    let sources = sources(PROGRAM);
    let outside = theirs.difference(&ours).copied();
    let (passing, missing): (Vec<&str>, Vec<&str>) = outside.partition(|name| is_given(&sources, name));
    let mut text = format!(
        "tmux's manual and table have {} names; {} are in our table below.\n\nGiven only where something is going on (a \
         mouse event, a hook, a row of a list): {}.\n\nMissing: {}.\n\nOurs alone: {}.\n\n",
        theirs.len(),
        theirs.intersection(&ours).count(),
        list(&passing),
        list(&missing),
        list(&own),
    );
    text.push_str("| variable | what it is |\n|---|---|\n");
    for (name, about) in mux::scope::variables() {
        writeln!(text, "| `{name}` | {} |", about.replace('|', "\\|")).unwrap();
    }
    text
}

fn engines() -> String {
    let mut text = String::from(
        "| engine | name here | how its conversation is known | launched with | resumed with | rests on |\n|---|---|---|---|---|---|\n",
    );
    for engine in agents::listed() {
        let how = engine.identity_words();
        let line = |words: Vec<String>| format!("`{} {}`", engine.programs[0], words.join(" "));
        let args = ["{args}".to_owned()];
        let launch = match engine.identity {
            IdSource::Pinned { words } => {
                let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).chain(args.clone()).collect();
                line(agents::args::fill(engine.launch, "{session}", &words))
            }
            IdSource::Precreated { .. } => line(agents::args::fill(engine.resume, "{session}", &args)),
            _ => line(agents::args::fill(engine.launch, "", &args)),
        };
        let resume = line(agents::args::fill(engine.resume, "{session}", &args));
        writeln!(
            text,
            "| {} | `{}` | {how} | {launch} | {resume} | {} |",
            engine.product,
            engine.id,
            engine.ground.words()
        )
        .unwrap();
    }
    text
}

fn cell(text: &str) -> String {
    format!("`{}`", text.replace('|', "\\|").replace('`', "\u{2018}"))
}

/// A mark for a binding whose command nobody has.
fn lacking(command: &str) -> &'static str {
    let name = command.split_whitespace().next().unwrap_or_default();
    let known = mux::commands::rows(Face::Rove)
        .any(|row| row.signature.name == name || row.signature.alias.is_some_and(|alias| alias == name));
    if known { "" } else { " (**not there yet**)" }
}

fn own_keys() -> String {
    let tmux: BTreeSet<(&str, &str, &str)> =
        keymap::tmux_bindings().map(|row| (row.table, row.key, row.command)).collect();
    let mut text = String::from("| table | key | what it does | command |\n|---|---|---|---|\n");
    for row in keymap::rove_bindings().filter(|row| !tmux.contains(&(row.table, row.key, row.command))) {
        writeln!(
            text,
            "| {} | {} | {}{} | {} |",
            row.table,
            cell(row.key),
            row.note,
            lacking(row.command),
            cell(row.command)
        )
        .unwrap();
    }
    text
}

fn prefix_keys() -> String {
    let mut text = String::from("| key | what it does |\n|---|---|\n");
    for row in keymap::tmux_bindings().filter(|row| row.table == "prefix") {
        let note = if row.note.is_empty() { cell(row.command) } else { row.note.to_owned() };
        let repeat = if row.repeat { " (repeats)" } else { "" };
        writeln!(text, "| {} | {note}{repeat}{} |", cell(row.key), lacking(row.command)).unwrap();
    }
    text
}

fn other_tables() -> String {
    let mut text = String::new();
    for table in ["root", "copy-mode", "copy-mode-vi"] {
        writeln!(text, "### {table}\n\n| key | command |\n|---|---|").unwrap();
        for row in keymap::tmux_bindings().filter(|row| row.table == table) {
            let command = if row.command.starts_with("display-menu") { "display-menu ..." } else { row.command };
            writeln!(text, "| {} | {}{} |", cell(row.key), cell(command), lacking(row.command)).unwrap();
        }
        text.push('\n');
    }
    text
}

fn environment() -> String {
    let mut text = String::from("| variable | why |\n|---|---|\n");
    for (name, why) in persist::allow::ALLOWED {
        writeln!(text, "| `{name}` | {why} |").unwrap();
    }
    text
}
