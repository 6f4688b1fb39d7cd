//! Sessions with their windows and panes.

use super::source::{At, Making};
use super::{Align, Ask, Draft, Item, List, Order, Sorting, search};
use crate::queue::Context;
use crate::target::{self, Found};
use crate::{Mux, Pane, PaneId, Session, SessionId, Window};
use std::cmp::Ordering;

pub(super) const FORMAT: &str = concat!(
    "#{?pane_format,",
    "#{?pane_marked,#[reverse],}#{?pane_floating_flag,#[italics],}",
    "#{pane_current_command}#{pane_flags}",
    "#{?#{&&:#{pane_title},#{!=:#{pane_title},#{host_short}}},: \"#{pane_title}\",}",
    ",window_format,",
    "#{?window_marked_flag,#[reverse],}",
    "#{window_name}#{window_flags}",
    "#{?#{&&:#{==:#{window_panes},1},#{&&:#{pane_title},#{!=:#{pane_title},#{host_short}}}},: \"#{pane_title}\",}",
    ",",
    "#{session_windows} windows",
    "#{?session_grouped, (group #{session_group}: #{session_group_list}),}",
    "#{?session_attached, (attached),}",
    "}"
);

/// What a format is told that it is for.
fn kind(name: &str) -> Vec<(String, String)> {
    ["session_format", "window_format", "pane_format"]
        .map(|other| (other.to_owned(), u8::from(other == name).to_string()))
        .to_vec()
}

/// Sessions in order.
pub(super) fn make(making: &Making<'_>) -> Vec<Draft> {
    let sorting = making.list.settings.sorting;
    let mut sessions: Vec<&Session> = making.mux.sessions.values().collect();
    sorting.sort(&mut sessions, |a, b| {
        let by = match sorting.order {
            Order::Index => a.id.cmp(&b.id),
            Order::Creation => a.created.cmp(&b.created),
            Order::Activity => b.activity.cmp(&a.activity),
            _ => Ordering::Equal,
        };
        by.then_with(|| a.name.cmp(&b.name))
    });
    let mut drafts = Vec::new();
    for session in sessions.into_iter().filter(|session| stands_for_its_group(making, session)) {
        make_session(making, session, sorting, &mut drafts);
    }
    drafts
}

/// Of a group's sessions the list's own one is shown, or the oldest.
fn stands_for_its_group(making: &Making<'_>, session: &Session) -> bool {
    let Some(group) = session.group.as_deref().filter(|_| making.list.settings.squashes) else { return true };
    let own = making.mux.group_members(group).find(|member| making.list.place.session == Some(member.id));
    let shown = own.or_else(|| making.mux.group_members(group).next());
    shown.is_none_or(|shown| shown.id == session.id)
}

fn make_session(making: &Making<'_>, session: &Session, sorting: Sorting, drafts: &mut Vec<Draft>) {
    let Some(place) = target::current_of(making.mux, session.id) else { return };
    let values = kind("session_format");
    let start = drafts.len();
    drafts.push(Draft {
        item: Item::Session(session.id),
        depth: 0,
        name: session.name.clone(),
        text: Some(making.text(None, place, &values)),
        expanded: making.list.opened > 0,
        align: Align::None,
        values,
        place,
    });
    let windows =
        session.windows.iter().filter_map(|(index, link)| Some((*index, making.mux.windows.get(&link.window)?)));
    let mut windows: Vec<(i32, &Window)> = windows.collect();
    sorting.sort(&mut windows, compare_windows(sorting.order));
    for (index, window) in windows {
        make_window(making, session, index, window, sorting, drafts);
    }
    if drafts.len() == start + 1 {
        drafts.pop();
    }
}

fn area(window: &Window) -> u64 {
    let size = window.size();
    u64::from(size.width) * u64::from(size.height)
}

fn compare_windows(order: Order) -> impl Fn(&(i32, &Window), &(i32, &Window)) -> Ordering {
    move |a, b| {
        let by = match order {
            Order::Index => a.0.cmp(&b.0),
            Order::Creation => b.1.created.cmp(&a.1.created),
            Order::Activity => b.1.activity.cmp(&a.1.activity),
            Order::Size => area(a.1).cmp(&area(b.1)),
            _ => Ordering::Equal,
        };
        by.then_with(|| a.1.name.cmp(&b.1.name))
    }
}

