//! The tree's own rules: arrows between crates, where a vendor may be named, where `unsafe` may stand, how long files are.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use regex::Regex;

/// Which crates of ours a crate may use. `src` is the program itself.
const ARROWS: &[(&str, &[&str])] = &[
    ("term", &[]),
    ("keymap", &[]),
    ("agents", &[]),
    ("tasks", &[]),
    ("host", &[]),
    ("mux", &["agents", "keymap", "tasks", "term"]),
    ("draw", &["keymap", "mux", "term"]),
    ("control", &["mux", "term"]),
    ("persist", &["mux", "term"]),
    ("src", &["agents", "control", "draw", "host", "keymap", "mux", "persist", "tasks", "term"]),
];

/// Words of vendors, which stand only where an engine is described.
const VENDORS: &str = r"(?i)\b(claude|codex|anthropic|openai|gemini|opencode|aider|copilot|qwen|kimi|goose)\b";

/// Where a vendor may be named.
const MAY_NAME_VENDORS: &[&str] =
    &["agents/", "docs/", "tests/", "README.md", "src/demo/", "mux/src/commands/agent.rs"];

/// Where `unsafe` may stand.
const MAY_BE_UNSAFE: &[&str] = &["src/os/", "host/src/", "term/src/", "term/tests/memory.rs"];

/// Files that may be longer than 600 lines, and why. Those named `tests.rs` may too.
const MAY_BE_LONG: &[(&str, &str)] = &[
    ("agents/src/engines.rs", "a table"),
    ("mux/src/option/table.rs", "a table"),
    ("mux/src/format/table.rs", "a table"),
    ("keymap/src/defaults/tmux.rs", "a table"),
    ("term/src/width/table.rs", "a table"),
    ("term/src/grid/history.rs", "its tests with it"),
    ("term/src/grid/record.rs", "its tests with it"),
    ("term/src/frame.rs", "its tests with it"),
    ("term/src/parser.rs", "its tables and tests with it"),
];

const LONGEST: usize = 600;

/// What the list of disallowed methods must still hold.
const DISALLOWED: &[&str] = &[
    "std::time::Instant::now",
    "std::time::SystemTime::now",
    "std::env::var",
    "std::process::Command::new",
    "std::process::exit",
    "std::fs::read",
    "std::fs::write",
    "std::fs::File::open",
    "std::thread::spawn",
    "std::thread::sleep",
];

pub(crate) use crate::harness::root;

/// Every file of ours, with its path from the root, without what is built or recorded.
fn files(extensions: &[&str]) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut directories = vec![root()];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(&directory).unwrap().flatten() {
            let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
            if path.is_dir() {
                if !name.starts_with('.')
                    && !matches!(name.as_str(), "target" | "fixtures" | "replay" | "cases" | "node_modules")
                {
                    directories.push(path);
                }
            } else if path
                .extension()
                .is_some_and(|extension| extensions.contains(&extension.to_string_lossy().as_ref()))
            {
                let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
                found.push((path.strip_prefix(root()).unwrap().display().to_string(), text));
            }
        }
    }
    found.sort();
    assert!(found.len() > 1);
    found
}

pub(crate) fn sources() -> Vec<(String, String)> {
    files(&["rs"])
}

/// Fails with all that is wrong, not only the first.
#[track_caller]
fn none(wrong: Vec<String>) {
    assert!(wrong.is_empty(), "{} found:\n{}", wrong.len(), wrong.join("\n"));
}

/// The lines of a text that match, as `path:line: text`.
fn lines(path: &str, text: &str, matches: impl Fn(&str) -> bool) -> Vec<String> {
    let found = text.lines().enumerate().filter(|(_, line)| matches(line));
    found.map(|(number, line)| format!("{path}:{}: {}", number + 1, line.trim())).collect()
}

/// A source without its comments.
fn code(line: &str) -> &str {
    line.split("//").next().unwrap_or("")
}

