use crate::fake::Bench;
use crate::{ClientId, Face, PaneId};

const FORMAT: &str = "#{?is_option,O,#{?is_environment,E,K}} #{option_name}#{environment_name}#{key}";

fn opened(filter: &str) -> (Bench, ClientId) {
    let mut bench = Bench::new(Face::Tmux);
    let client = bench.terminal((80, 30), &["new-session", "-s", "a"]);
    open(&mut bench, filter);
    (bench, client)
}

fn open(bench: &mut Bench, filter: &str) {
    bench.run(&["customize-mode", "-t", "%0", "-F", FORMAT, "-f", filter]);
}

fn rows(bench: &Bench) -> Vec<String> {
    let list = bench.mux.list(PaneId(0)).expect("a list");
    list.visible().map(|(_, row)| format!("{} {}", row.draft.depth, row.draft.name)).collect()
}

fn question(bench: &Bench) -> Option<String> {
    let prompt = bench.mux.panes[&PaneId(0)].prompt.as_ref();
    prompt.map(|prompt| format!("{}{}", prompt.question(), prompt.text()))
}

#[test]
fn every_group_has_its_heading() {
    let (bench, _) = opened("0");
    let titles = [
        "Server Options",
        "Session Options",
        "Window & Pane Options",
        "Session Hooks",
        "Window & Pane Hooks",
        "Global Environment",
        "Session Environment",
        "Key Table - copy-mode",
        "Key Table - copy-mode-vi",
        "Key Table - move",
        "Key Table - prefix",
        "Key Table - root",
    ];
    assert_eq!(rows(&bench), titles.map(|title| format!("0 {title}")));
}

#[test]
fn an_option_is_set_where_the_key_says() {
    let (mut bench, client) = opened("#{==:#{option_name},window-style}");
    bench.keys(client, b"jj\x1b[Cjs");
    assert_eq!(question(&bench).as_deref(), Some("(window-style, for pane 0) default"));
    bench.keys(client, b"\x15fg=red\r");
    bench.keys(client, b"w\x15fg=green\r");
    bench.keys(client, b"S\x15fg=blue\r");
    let of = |bench: &mut Bench| ["-p", "-w", "-gw"].map(|flag| bench.line(&format!("show {flag}v window-style")));
    assert_eq!(of(&mut bench), ["fg=red", "fg=green", "fg=blue"]);
    // Unset is the nearest one, the default is for all.
    bench.keys(client, b"uy");
    assert_eq!(of(&mut bench), ["", "fg=green", "fg=blue"]);
    bench.keys(client, b"dy");
    assert_eq!(of(&mut bench), ["", "", "default"]);
}

#[test]
fn a_flag_and_a_choice_take_the_next_value_at_once() {
    let (mut bench, client) = opened("#{m/r:^(mouse|status-position|set-titles-string)$,#{option_name}}");
    bench.keys(client, b"j\x1b[CjSjjS");
    assert_eq!((bench.line("show -gv mouse"), bench.line("show -gv status-position")), ("on".into(), "top".into()));
    bench.keys(client, b"S");
    assert_eq!(bench.line("show -gv status-position"), "bottom");
    bench.keys(client, b"ks");
    assert_eq!(
        question(&bench).as_deref(),
        Some("(set-titles-string, for session a) #S:#I:#W - \"#T\" #{session_alerts}")
    );
    bench.keys(client, b"\x03");
    bench.line("set -g status-left-length 10");
    assert_eq!(bench.line("show -v set-titles-string"), "");
}

#[test]
fn items_of_arrays_are_added_named_anew_and_taken_away() {
    let (mut bench, client) = opened("#{==:#{option_name},user-keys}");
    bench.keys(client, b"\x1b[Cjsabc;\r");
    assert_eq!(bench.line("show -s user-keys"), "user-keys[0] \"abc;\"");
    bench.keys(client, b"\x1b[Cja\x15name\r");
    assert_eq!(bench.line("show -s user-keys"), "user-keys[name] \"abc;\"");
    bench.line("set -s user-keys[5] x");
    bench.keys(client, b"uy");
    assert_eq!(bench.line("show -s user-keys"), "user-keys[5] x");
}

