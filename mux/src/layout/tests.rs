use std::collections::HashMap;

use proptest::prelude::*;

use super::*;
use crate::number::percentage;

fn pane(text: &str) -> PaneId {
    text.parse().expect("a pane id")
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
        Self { layout, options, recency: HashMap::new() }
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
        let target = line.get(1).and_then(|text| text.parse().ok()).unwrap_or(PaneId(0));
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
            "next" => self.preset(|layout, options| drop(layout.next_preset(options))),
            "prev" => self.preset(|layout, options| drop(layout.previous_preset(options))),
            "spread" => self.layout.spread_out(target),
            "window" => self.layout.resize(extent(line[1])),
            "swap" => drop(self.layout.swap(target, pane(line[2]))),
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
        replay.layout.check();
        let size = replay.layout.size();
        let now = format!("{} {}x{}", replay.layout.dump(), size.width, size.height);
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
