use super::*;
use crate::Face;
use term::Size;

fn list(lines: &[(usize, &str)]) -> List {
    let settings = Settings {
        format: String::new(),
        key_format: String::new(),
        template: String::new(),
        filter: None,
        sorting: Sorting { order: Order::Index, reversed: false },
        preview: Preview::Normal,
        accepts: false,
        squashes: true,
        hides_own: false,
    };
    let mut list = List::new(&TREE, settings, Found::default(), Size { cols: 80, rows: 24 });
    list.set_rows(drafts(lines), false);
    list.fit();
    list
}

fn drafts(lines: &[(usize, &str)]) -> Vec<Draft> {
    let draft = |(depth, name): &(usize, &str)| Draft {
        item: Item::Buffer((*name).to_owned()),
        depth: *depth,
        name: (*name).to_owned(),
        text: None,
        expanded: true,
        align: Align::None,
        values: Vec::new(),
        place: Found::default(),
    };
    lines.iter().map(draft).collect()
}

fn names(list: &List) -> Vec<String> {
    list.visible().map(|(_, row)| format!("{}{}", list.branches(row), row.draft.name)).collect()
}

const TWO: &[(usize, &str)] = &[(0, "a"), (1, "b"), (2, "c"), (1, "d"), (0, "e")];

#[test]
fn branches_lead_to_every_row() {
    let list = list(TWO);
    assert_eq!(names(&list), ["- a", "├─> - b", "│   └─> c", "└─>   d", "  e"]);
}

#[test]
fn what_is_collapsed_stays_so_when_rows_are_made_again() {
    let mut list = list(TWO);
    assert_eq!(list.key("Left", true), key::Step::Build);
    list.set_rows(drafts(TWO), false);
    assert_eq!(names(&list), ["+ a", "  e"]);
    list.key("M-+", true);
    list.set_rows(drafts(TWO), false);
    assert_eq!(names(&list).len(), 5);
}

#[test]
fn a_row_is_not_tagged_together_with_one_above_it() {
    let mut list = list(TWO);
    list.key("t", true);
    assert_eq!(list.tagged(), [Item::Buffer("a".into())]);
    assert_eq!(list.current(), 1, "typed, it goes on to the next row");
    list.key("t", false);
    assert_eq!((list.tagged(), list.current()), (vec![Item::Buffer("b".into())], 1));
}

#[test]
fn moving_goes_round_and_keeps_the_current_row_in_view() {
    let many: Vec<String> = (0..50).map(|n| n.to_string()).collect();
    let many: Vec<(usize, &str)> = many.iter().map(|name| (0, name.as_str())).collect();
    let mut list = list(&many);
    assert_eq!(list.height(), 16);
    list.key("Up", true);
    assert_eq!((list.current(), list.offset()), (49, 34));
    list.key("Down", true);
    assert_eq!((list.current(), list.offset()), (0, 0));
    list.key("NPage", true);
    assert_eq!((list.current(), list.offset()), (16, 1));
}

#[test]
fn a_search_opens_what_hides_the_row_it_finds() {
    let mut list = list(TWO);
    list.key("Left", true);
    list.set_rows(drafts(TWO), false);
    list.set_search(Some("c".into()));
    assert_eq!(list.search(|_, name| name == "c"), Some(Item::Buffer("c".into())));
    list.set_rows(drafts(TWO), false);
    assert!(list.set_current(&Item::Buffer("c".into())));
}

#[test]
fn every_source_has_its_name_and_its_help() {
    assert!(SOURCES.windows(2).all(|pair| pair[0].name < pair[1].name));
    for source in SOURCES {
        assert!(source.name.ends_with("-mode") && !source.about.is_empty() && !source.help.is_empty());
        assert!(crate::mode::list::source::help(source).iter().all(|(_, about)| !about.contains("%1")));
        let mux = crate::fake::empty(Face::Tmux);
        let template = source.template.replace("%%", "x");
        let words: Vec<String> = template.replace('\'', "").split(' ').map(str::to_owned).collect();
        assert!(source.template.is_empty() || mux.commands_of_words(&words).is_ok(), "{template}");
    }
}

#[test]
fn what_is_told_in_pieces_becomes_rows_once() {
    let row = |id: &str| agents::Conversation { engine: "pinned".into(), id: id.into(), ..Default::default() };
    let told = [agents::Told::Conversation(row("a")), agents::Told::Cut, agents::Told::Conversation(row("b"))];
    let lines: String = told.iter().map(|told| told.line() + "\n").collect();
    let mut store = conversations::Store::default();
    for end in 0..=lines.len() {
        store.take(&lines.as_bytes()[..end]);
    }
    assert_eq!(store.rows, [row("a"), row("b")]);
    assert_eq!(told_rows("not of this version\n").len(), 0);
    assert_eq!(told_rows(&lines).len(), 2);
}

fn told_rows(lines: &str) -> Vec<agents::Conversation> {
    told(lines.as_bytes())
}