#[test]
fn variables_and_options_of_users_are_made_and_unmade() {
    let (mut bench, client) = opened("#{||:#{m:@mine*,#{option_name}},#{==:#{environment_name},MINE}}");
    bench.keys(client, b"smine one two\r");
    assert_eq!(bench.line("show -sv @mine"), "one two");
    bench.keys(client, b"s\x15bad value\r");
    assert_eq!(bench.line("show -sqv bad"), "");
    let message = |bench: &Bench| bench.mux.clients[&client].message.as_ref().map(|message| message.text.clone());
    assert_eq!(message(&bench).as_deref(), Some("User option name must start with @"));
    bench.keys(client, b"\x1b[Cjuy");
    assert_eq!(bench.line("show -sqv @mine"), "");
    bench.keys(client, b"gjjjjjjsMINE=1\r");
    bench.keys(client, b"\x1b[CjS\x152\r");
    assert_eq!((bench.line("showenv MINE"), bench.line("showenv -g MINE")), ("MINE=1".into(), "MINE=2".into()));
    bench.keys(client, b"uy");
    assert_eq!(bench.line("showenv MINE"), "unknown variable: MINE");
}

#[test]
fn a_binding_has_parts_that_are_set_one_by_one() {
    let (mut bench, client) = opened("#{==:#{key},F5}");
    bench.keys(client, b"jjjjjjjjjjsF5 display-message a\r");
    bench.keys(client, b"\x1b[Cj\x1b[Cjs\x15next-window ; display-message b\r");
    bench.keys(client, b"js\x15a note\rjs");
    let shown = "bind-key -r -T prefix F5 next-window \\; display-message b";
    assert_eq!(bench.line("list-keys -T prefix F5"), shown);
    assert_eq!(bench.line("list-keys -T prefix -F '#{key_note}' F5"), "a note");
    bench.keys(client, b"s");
    assert!(bench.line("list-keys -T prefix F5").starts_with("bind-key  -T"));
    bench.keys(client, b"uy");
    assert_eq!(bench.line("list-keys -T prefix F5"), "unknown key: F5");
    let (mut bench, client) = opened("#{==:#{key},c}");
    bench.line("bind -T prefix c display-message x");
    bench.keys(client, b"jjjjjjjjjj\x1b[Cjdy");
    assert_eq!(bench.line("list-keys -T prefix -F '#{key_command}' c"), "new-window");
}

#[test]
fn only_what_was_changed_can_be_shown() {
    let (mut bench, client) = opened("");
    bench.lines(&["set -s @mine 1", "set -g history-limit 7", "bind -T prefix F5 display-message x"]);
    bench.keys(client, b"C\x1b+");
    let rows = rows(&bench);
    for row in ["1 @mine", "1 history-limit", "1 K F5"] {
        assert!(rows.contains(&row.to_owned()), "{row} in {rows:?}");
    }
    assert!(!rows.iter().any(|row| row.contains("Environment") || row.contains("copy-mode")), "{rows:?}");
    // Without global ones nothing of all that is left, but the keys.
    bench.keys(client, b"H");
    assert_eq!(super::super::CUSTOMIZE.name, bench.format("%0", "#{pane_mode}"));
    assert!(!self::rows(&bench).contains(&"1 history-limit".to_owned()));
}

#[test]
fn tagged_rows_are_changed_together() {
    let (mut bench, client) = opened("#{m:@t*,#{option_name}}");
    bench.lines(&["set -s @ta 1", "set -s @tb 2", "set -s @u 3"]);
    bench.keys(client, b"\x1b[CjttU");
    assert_eq!(question(&bench).as_deref(), Some("Unset 2 tagged? "));
    bench.keys(client, b"y");
    assert_eq!(bench.line("show -s @ta"), "invalid option: @ta");
    assert_eq!((bench.line("show -sqv @tb"), bench.line("show -sqv @u")), ("".into(), "3".into()));
}