#[test]
fn crates_use_only_those_their_arrows_point_to() {
    let names: BTreeSet<&str> = ARROWS.iter().map(|(name, _)| *name).collect();
    let mut wrong = Vec::new();
    for (name, allowed) in ARROWS {
        let manifest = if *name == "src" { root().join("Cargo.toml") } else { root().join(name).join("Cargo.toml") };
        let Ok(text) = fs::read_to_string(&manifest) else { continue };
        let dependencies = text
            .split("\n[")
            .find(|section| section.starts_with("dependencies]") || section.starts_with("[dependencies]"));
        for line in dependencies.unwrap_or("").lines().skip(1) {
            let used = line.split(['.', ' ', '=']).next().unwrap_or("");
            if names.contains(used) && !allowed.contains(&used) {
                wrong.push(format!("{name} uses {used}"));
            }
        }
    }
    none(wrong);
}

#[test]
fn every_crate_has_its_arrows() {
    let names: BTreeSet<&str> = ARROWS.iter().map(|(name, _)| *name).collect();
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let members = manifest.lines().find_map(|line| line.strip_prefix("members = [")).unwrap();
    let members = members.trim_end_matches(']').split(", ").map(|member| member.trim_matches('"'));
    none(members.filter(|member| !names.contains(member)).map(|member| format!("{member} is not in ARROWS")).collect());
}

#[test]
fn vendors_are_named_only_where_engines_are_described() {
    let vendors = Regex::new(VENDORS).unwrap();
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        if !MAY_NAME_VENDORS.iter().any(|place| path.starts_with(place)) {
            wrong.extend(lines(&path, &text, |line| vendors.is_match(line)));
        }
    }
    none(wrong);
}

#[test]
fn unsafe_stands_only_where_it_may_and_says_why() {
    let word = Regex::new(r"\bunsafe\b").unwrap();
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        let all: Vec<&str> = text.lines().collect();
        for (number, line) in all.iter().enumerate() {
            // A string or a name in it is no unsafe code.
            let is_unsafe = word.is_match(code(line)) && !code(line).contains("unsafe_") && !code(line).contains('"');
            if !is_unsafe {
                continue;
            }
            let reason = all[number.saturating_sub(6)..=number]
                .iter()
                .any(|line| line.contains("SAFETY:") || line.contains("# Safety"));
            if !MAY_BE_UNSAFE.iter().any(|place| path.starts_with(place)) {
                wrong.push(format!("{path}:{}: not here: {}", number + 1, line.trim()));
            } else if !reason {
                wrong.push(format!("{path}:{}: no SAFETY comment: {}", number + 1, line.trim()));
            }
        }
    }
    none(wrong);
}

#[test]
fn nothing_is_left_to_do() {
    // Written so that this line doesn't find itself.
    let left = Regex::new(concat!(r"\b(to", r"do|unimple", r"mented|db", r"g)!")).unwrap();
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        wrong.extend(lines(&path, &text, |line| left.is_match(line)));
    }
    none(wrong);
}

#[test]
fn files_are_short_or_have_a_reason() {
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        let count = text.lines().count();
        let tests = path.ends_with("/tests.rs");
        if count > LONGEST && !tests && !MAY_BE_LONG.iter().any(|(long, _)| path == *long) {
            wrong.push(format!("{path}: {count} lines"));
        }
    }
    none(wrong);
}

#[test]
fn tests_wait_for_conditions_and_not_for_a_time() {
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        let in_tests = path.starts_with("tests/") && !path.starts_with("tests/harness/") && path != "tests/tidy.rs";
        if in_tests {
            wrong.extend(lines(&path, &text, |line| code(line).contains("thread::sleep")));
        }
    }
    none(wrong);
}

#[test]
fn no_path_of_a_machine_is_written_down() {
    // In pieces, so that this line doesn't find itself.
    let place = Regex::new(concat!(r"/wo", r"rk/(main|wt|shared|scratch|target|tmp)\b|/ro", r"ot/")).unwrap();
    let mut wrong = Vec::new();
    for (path, text) in files(&["rs", "toml", "md", "sh", "yml"]) {
        wrong.extend(lines(&path, &text, |line| place.is_match(line)));
    }
    none(wrong);
}

