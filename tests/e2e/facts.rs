//! What tmux 3.7c lists with an empty configuration, we list line for line; and every variable it names is known.

use std::fs;

use crate::harness::Home;
use crate::tidy::root;

fn fact(name: &str) -> String {
    fs::read_to_string(root().join(format!("tests/fixtures/facts/{name}.txt"))).unwrap()
}

fn home() -> Home {
    let mut home = Home::tmux();
    home.set("SHELL", "/bin/sh");
    home.write_conf("");
    home.ok(&["new-session", "-d", "-s", "x", "-x", "80", "-y", "24", "cat"]);
    home
}

#[track_caller]
fn assert_lists(home: &Home, name: &str, words: &[&str]) {
    let (wanted, got) = (fact(name), home.ok(words));
    for (line, (wanted, got)) in wanted.lines().zip(got.lines()).enumerate() {
        assert_eq!(got, wanted, "{words:?}, line {}", line + 1);
    }
    assert_eq!(got.lines().count(), wanted.lines().count(), "{words:?}: as many lines");
}

#[test]
fn lists_are_those_of_tmux_line_for_line() {
    let home = home();
    let commands = "#{command_list_name}|#{command_list_alias}|#{command_list_usage}";
    assert_lists(&home, "list-commands", &["list-commands", "-F", commands]);
    assert_lists(&home, "list-keys", &["list-keys"]);
    assert_lists(&home, "list-keys-notes", &["list-keys", "-N"]);
    assert_lists(&home, "options-server", &["show-options", "-s"]);
    assert_lists(&home, "options-session", &["show-options", "-g"]);
    assert_lists(&home, "options-window", &["show-options", "-gw"]);
    assert_lists(&home, "options-session-with-hooks", &["show-options", "-gH"]);
    assert_lists(&home, "options-window-with-hooks", &["show-options", "-gwH"]);
    assert_lists(&home, "options-pane-inherited", &["show-options", "-pA"]);
    assert_lists(&home, "hooks-session", &["show-hooks", "-g"]);
    assert_lists(&home, "hooks-window", &["show-hooks", "-gw"]);
}

/// A name that nothing knows shows nothing, so each is looked for where the program keeps its names.
#[test]
fn every_variable_of_the_manual_is_known() {
    let table: Vec<&str> = mux::scope::variables().map(|(name, _)| name).collect();
    let sources = crate::docs::sources(&["mux/src", "control/src"]);
    let names = [fact("format-variables-man"), fact("format-variables-table")].concat();
    let names = names.lines().filter_map(|line| line.split('|').next()).filter(|name| !name.is_empty());
    let unknown: Vec<&str> =
        names.filter(|name| !table.contains(name) && !crate::docs::is_given(&sources, name)).collect();
    assert!(unknown.is_empty(), "nothing gives {unknown:?}");
}