#[test]
fn what_somebody_else_took_away_is_not_made_again() {
    let (mut bench, client) = opened("#{==:#{option_name},@mine}");
    bench.line("set -s @mine 1");
    bench.keys(client, b"\x1b[Cjs");
    bench.line("set -su @mine");
    bench.keys(client, b"\x15new\r");
    assert_eq!(bench.line("show -sqv @mine"), "");
    // The row that is gone takes no key for another.
    bench.keys(client, b"s");
    assert_eq!(question(&bench), None);
    bench.keys(client, b"q");
    assert_eq!(bench.format("%0", "#{pane_in_mode}"), "0");
}

#[test]
fn keys_that_a_command_sends_answer_what_the_list_asks() {
    let (mut bench, _) = opened("0");
    bench.lines(&["send-keys -t %0 Enter", "send-keys -t %0 -l 'sent yes'"]);
    assert_eq!(question(&bench).as_deref(), Some("New user option: @sent yes"));
    bench.line("send-keys -t %0 Enter");
    assert_eq!(bench.line("show -sv @sent"), "yes");
}

#[test]
fn what_is_said_of_a_setting() {
    let (mut bench, client) = opened("#{||:#{==:#{option_name},mouse},#{==:#{key},c}}");
    bench.keys(client, b"j\x1b[CjsS");
    let lines = |bench: &Bench| {
        let list = bench.mux.list(PaneId(0)).expect("a list");
        let lines = list.setting_lines(&bench.mux, PaneId(0), &bench.world, bench.now);
        lines.into_iter().map(|line| line.text).collect::<Vec<_>>()
    };
    assert_eq!(
        lines(&bench)[2..],
        ["This is a session option.", "", "Option value: on", "The default is: off", "", "Global value: on",]
    );
    bench.keys(client, b"gjjjjjjjjjjj\x1b[Cj");
    assert_eq!(
        lines(&bench),
        ["Create a new window.", "", "This key is in the prefix table.", "Repeat: off", "", "Command: new-window",]
    );
}

#[test]
fn hooks_of_the_users_own_are_hooks_and_say_how_often_they_ran() {
    let (mut bench, client) = opened("#{==:#{option_name},@mine}");
    bench.keys(client, b"jjjs");
    assert_eq!(question(&bench).as_deref(), Some("New user hook: @"));
    bench.keys(client, b"mine set -g @ran 1\r");
    bench.line("set-hook -E @mine");
    assert_eq!(bench.line("show -gv @ran"), "1");
    bench.keys(client, b"\x1b[Cj");
    let lines = {
        let list = bench.mux.list(PaneId(0)).expect("a list");
        list.setting_lines(&bench.mux, PaneId(0), &bench.world, bench.now)
    };
    let text: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
    assert!(text.contains(&"This hook has been fired 1 times, last 12:00."), "{text:?}");
    assert!(!bench.line("show-options").contains("@mine") && bench.line("show-options -H").contains("@mine"));
}

#[test]
fn a_value_can_be_edited_in_a_file() {
    let (mut bench, client) = opened("#{==:#{option_name},@mine}");
    bench.line("set -s @mine old");
    bench.keys(client, b"\x1b[Cje");
    let path = bench.world.files.keys().find(|path| path.contains("edit-")).expect("a file").clone();
    assert_eq!(bench.world.files[&path], b"old");
    bench.world.files.insert(path.clone(), b"new value\n".to_vec());
    bench.end(PaneId(1), crate::Exit::Status(0));
    assert_eq!(bench.line("show -sv @mine"), "new value");
    assert!(!bench.world.files.contains_key(&path));
    // A flag is not edited.
    let (mut bench, client) = opened("#{==:#{option_name},mouse}");
    bench.keys(client, b"j\x1b[Cje");
    assert_eq!(bench.mux.panes.len(), 1);
}