fn make_window(
    making: &Making<'_>,
    session: &Session,
    index: i32,
    window: &Window,
    sorting: Sorting,
    drafts: &mut Vec<Draft>,
) {
    let place = Found {
        session: Some(session.id),
        index: Some(index),
        window: Some(window.id),
        pane: Some(window.active),
        ..Found::default()
    };
    let of = |pane: &Pane| Found { pane: Some(pane.id), ..place };
    let panes: Vec<(usize, &Pane)> =
        window.panes().iter().filter_map(|id| making.mux.panes.get(id)).enumerate().collect();
    let values = kind("pane_format");
    let passes = |pane: &&Pane| making.passes(None, of(pane), &values);
    let mut panes: Vec<(usize, &Pane)> = panes.into_iter().filter(|(_, pane)| passes(pane)).collect();
    if panes.is_empty() {
        return;
    }
    let own = making.list.place.pane.filter(|_| making.list.settings.hides_own);
    panes.retain(|(_, pane)| own != Some(pane.id));
    sorting.sort(&mut panes, |a, b| {
        let cells = |pane: &Pane| u64::from(pane.terminal.size().cols) * u64::from(pane.terminal.size().rows);
        let by = match sorting.order {
            Order::Index | Order::Depth => a.0.cmp(&b.0),
            Order::Creation => a.1.id.cmp(&b.1.id),
            Order::Activity => a.1.used.cmp(&b.1.used),
            Order::Size => cells(a.1).cmp(&cells(b.1)),
            _ => Ordering::Equal,
        };
        by.then_with(|| a.1.title.cmp(&b.1.title))
    });
    let window_values = kind("window_format");
    drafts.push(Draft {
        item: Item::Window(session.id, index),
        depth: 1,
        name: index.to_string(),
        text: Some(making.text(None, place, &window_values)),
        expanded: making.list.opened > 1,
        align: Align::Right,
        values: window_values,
        place,
    });
    let base = making.mux.window_number(window, "pane-base-index");
    for (at, pane) in panes {
        drafts.push(Draft {
            item: Item::Pane(session.id, index, pane.id),
            depth: 2,
            name: (base + at as i64).to_string(),
            text: Some(making.text(None, of(pane), &values)),
            expanded: true,
            align: Align::Right,
            values: values.clone(),
            place: of(pane),
        });
    }
}

/// Where a row is: its session, window and pane; of a session the current ones.
pub(super) fn place(mux: &Mux, item: &Item) -> Option<Found> {
    match item {
        Item::Session(session) => target::current_of(mux, *session),
        Item::Window(session, index) | Item::Pane(session, index, _) => {
            let window = mux.sessions.get(session)?.windows.get(index)?.window;
            let entry = mux.windows.get(&window)?;
            let pane = match item {
                Item::Pane(.., pane) => *entry.panes().iter().find(|other| *other == pane)?,
                _ => entry.active,
            };
            Some(Found {
                session: Some(*session),
                index: Some(*index),
                window: Some(window),
                pane: Some(pane),
                ..Found::default()
            })
        }
        _ => None,
    }
}

pub(super) fn target(mux: &Mux, item: &Item) -> Option<String> {
    place(mux, item)?;
    let name = |session: &SessionId| mux.sessions.get(session).map(|session| session.name.clone());
    Some(match item {
        Item::Session(session) => format!("={}:", name(session)?),
        Item::Window(session, index) => format!("={}:{index}.", name(session)?),
        Item::Pane(session, index, pane) => format!("={}:{index}.{pane}", name(session)?),
        _ => return None,
    })
}

pub(super) fn matches(making: &Making<'_>, item: &Item, _: &str, text: &str, ignore_case: bool) -> bool {
    let holds = |name: &str| search::holds(name, text, ignore_case);
    let mux = making.mux;
    match item {
        Item::Session(session) => mux.sessions.get(session).is_some_and(|session| holds(&session.name)),
        Item::Window(..) => {
            let window = place(mux, item).and_then(|found| mux.windows.get(&found.window?));
            window.is_some_and(|window| holds(&window.name))
        }
        Item::Pane(.., pane) => making.world.foreground_command(*pane).is_some_and(|name| holds(&name)),
        _ => false,
    }
}

