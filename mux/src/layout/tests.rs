use std::collections::HashMap;

use proptest::prelude::*;

use super::*;
use crate::number::percentage;

fn pane(text: &str) -> PaneId {
    PaneId::parse(text).expect("a pane id")
}

fn extent(text: &str) -> Extent {
    let (width, height) = text.split_once('x').expect("a size");
    Extent { width: width.parse().expect("a width"), height: height.parse().expect("a height") }
}

fn axis(flags: &str) -> Axis {
    if flags.starts_with('h') || flags.starts_with('x') { Axis::LeftRight } else { Axis::TopBottom }
}

/// A window driven by the lines of the fixture, as recorded from tmux 3.7c.
struct Replay {
    layout: Layout,
    options: HashMap<String, String>,
    recency: HashMap<PaneId, u64>,
    /// The size that resize-window gave; tmux goes back to it after changes of the layout.
    manual: Option<Extent>,
}

impl Replay {
    fn new(line: &[&str], panes: &str) -> Self {
        let first = panes.split(':').next().expect("a pane");
        let mut layout = Layout::new(extent(line[1]), pane(first));
        layout.settings.border_status = match line[2] {
            "top" => BorderStatus::Top,
            "bottom" => BorderStatus::Bottom,
            _ => BorderStatus::Off,
        };
        let options = line[3].split(',').filter_map(|pair| pair.split_once('='));
        let options = options.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        Self { layout, options, recency: HashMap::new(), manual: None }
    }

