mod effects;

use super::*;
use proptest::prelude::*;

/// Refuses what is named so that each refusal can be seen.
struct Picky;

impl Checks for Picky {
    fn key(&self, text: &str) -> Option<String> {
        (text != "nokey").then(|| text.to_owned())
    }

    fn colour(&self, text: &str) -> Option<String> {
        (text != "nocolour").then(|| text.to_lowercase())
    }

    fn style(&self, text: &str) -> bool {
        !text.contains("nostyle")
    }

    fn shell(&self, path: &str) -> bool {
        path.starts_with('/')
    }

    fn command(&self, text: &str) -> Result<String, String> {
        if text == "nocommand" { Err("unknown command: nocommand".to_owned()) } else { Ok(text.to_owned()) }
    }
}

fn lines(text: &str) -> Vec<&str> {
    text.lines().collect()
}

fn set(store: &mut OptionStore, name: &str, text: Option<&str>, how: Set) -> Result<(), String> {
    let option = resolve(name).map_err(|error| error.to_string())?;
    store.set(&[], &option, text, how, &Picky).map_err(|error| error.to_string())
}

fn shown(list: &[Shown], values_only: bool) -> Vec<String> {
    list.iter().filter_map(|one| one.line(values_only)).collect()
}

fn one(show: Show, chain: &[&OptionStore], name: &str) -> Option<Vec<String>> {
    show.one(chain, &resolve(name).expect("an option")).map(|list| shown(&list, false))
}

const APPEND: Set = Set { append: true, only_if_unset: false };
const IF_UNSET: Set = Set { append: false, only_if_unset: true };

#[test]
fn the_first_values_are_listed_as_in_tmux() {
    let show = Show::default();
    let server = OptionStore::global(Scope::Server, Face::Tmux);
    let session = OptionStore::global(Scope::Session, Face::Tmux);
    let window = OptionStore::global(Scope::Window, Face::Tmux);
    for (store, owner, listing, text) in [
        (&server, Owner::Server, Listing::Options, include_str!("../../tests/fixtures/options-server-3.7c.txt")),
        (&session, Owner::Session, Listing::Options, include_str!("../../tests/fixtures/options-session-3.7c.txt")),
        (
            &session,
            Owner::Session,
            Listing::OptionsAndHooks,
            include_str!("../../tests/fixtures/options-session-with-hooks-3.7c.txt"),
        ),
        (&session, Owner::Session, Listing::Hooks, include_str!("../../tests/fixtures/hooks-session-3.7c.txt")),
        (&window, Owner::Window, Listing::Options, include_str!("../../tests/fixtures/options-window-3.7c.txt")),
        (
            &window,
            Owner::Window,
            Listing::OptionsAndHooks,
            include_str!("../../tests/fixtures/options-window-with-hooks-3.7c.txt"),
        ),
        (&window, Owner::Window, Listing::Hooks, include_str!("../../tests/fixtures/hooks-window-3.7c.txt")),
    ] {
        assert_eq!(shown(&show.all(&[store], owner, listing, Face::Tmux), false), lines(text));
    }
    let pane = OptionStore::default();
    let text = include_str!("../../tests/fixtures/options-pane-inherited-3.7c.txt");
    let show = Show { inherited: true };
    let list = show.all(&[&pane, &window], Owner::Pane, Listing::Options, Face::Tmux);
    assert_eq!(shown(&list, false), lines(text));
}

#[test]
fn rove_starts_otherwise_and_lists_its_own() {
    let server = OptionStore::global(Scope::Server, Face::Rove);
    let session = OptionStore::global(Scope::Session, Face::Rove);
    assert!(server.flag("freeze") && !OptionStore::global(Scope::Server, Face::Tmux).flag("freeze"));
    assert_eq!((session.text("prefix"), session.number("history-limit")), ("C-a".to_owned(), 1000));
    let lines = shown(&Show::default().all(&[&server], Owner::Server, Listing::Options, Face::Rove), false);
    assert!(lines.iter().any(|line| line == "freeze-history 512"));
    assert_eq!(one(Show::default(), &[&server], "freeze"), Some(vec!["freeze on".to_owned()]));
    assert_eq!(server.changed().count(), 0);
}