pub(super) fn key(mux: &mut Mux, context: &mut Context<'_>, at: At, key: &str) -> bool {
    let item = mux.list(at.pane).and_then(List::current_item).cloned();
    let chosen = item.as_ref().and_then(|item| target(mux, item));
    match key {
        "<" | ">" => {
            if let Some(list) = mux.list_mut(at.pane) {
                list.scroll_preview(if key == "<" { -1 } else { 1 });
            }
        }
        "H" => go_home(mux, context, at.pane),
        "m" => {
            if let Some(target) = chosen {
                mux.run_for_list(context, at, &["select-pane", "-m", "-t", &target]);
            }
        }
        "M" => mux.run_for_list(context, at, &["select-pane", "-M"]),
        "x" => {
            if let Some(question) = item.and_then(|item| kill_question(mux, &item)) {
                mux.ask_for_list(context, at, Ask::KillCurrent, question, String::new());
            }
        }
        "X" => {
            let tagged = mux.list(at.pane).map_or(0, |list| list.tagged().len());
            if tagged > 0 {
                mux.ask_for_list(context, at, Ask::KillTagged, format!("Kill {tagged} tagged? "), String::new());
            }
        }
        ":" => {
            let question = match mux.list(at.pane).map_or(0, |list| list.tagged().len()) {
                0 => "(current) ".to_owned(),
                tagged => format!("({tagged} tagged) "),
            };
            mux.ask_for_list(context, at, Ask::Command, question, String::new());
        }
        _ => {}
    }
    false
}

fn kill_question(mux: &Mux, item: &Item) -> Option<String> {
    let found = place(mux, item)?;
    Some(match item {
        Item::Session(session) => format!("Kill session {}? ", mux.sessions.get(session)?.name),
        Item::Window(_, index) => format!("Kill window {index}? "),
        _ => {
            let window = mux.windows.get(&found.window?)?;
            let at = window.panes().iter().position(|pane| Some(*pane) == found.pane)?;
            format!("Kill pane {}? ", mux.window_number(window, "pane-base-index") + at as i64)
        }
    })
}

/// The command that ends what a row stands for.
pub(super) fn kill(mux: &Mux, item: &Item) -> Option<[String; 3]> {
    let command = match item {
        Item::Session(_) => "kill-session",
        Item::Window(..) => "kill-window",
        _ => "kill-pane",
    };
    Some([command.to_owned(), "-t".to_owned(), target(mux, item)?])
}

/// To the pane that the list was opened from.
fn go_home(mux: &mut Mux, context: &mut Context<'_>, pane: PaneId) {
    let Some(Found { session: Some(session), index: Some(index), .. }) = mux.list(pane).map(|list| list.place) else {
        return;
    };
    let (window, own) = (Item::Window(session, index), Item::Pane(session, index, pane));
    if let Some(list) = mux.list_mut(pane) {
        list.set_expanded(&Item::Session(session), true);
        list.set_expanded(&window, true);
    }
    mux.make_list(context.now, context.world, pane);
    if let Some(list) = mux.list_mut(pane)
        && !list.set_current(&own)
    {
        list.set_current(&window);
    }
}

/// Two windows of a session change places, where that shows.
pub(super) fn swap(mux: &mut Mux, current: &Item, other: &Item, sorting: Sorting) -> bool {
    let (Item::Window(session, a), Item::Window(other, b)) = (current, other) else { return false };
    let Some(entry) = mux.sessions.get(session).filter(|_| session == other) else { return false };
    let link = |index: &i32| entry.windows.get(index).map(|link| link.window);
    let (Some(first), Some(second)) = (link(a), link(b)) else { return false };
    if let (Some(one), Some(two)) = (mux.windows.get(&first), mux.windows.get(&second))
        && sorting.order != Order::Index
        && compare_windows(sorting.order)(&(*a, one), &(*b, two)) != Ordering::Equal
    {
        return false;
    }
    let Some(entry) = mux.sessions.get_mut(session) else { return false };
    for (index, window) in [(a, second), (b, first)] {
        if let Some(link) = entry.windows.get_mut(index) {
            link.window = window;
        }
    }
    let follows = [(*a, *b), (*b, *a)].into_iter().find(|(from, _)| entry.current == *from);
    if let Some((_, to)) = follows {
        mux.select_window(*session, to);
    }
    mux.recalculate_sizes();
    mux.changed();
    true
}