    fn preset(&mut self, change: impl FnOnce(&mut Layout, &PresetOptions<'_>)) {
        let text = |name: &str, default| self.options.get(name).map_or(default, String::as_str);
        let options = PresetOptions {
            main_pane_width: text("main-pane-width", "80"),
            main_pane_height: text("main-pane-height", "24"),
            other_pane_width: text("other-pane-width", "0"),
            other_pane_height: text("other-pane-height", "0"),
            tiled_layout_max_columns: text("tiled-layout-max-columns", "0").parse().expect("a number"),
        };
        change(&mut self.layout, &options);
    }

    fn size(&self, target: PaneId, flags: &str, text: &str) -> Option<u32> {
        let whole = self.layout.split_base(target, axis(flags), flags.contains('f'));
        let size = percentage(text, 0, i64::from(i32::MAX), i64::from(whole)).ok()?;
        u32::try_from(size).ok()
    }

    fn select(&mut self, pane: PaneId) {
        let newest = self.recency.values().copied().max().unwrap_or(0);
        if self.recency.get(&pane) != Some(&newest) {
            self.recency.insert(pane, newest + 1);
        }
    }

    fn resize_to(&mut self, target: PaneId, side: &str, text: &str) {
        let whole = i64::from(self.layout.size().along(axis(side)));
        let size = percentage(text, 0, i64::from(i32::MAX), whole).expect("a size");
        let row = if side == "y" { self.layout.status_row(target) } else { 0 };
        self.layout.resize_pane_to(target, axis(side), u32::try_from(size).expect("a size") + row);
    }

    fn step(&mut self, line: &[&str]) -> bool {
        let target = line.get(1).and_then(|text| PaneId::parse(text)).unwrap_or(PaneId(0));
        match line[0] {
            "split" | "join" => {
                let flags = line[3];
                let size = self.size(target, flags, line[4]);
                let how = Split { axis: axis(flags), before: flags.contains('b'), full: flags.contains('f'), size };
                let other = pane(line[2]);
                let done = if line[0] == "split" {
                    self.layout.split(target, other, how)
                } else {
                    self.layout.join(target, other, how)
                };
                return done.is_ok();
            }
            "close" => return self.layout.close(target),
            "dir" => {
                let amount: i64 = line[3].parse().expect("a number");
                let (axis, sign) = match line[2] {
                    "L" => (Axis::LeftRight, -1),
                    "R" => (Axis::LeftRight, 1),
                    "U" => (Axis::TopBottom, -1),
                    _ => (Axis::TopBottom, 1),
                };
                self.layout.resize_pane(target, axis, sign * amount);
            }
            "to" => self.resize_to(target, line[2], line[3]),
            "preset" => {
                let preset = Preset::named(line[1]).expect("a preset");
                self.preset(|layout, options| layout.select_preset(preset, options));
            }
            "next" => self.preset(|layout, options| _ = layout.next_preset(options)),
            "prev" => self.preset(|layout, options| _ = layout.previous_preset(options)),
            "spread" => self.layout.spread_out(target),
            "window" => {
                self.manual = Some(extent(line[1]));
                self.layout.resize(extent(line[1]));
            }
            "swap" => _ = self.layout.swap(target, pane(line[2])),
            "rotate" if line[1] == "U" => self.layout.rotate_up(),
            "rotate" => self.layout.rotate_down(),
            "apply" => match self.layout.apply(line[1]) {
                Ok(()) => {}
                Err(error) => {
                    assert_eq!(line.get(2).copied(), Some(error.to_string().replace(' ', "_").as_str()));
                    return false;
                }
            },
            "select" => self.select(target),
            "go" => self.go(target, line),
            other => panic!("what is {other}?"),
        }
        true
    }

    fn settle(&mut self, operation: &str) {
        let settles = matches!(operation, "close" | "preset" | "next" | "prev" | "spread" | "apply" | "join");
        if let Some(size) = self.manual.filter(|&size| settles && size != self.layout.size()) {
            self.layout.resize(size);
        }
    }

    fn go(&mut self, from: PaneId, line: &[&str]) {
        self.select(from);
        let direction = match line[2] {
            "L" => Direction::Left,
            "R" => Direction::Right,
            "U" => Direction::Up,
            _ => Direction::Down,
        };
        let recency = |pane| self.recency.get(&pane).copied().unwrap_or(0);
        let to = self.layout.neighbour(from, direction, recency).unwrap_or(from);
        assert_eq!(to.to_string(), line[3], "{line:?} {}", self.layout.dump());
        self.select(to);
        let edges = self.layout.edges(to).expect("a pane of the window");
        let flags = [edges.left, edges.right, edges.top, edges.bottom].map(|flag| if flag { '1' } else { '0' });
        assert_eq!(flags.iter().collect::<String>(), line[4], "{line:?} {}", self.layout.dump());
    }

    fn places(&self) -> String {
        let place =
            |(pane, rect): (PaneId, Rect)| format!("{pane}:{},{},{}x{}", rect.x, rect.y, rect.width, rect.height);
        self.layout.rects().into_iter().map(place).collect::<Vec<_>>().join(" ")
    }
}

#[test]
fn every_recorded_step_ends_as_in_tmux() {
    let mut replay: Option<Replay> = None;
    let mut wrong = Vec::new();
    let mut skip = false;
    for (number, text) in include_str!("../../tests/fixtures/layouts-3.7c.txt").lines().enumerate() {
        let parts: Vec<&str> = text.split('|').collect();
        let [operation, outcome, state, panes] = parts[..] else { panic!("line {number} is not a step") };
        let words: Vec<&str> = operation.split(' ').collect();
        if words[0] == "new" {
            replay = Some(Replay::new(&words, panes));
            skip = false;
            continue;
        }
        if skip {
            continue;
        }
        let replay = replay.as_mut().expect("the first line makes a window");
        let before = replay.layout.dump();
        let done = replay.step(&words);
        replay.settle(words[0]);
        replay.layout.check();
        let size = replay.layout.size();
        let now = format!("{} {}x{}", replay.layout.dump(), size.width, size.height);
        // tmux lets a pane whose only row goes to its status line be no row high; here it keeps one.
        let panes =
            panes.split(' ').map(|place| place.strip_suffix("x0").map_or(place.to_owned(), |it| format!("{it}x1")));
        let panes = panes.collect::<Vec<_>>().join(" ");
        if now != state || done != (outcome == "ok") || replay.places() != panes {
            wrong.push(format!(
                "{}: {operation} from {before}\n  tmux {outcome} {state} {panes}\n  here {done} {now} {}",
                number + 1,
                replay.places()
            ));
            skip = true;
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn presets_are_found_by_name_and_by_the_start_of_one() {
    assert_eq!(Preset::named("tiled"), Some(Preset::Tiled));
    assert_eq!(Preset::named("ti"), Some(Preset::Tiled));
    assert_eq!(Preset::named("main-horizontal"), Some(Preset::MainHorizontal));
    assert_eq!(Preset::named("main-v"), None);
    for (at, (preset, name)) in Preset::ALL.into_iter().enumerate() {
        assert_eq!((preset as usize, preset.name()), (at, name));
    }
}

#[test]
fn a_saved_layout_comes_back_with_its_panes_where_they_were() {
    let text = "9d47,80x24,0,0{40x24,0,0,7,39x24,41,0,3}";
    let text = format!("{:04x},{}", checksum(&text[5..]), &text[5..]);
    let layout = Layout::restore(&text, &[PaneId(3), PaneId(7)]).expect("a layout");
    assert_eq!((layout.dump(), layout.size()), (text.clone(), extent("80x24")));
    assert_eq!(layout.rect(PaneId(7)).map(|rect| rect.x), Some(0));
    let other = Layout::restore(&text, &[PaneId(1), PaneId(2)]).expect("a layout");
    assert_eq!(other.rect(PaneId(1)).map(|rect| rect.x), Some(0));
    other.check();
    let error = Layout::restore(&text, &[PaneId(1)]).map(|layout| layout.dump());
    assert_eq!(error.map_err(|error| error.to_string()), Err("have 1 panes but need 2".to_owned()));
}

#[test]
fn a_border_is_found_where_it_is_drawn() {
    let mut layout = Layout::new(extent("80x24"), PaneId(0));
    layout.split(PaneId(0), PaneId(1), Split::half(Axis::LeftRight)).expect("room");
    assert!(layout.drag_border(40, 3, Axis::LeftRight, 5));
    assert_eq!(layout.rect(PaneId(0)).map(|rect| rect.width), Some(45));
    assert!(!layout.drag_border(3, 3, Axis::LeftRight, 5), "inside a pane");
    assert!(!layout.drag_border(45, 3, Axis::TopBottom, 5), "the border runs the other way");
    layout.check();
}

#[test]
fn scrollbars_take_their_columns_from_the_pane() {
    let rect = Rect { x: 10, y: 0, width: 20, height: 5 };
    let bar = Scrollbar { width: 2, pad: 1, left: true };
    assert_eq!(rect.beside(bar), Rect { x: 13, width: 17, ..rect });
    assert_eq!(rect.beside(Scrollbar { left: false, ..bar }), Rect { width: 17, ..rect });
    assert_eq!(rect.beside(Scrollbar { width: 90, ..bar }), Rect { x: 29, width: 1, ..rect });
}

#[test]
fn a_scrollbar_counts_in_the_least_width() {
    let mut layout = Layout::new(extent("6x5"), PaneId(0));
    layout.settings.scrollbar = Some(Scrollbar { width: 4, pad: 1, left: false });
    assert_eq!(layout.split(PaneId(0), PaneId(1), Split::half(Axis::LeftRight)), Err(NoSpace));
}

#[test]
fn the_last_pane_leaves_an_empty_layout() {
    let mut layout = Layout::new(extent("0x0"), PaneId(4));
    assert_eq!(layout.dump(), "c561,1x1,0,0,4");
    assert!(layout.close(PaneId(4)) && layout.is_empty());
    assert_eq!(layout.dump(), "0000,");
    assert!(!layout.close(PaneId(4)) && !layout.swap(PaneId(1), PaneId(2)));
    layout.resize(extent("7x7"));
    layout.rotate_up();
    layout.check();
}

#[test]
fn a_pane_of_another_window_can_take_a_place() {
    let mut layout = Layout::new(extent("9x9"), PaneId(1));
    assert!(layout.replace(PaneId(1), PaneId(7)));
    assert!(!layout.replace(PaneId(7), PaneId(7)) && !layout.replace(PaneId(1), PaneId(8)));
    assert_eq!(layout.panes(), [PaneId(7)]);
    assert_eq!((layout.next(PaneId(7)), layout.previous(PaneId(7))), (Some(PaneId(7)), Some(PaneId(7))));
}

#[derive(Debug, Clone)]
enum Step {
    Split(usize, Split),
    Join(usize, usize, Split),
    Close(usize),
    Resize(usize, Axis, i64),
    ResizeTo(usize, Axis, u32),
    Window(Extent),
    Preset(usize, u32),
    Spread(usize),
    Swap(usize, usize),
    Rotate,
    Settings(Settings),
}

fn any_axis() -> impl Strategy<Value = Axis> {
    prop_oneof![Just(Axis::LeftRight), Just(Axis::TopBottom)]
}

fn any_split() -> impl Strategy<Value = Split> {
    (any_axis(), any::<bool>(), any::<bool>(), prop::option::of(prop_oneof![0u32..60, any::<u32>()]))
        .prop_map(|(axis, before, full, size)| Split { axis, before, full, size })
}

fn any_settings() -> impl Strategy<Value = Settings> {
    let status = prop_oneof![Just(BorderStatus::Off), Just(BorderStatus::Top), Just(BorderStatus::Bottom)];
    let scrollbar = prop::option::of((0u32..4, 0u32..3, any::<bool>()));
    (status, scrollbar).prop_map(|(border_status, bar)| Settings {
        border_status,
        scrollbar: bar.map(|(width, pad, left)| Scrollbar { width, pad, left }),
    })
}

fn any_step() -> impl Strategy<Value = Step> {
    let at = 0usize..12;
    prop_oneof![
        6 => (at.clone(), any_split()).prop_map(|(at, how)| Step::Split(at, how)),
        1 => (at.clone(), at.clone(), any_split()).prop_map(|(at, other, how)| Step::Join(at, other, how)),
        2 => at.clone().prop_map(Step::Close),
        2 => (at.clone(), any_axis(), -200i64..200).prop_map(|(at, axis, by)| Step::Resize(at, axis, by)),
        2 => (at.clone(), any_axis(), 0u32..200).prop_map(|(at, axis, to)| Step::ResizeTo(at, axis, to)),
        2 => (0u32..160, 0u32..60).prop_map(|(width, height)| Step::Window(Extent { width, height })),
        2 => (0usize..7, 0u32..4).prop_map(|(preset, columns)| Step::Preset(preset, columns)),
        1 => at.clone().prop_map(Step::Spread),
        1 => (at.clone(), at).prop_map(|(a, b)| Step::Swap(a, b)),
        1 => Just(Step::Rotate),
        1 => any_settings().prop_map(Step::Settings),
    ]
}

fn take(layout: &mut Layout, step: Step, fresh: PaneId) {
    let at = |index: usize| layout.panes()[index % layout.panes().len()];
    match step {
        Step::Split(target, how) => _ = layout.split(at(target), fresh, how),
        Step::Join(target, other, how) => _ = layout.join(at(target), at(other), how),
        Step::Close(target) if layout.panes().len() > 1 => _ = layout.close(at(target)),
        Step::Close(_) => {}
        Step::Resize(target, axis, by) => layout.resize_pane(at(target), axis, by),
        Step::ResizeTo(target, axis, size) => layout.resize_pane_to(at(target), axis, size),
        Step::Window(size) => layout.resize(size),
        Step::Preset(preset, tiled_layout_max_columns) => {
            let options = PresetOptions { tiled_layout_max_columns, ..PresetOptions::default() };
            layout.select_preset(Preset::ALL[preset].0, &options);
        }
        Step::Spread(target) => layout.spread_out(at(target)),
        Step::Swap(a, b) => _ = layout.swap(at(a), at(b)),
        Step::Rotate => layout.rotate_down(),
        Step::Settings(settings) => layout.settings = settings,
    }
}

proptest! {
    #[test]
    fn any_steps_keep_the_tree_whole(
        width in 1u32..120, height in 1u32..50, steps in prop::collection::vec(any_step(), 1..40),
    ) {
        let mut layout = Layout::new(Extent { width, height }, PaneId(0));
        for (number, step) in (1u32..).zip(steps) {
            take(&mut layout, step, PaneId(number));
            layout.check();
            prop_assert!(layout.size().width >= layout.cell(layout.root.expect("panes")).size.width);
        }
        let text = layout.dump();
        let again = Layout::restore(&text, layout.panes()).expect("its own string");
        prop_assert_eq!(again.dump(), text.clone());
        prop_assert_eq!(again.panes(), layout.panes());
        // select-layout places the panes in the window's order, so that only the ids can differ.
        let bare = |layout: &Layout| {
            let mut places: Vec<Rect> = layout.rects().into_iter().map(|(_, rect)| rect).collect();
            places.sort_by_key(|rect| (rect.y, rect.x));
            places
        };
        let mut other = layout.clone();
        other.select_preset(Preset::Tiled, &PresetOptions::default());
        other.apply(&text).expect("its own string");
        other.check();
        if layout.panes().len() > 1 {
            prop_assert_eq!(bare(&other), bare(&layout));
        }
    }

    #[test]
    fn any_text_is_read_or_refused(body in "[0-9x,{}\\[\\]<>a]{0,60}") {
        let mut layout = Layout::new(extent("80x24"), PaneId(0));
        let _ = layout.apply(&body);
        let _ = layout.apply(&format!("{:04x},{body}", checksum(&body)));
        layout.check();
        let _ = Layout::restore(&format!("{:04x},{body}", checksum(&body)), &[PaneId(1), PaneId(0)]);
    }
}

fn place(x: i32, y: i32, width: u32, height: u32) -> Rect {
    Rect { x, y, width, height }
}

#[test]
fn a_floating_pane_lies_over_the_tiled_ones_and_stands_in_the_string() {
    let mut layout = Layout::new(extent("80x24"), PaneId(0));
    layout.add_floating(PaneId(1), place(9, 4, 18, 4), None);
    layout.add_floating(PaneId(2), place(-4, 1, 10, 3), None);
    layout.check();
    assert!(
        layout.dump().ends_with(",80x24,0,0[80x24,0,0,0,18x4,9,4,1,10x3,-4,1,2]<10x3,-4,1,2,18x4,9,4,1>"),
        "{}",
        layout.dump()
    );
    assert_eq!(layout.panes(), [PaneId(0), PaneId(1), PaneId(2)]);
    assert_eq!([0, 1, 2].map(|pane| layout.depth(PaneId(pane))), [3, 1, 0]);
    let again = Layout::restore(&layout.dump(), layout.panes()).expect("its own string");
    assert_eq!(again.dump(), layout.dump());
    let mut other = Layout::new(extent("80x24"), PaneId(0));
    other.split(PaneId(0), PaneId(1), Split::half(Axis::TopBottom)).expect("room");
    other.split(PaneId(0), PaneId(2), Split::half(Axis::TopBottom)).expect("room");
    other.apply(&layout.dump()).expect("as many panes");
    other.check();
    assert_eq!(other.rect(PaneId(2)), Some(place(-4, 1, 10, 3)));
    let body = "80x24,0,0{26x24,0,0,0,26x24,27,0,1,26x24,54,0,2}";
    other.apply(&format!("{:04x},{body}", checksum(body))).expect("three cells");
    assert!(other.floating().next().is_none(), "a string without any that float tiles all");
}

#[test]
fn a_string_that_has_floating_panes_apart_from_the_tree_is_read() {
    let body = "80x24,0,0,0<18x4,9,4,1>";
    let layout = Layout::restore(&format!("{:04x},{body}", checksum(body)), &[PaneId(0), PaneId(1)]).expect("read");
    layout.check();
    assert!(layout.is_floating(PaneId(1)));
    assert_eq!(layout.rect(PaneId(0)), Some(place(0, 0, 80, 24)));
}

#[test]
fn a_pane_floats_and_is_tiled_where_it_was() {
    let mut layout = Layout::new(extent("80x24"), PaneId(0));
    layout.split(PaneId(0), PaneId(1), Split::half(Axis::LeftRight)).expect("room");
    layout.split(PaneId(1), PaneId(2), Split::half(Axis::TopBottom)).expect("room");
    let before = layout.dump();
    assert!(layout.float(PaneId(0), place(5, 5, 20, 6)));
    layout.check();
    assert_eq!(layout.rect(PaneId(1)).map(|rect| (rect.x, rect.width)), Some((0, 80)));
    assert!(!layout.float(PaneId(0), place(5, 5, 20, 6)), "it floats already");
    layout.tile(PaneId(0)).expect("room");
    layout.check();
    assert_eq!(layout.rect(PaneId(0)).map(|rect| (rect.x, rect.y, rect.height)), Some((0, 0, 12)), "{before}");
    for pane in 0..3 {
        layout.float(PaneId(pane), place(1, 1, 5, 5));
        layout.check();
    }
    assert_eq!(layout.tile(PaneId(9)), Err(NoSpace));
    layout.tile(PaneId(1)).expect("nothing else is tiled");
    assert_eq!(layout.rect(PaneId(1)), Some(place(0, 0, 80, 24)));
    layout.resize(extent("60x20"));
    layout.check();
    assert!(layout.close(PaneId(1)) && layout.close(PaneId(0)) && layout.close(PaneId(2)) && layout.is_empty());
}

#[test]
fn floating_panes_change_their_depth() {
    let mut layout = Layout::new(extent("80x24"), PaneId(9));
    for pane in 0..3 {
        layout.add_floating(PaneId(pane), place(1, 1, 5, 5), None);
    }
    let mut go = |pane, depth| {
        layout.set_depth(PaneId(pane), depth);
        layout.floating().map(|pane| pane.0).collect::<Vec<_>>()
    };
    assert_eq!(go(2, Depth::Back), [1, 0, 2]);
    assert_eq!(go(0, Depth::Front), [0, 1, 2]);
    assert_eq!(go(2, Depth::At(1)), [0, 2, 1]);
    assert_eq!(go(0, Depth::Backward(false)), [2, 0, 1]);
    assert_eq!(go(1, Depth::Forward(false)), [2, 1, 0]);
    assert_eq!(go(2, Depth::Forward(false)), [2, 1, 0]);
    assert_eq!(go(2, Depth::Forward(true)), [1, 0, 2]);
    assert_eq!(go(2, Depth::Backward(true)), [2, 1, 0]);
    assert!(!layout.set_depth(PaneId(9), Depth::Front), "it is tiled");
}

#[test]
fn a_floating_pane_is_not_split_and_changes_places_with_a_tiled_one() {
    let mut layout = Layout::new(extent("80x24"), PaneId(0));
    layout.add_floating(PaneId(1), place(5, 5, 20, 6), None);
    assert!(layout.split(PaneId(1), PaneId(3), Split::half(Axis::LeftRight)).is_err());
    layout.split(PaneId(0), PaneId(2), Split::half(Axis::LeftRight)).expect("room");
    assert!(layout.swap(PaneId(0), PaneId(1)));
    layout.check();
    assert!(layout.is_floating(PaneId(0)) && !layout.is_floating(PaneId(1)));
    layout.rotate_up();
    layout.check();
    layout.select_preset(Preset::Tiled, &PresetOptions::default());
    layout.check();
}