#[test]
fn rows_are_whole_and_have_names_of_their_own() {
    for (at, row) in OPTIONS.iter().enumerate() {
        assert!(!row.about.is_empty() && row.about.ends_with('.'), "{}", row.name);
        assert!(OPTIONS[..at].iter().all(|other| other.name != row.name), "{}", row.name);
        assert_eq!(row.array, matches!(row.start(Face::Tmux), OptionValue::Array(_)), "{}", row.name);
        if let (false, Start::Value(text)) = (row.array, row.start) {
            let start = row.start(Face::Tmux);
            assert_eq!(row.read(Some(text), &start, &Unchecked).as_ref(), Ok(&start), "{}", row.name);
        }
    }
    assert!(table::OTHER_NAMES.iter().all(|(_, name)| find(name).is_some()));
}

#[test]
fn names_may_be_short_but_not_ambiguous() {
    assert_eq!(resolve("history-l").map(|option| option.name), Ok("history-limit".to_owned()));
    assert_eq!(resolve("cursor-color").map(|option| option.name), Ok("cursor-colour".to_owned()));
    assert_eq!(resolve("status").map(|option| option.name), Ok("status".to_owned()));
    assert_eq!(resolve("@any[3]").map(|option| option.key), Ok(Some(ItemKey::Number(3))));
    let error = |text| resolve(text).map(|option| option.name).map_err(|error| error.to_string());
    assert_eq!(error("status-"), Err("ambiguous option: status-".to_owned()));
    assert_eq!(error("nope"), Err("invalid option: nope".to_owned()));
    for bad in ["", "user-keys[", "user-keys[]", "user-keys[x]y", "user-keys[1]x", "user-keys[4294967296]"] {
        assert_eq!(error(bad), Err(format!("ambiguous option: {bad}")));
    }
}

#[test]
fn wrong_values_are_refused_in_tmux_words() {
    let mut store = OptionStore::global(Scope::Session, Face::Tmux);
    for (name, text, error) in [
        ("default-size", "abc", "value is invalid: abc"),
        ("status-justify", "maybe", "unknown value: maybe"),
        ("mouse", "maybe", "bad value: maybe"),
        ("history-limit", "-1", "value is too small: -1"),
        ("repeat-time", "2000001", "value is too large: 2000001"),
        ("repeat-time", "x", "value is invalid: x"),
        ("status-bg", "nocolour", "bad colour: nocolour"),
        ("status-style", "nostyle", "invalid style: nostyle"),
        ("prefix", "nokey", "bad key: nokey"),
        ("default-shell", "sh", "not a suitable shell: sh"),
        ("alert-bell", "nocommand", "unknown command: nocommand"),
        ("mouse[0]", "on", "not an array: mouse[0]"),
        ("@user[0]", "on", "not an array: @user[0]"),
    ] {
        assert_eq!(set(&mut store, name, Some(text), Set::default()), Err(error.to_owned()), "{name}");
    }
    assert_eq!(set(&mut store, "history-limit", None, Set::default()), Err("empty value".to_owned()));
    assert_eq!(set(&mut store, "@user", None, Set::default()), Err("empty value".to_owned()));
    assert_eq!(set(&mut store, "mouse", Some("on"), IF_UNSET), Err("already set: mouse".to_owned()));
    let changed: Vec<_> = store.changed().collect();
    assert_eq!(changed, []);
}

#[test]
fn flags_and_choices_flip_without_a_value() {
    let mut session = OptionStore::default();
    let global = OptionStore::global(Scope::Session, Face::Tmux);
    let mouse = resolve("mouse").expect("an option");
    session.set(&[&global], &mouse, None, Set::default(), &Picky).expect("a flag");
    assert_eq!(session.get("mouse"), Some(&OptionValue::Flag(true)));
    let mut status = OptionStore::default();
    set(&mut status, "status", Some("3"), Set::default()).expect("a choice");
    set(&mut status, "status", None, Set::default()).expect("it stays");
    assert_eq!(status.text("status"), "3");
    set(&mut status, "status", Some("off"), Set::default()).expect("a choice");
    set(&mut status, "status", None, Set::default()).expect("it flips");
    assert_eq!(status.text("status"), "on");
    set(&mut status, "mouse", Some("YES"), Set::default()).expect("a flag");
    assert!(status.flag("mouse"));
}