#[test]
fn every_crate_asks_for_documentation_and_every_file_says_what_it_is() {
    let mut wrong = Vec::new();
    for (name, _) in ARROWS {
        let file = if *name == "src" { "src/lib.rs".to_owned() } else { format!("{name}/src/lib.rs") };
        if let Ok(text) = fs::read_to_string(root().join(&file))
            && !text.contains("#![warn(missing_docs)]")
        {
            wrong.push(format!("{file}: no #![warn(missing_docs)]"));
        }
    }
    for (path, text) in sources() {
        // A file that is included into another is a part of it.
        let part = path.ends_with("/tests.rs") || path == "mux/src/commands/table.rs";
        if !part && !text.trim_start().starts_with("//!") {
            wrong.push(format!("{path}: does not begin with //!"));
        }
    }
    none(wrong);
}

#[test]
fn no_module_is_a_drawer() {
    let drawers = ["utils", "util", "common", "helpers", "helper", "misc"];
    let is_drawer = |path: &str| {
        Path::new(path).iter().any(|part| {
            let name = part.to_string_lossy();
            drawers.contains(&name.trim_end_matches(".rs"))
        })
    };
    none(sources().into_iter().map(|(path, _)| path).filter(|path| is_drawer(path)).collect());
}

#[test]
fn the_list_that_keeps_io_out_of_the_model_is_there() {
    let text = fs::read_to_string(root().join("clippy.toml")).unwrap();
    none(
        DISALLOWED
            .iter()
            .filter(|name| !text.contains(&format!("path = \"{name}\"")))
            .map(|name| (*name).to_owned())
            .collect(),
    );
}

/// Only these places may lift that list; everything else would be IO in the model.
#[test]
fn the_list_is_lifted_only_where_the_world_is_touched() {
    let places = ["src/", "host/", "persist/src/disk.rs", "persist/src/disk/", "mux/src/fake.rs", "tests/", "benches/"];
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        let in_tests = path.contains("/tests/")
            || path.ends_with("/tests.rs")
            || path.contains("/benches/")
            || path.contains("/examples/");
        // Tests beside the code need a clock and files too.
        let text = text.split("#[cfg(test)]").next().unwrap_or("");
        if !places.iter().any(|place| path.starts_with(place)) && !in_tests {
            wrong.extend(lines(&path, text, |line| {
                code(line).contains("allow(") && code(line).contains("disallowed_methods")
            }));
        }
    }
    none(wrong);
}

/// The model stays pure where it is parsed and compared.
#[test]
fn pure_modules_of_the_model_do_not_know_it() {
    let pure = [
        "mux/src/layout/",
        "mux/src/option/value.rs",
        "mux/src/format/parse.rs",
        "mux/src/command/parse.rs",
        "mux/src/id.rs",
    ];
    let model = Regex::new(r"\bMux\b").unwrap();
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        if pure.iter().any(|place| path.starts_with(place)) {
            wrong.extend(lines(&path, &text, |line| model.is_match(code(line))));
        }
    }
    none(wrong);
}

/// The same dependency in two versions costs build time, which the first command of the README pays.
#[test]
fn members_take_their_versions_from_the_workspace() {
    let mut wrong = Vec::new();
    for (path, text) in files(&["toml"]) {
        if path.matches('/').count() != 1 || !path.ends_with("/Cargo.toml") || path.starts_with("tests/") {
            continue;
        }
        let sections = text
            .split("\n[")
            .filter(|section| section.starts_with("dependencies]") || section.starts_with("dev-dependencies]"));
        let own = sections
            .flat_map(str::lines)
            .skip(1)
            .filter(|line| line.contains('=') && !line.contains("workspace = true"));
        wrong.extend(own.map(|line| format!("{path}: {line}")));
    }
    none(wrong);
}