#[test]
fn texts_are_added_to_with_their_separator() {
    let mut store = OptionStore::global(Scope::Session, Face::Tmux);
    set(&mut store, "status-style", Some("bold"), APPEND).expect("a style");
    set(&mut store, "status-left", Some("x"), APPEND).expect("a text");
    set(&mut store, "@user", Some("a"), APPEND).expect("a text");
    set(&mut store, "@user", Some("b"), APPEND).expect("a text");
    assert_eq!(store.text("status-style"), "bg=green,fg=black,bold");
    assert_eq!(store.text("status-left"), "[#{session_name}] x");
    assert_eq!(store.text("@user"), "ab");
    assert_eq!(set(&mut store, "status-style", Some("nostyle"), APPEND).map_err(|error| error.len()), Err(45));
    let changed: Vec<_> = store.changed().map(|(name, _)| name).collect();
    assert_eq!(changed, ["@user", "status-left", "status-style"]);
    // A session without a value of its own does not add to the inherited one.
    let mut session = OptionStore::default();
    let option = resolve("status-left").expect("an option");
    session.set(&[&store], &option, Some("y"), APPEND, &Picky).expect("a text");
    assert_eq!(session.text("status-left"), "y");
}

#[test]
fn arrays_have_holes_and_fill_them() {
    let mut store = OptionStore::global(Scope::Server, Face::Tmux);
    set(&mut store, "user-keys", Some("a,b,,c"), Set::default()).expect("items");
    let option = resolve("user-keys[1]").expect("an item");
    store.unset(&option).expect("an array");
    set(&mut store, "user-keys[7]", Some("z"), Set::default()).expect("an item");
    set(&mut store, "user-keys[7]", Some("y"), APPEND).expect("an item");
    set(&mut store, "user-keys", Some("d,e"), APPEND).expect("items");
    let lines = ["user-keys[0] a", "user-keys[1] d", "user-keys[2] c", "user-keys[3] e", "user-keys[7] zy"];
    assert_eq!(one(Show::default(), &[&store], "user-keys"), Some(lines.map(str::to_owned).to_vec()));
    assert_eq!(store.text("user-keys"), "a d c e zy");
    assert!(set(&mut store, "user-keys[1]", Some("x"), IF_UNSET).is_err());
    assert_eq!(set(&mut store, "user-keys[9]", Some("x"), IF_UNSET), Ok(()));
    let missing = one(Show::default(), &[&store], "user-keys[5]");
    assert_eq!(missing, Some(vec!["user-keys[5] ''".to_owned()]));
    store.unset(&resolve("user-keys").expect("an option")).expect("an option");
    assert_eq!(store.changed().count(), 0);
    // A wrong item leaves everything as it was.
    let mut window = OptionStore::default();
    assert!(set(&mut window, "pane-colours", Some("red nocolour"), Set::default()).is_err());
    assert_eq!(window.iter().count(), 0);
    // Hooks are one command each, whatever is in it.
    let mut hooks = OptionStore::global(Scope::Session, Face::Tmux);
    set(&mut hooks, "alert-bell", Some("display a, b"), Set::default()).expect("a hook");
    set(&mut hooks, "alert-bell", Some("next"), APPEND).expect("a hook");
    let lines = one(Show::default(), &[&hooks], "alert-bell");
    assert_eq!(lines, Some(vec!["alert-bell[0] display a, b".to_owned(), "alert-bell[1] next".to_owned()]));
}

#[test]
fn what_is_not_set_comes_from_further_along() {
    let global = OptionStore::global(Scope::Window, Face::Tmux);
    let mut window = OptionStore::default();
    let mut pane = OptionStore::default();
    set(&mut window, "window-style", Some("bg=red"), Set::default()).expect("a style");
    assert_eq!(lookup(&[&pane, &window, &global], "window-style").map(OptionValue::text), Some("bg=red".to_owned()));
    pane.set_text("window-style", "bg=blue");
    assert_eq!(lookup(&[&pane, &window, &global], "window-style").map(OptionValue::text), Some("bg=blue".to_owned()));
    pane.unset(&resolve("window-style").expect("an option")).expect("an option");
    assert_eq!(one(Show::default(), &[&pane, &window], "window-style"), None);
    let show = Show { inherited: true };
    assert_eq!(one(show, &[&pane, &window], "window-style"), Some(vec!["window-style* bg=red".to_owned()]));
    let list = show.one(&[&pane, &window], &resolve("window-style").expect("an option")).expect("a value");
    assert_eq!(shown(&list, true), ["bg=red"]);
    assert_eq!(lookup(&[&pane, &window, &global], "@none"), None);
}

#[test]
fn user_options_come_first() {
    let mut session = OptionStore::default();
    session.set_text("@b", "two words");
    session.set_text("@a", "");
    session.set_flag("mouse", true);
    session.set_number("base-index", 1);
    let list = Show::default().all(&[&session], Owner::Session, Listing::Options, Face::Tmux);
    assert_eq!(shown(&list, false), ["@a ''", "@b \"two words\"", "base-index 1", "mouse on"]);
    session.unset(&resolve("@a").expect("a user option")).expect("a user option");
    assert_eq!(session.get("@a"), None);
}

#[test]
fn items_may_have_names_which_come_after_numbers() {
    let mut store = OptionStore::global(Scope::Session, Face::Tmux);
    set(&mut store, "status-format", Some(""), Set::default()).expect("nothing");
    let empty = Show::default().one(&[&store], &resolve("status-format").expect("an option")).expect("a value");
    assert_eq!((shown(&empty, false), shown(&empty, true)), (vec!["status-format".to_owned()], vec![]));
    for (key, text) in [("zoom", "z"), ("5", "five"), ("01", "one"), ("x-256", "x")] {
        set(&mut store, &format!("status-format[{key}]"), Some(text), Set::default()).expect("an item");
    }
    set(&mut store, "status-format", Some("zero"), APPEND).expect("an item");
    let all = "[0] zero,[1] one,[5] five,[x-256] x,[zoom] z";
    let lines = all.split(',').map(|line| format!("status-format{line}")).collect::<Vec<_>>();
    assert_eq!(one(Show::default(), &[&store], "status-format"), Some(lines));
    let list = Show::default().one(&[&store], &resolve("status-format[zoom]").expect("an item")).expect("a value");
    let formats = list[0].formats(false);
    for (name, value) in
        [("option_array_key", "zoom"), ("option_value", "z"), ("option_is_array", "1"), ("option_is_user", "0")]
    {
        assert!(formats.contains(&(name.to_owned(), value.to_owned())), "{name}");
    }
    store.unset(&resolve("status-format[zoom]").expect("an item")).expect("an array");
    assert_eq!(store.text("status-format"), "zero one five x");
}

proptest! {
    #[test]
    fn any_name_and_text_is_taken_or_refused(at in 0..OPTIONS.len(), index in "(\\[[0-9]{0,11}\\])?", text in ".{0,20}") {
        let row = &OPTIONS[at];
        let mut store = OptionStore::default();
        if let Ok(option) = resolve(&format!("{}{index}", row.name)) {
            let before = store.clone();
            if store.set(&[], &option, Some(&text), APPEND, &Picky).is_err() {
                prop_assert_eq!(&store, &before);
            }
            store.unset(&option).ok();
            Show::default().all(&[&store], Owner::Window, Listing::OptionsAndHooks, Face::Tmux);
        }
    }

    #[test]
    fn a_shown_text_is_one_word(text in "[ -~\t\n]{0,20}") {
        let shown = escape::escape(&text);
        prop_assert!(!shown.is_empty() && !shown.contains(['\n', '\t']));
        let quoted = shown.starts_with(['"', '\'']) && shown.len() > 1;
        prop_assert!(quoted || !shown.contains(' '));
    }
}
