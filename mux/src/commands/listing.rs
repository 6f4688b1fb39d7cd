//! What the list commands share: sort orders, filters, and a line a thing.

use super::*;
use crate::target::Found;
use std::cmp::Ordering;

/// By what a list is sorted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Order {
    Index,
    Name,
    Activity,
    Creation,
    Size,
    /// By keys' modifiers.
    Modifier,
    /// As it comes.
    Given,
}

/// How -O and -r ask for a list to be sorted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Sorting {
    order: Option<Order>,
    reversed: bool,
}

impl Sorting {
    /// Sort things; those that are equal by what is asked for stand by `name`. Without -O, -r changes nothing either.
    pub(crate) fn sort<T>(self, things: &mut [T], by: impl Fn(Order, &T, &T) -> Ordering, name: impl Fn(&T) -> String) {
        let Some(order) = self.order else { return };
        let turned = |ordering: Ordering| if self.reversed { ordering.reverse() } else { ordering };
        match order {
            Order::Given if self.reversed => things.reverse(),
            Order::Given => {}
            order => things.sort_by(|a, b| turned(by(order, a, b).then_with(|| name(a).cmp(&name(b))))),
        }
    }
}

/// What -O and -r ask for.
pub(crate) fn sorting(context: &Context<'_>) -> Result<Sorting, CommandError> {
    let order = match context.get('O').map(|order| order.to_ascii_lowercase()).as_deref() {
        None => None,
        Some("index" | "key") => Some(Order::Index),
        Some("name" | "title") => Some(Order::Name),
        Some("activity") => Some(Order::Activity),
        Some("creation") => Some(Order::Creation),
        Some("size") => Some(Order::Size),
        Some("modifier") => Some(Order::Modifier),
        Some("order" | "z") => Some(Order::Given),
        Some(_) => return Err("invalid sort order".into()),
    };
    Ok(Sorting { order, reversed: context.has('r') })
}

pub(crate) fn compare_sessions(order: Order, a: &Session, b: &Session) -> Ordering {
    match order {
        Order::Index => a.id.cmp(&b.id),
        Order::Activity => b.activity.cmp(&a.activity),
        Order::Creation => a.created.cmp(&b.created),
        _ => Ordering::Equal,
    }
}

fn window_of<'a>(mux: &'a Mux, found: &Found) -> Option<&'a crate::Window> {
    mux.windows.get(&found.window?)
}

fn pane_of<'a>(mux: &'a Mux, found: &Found) -> Option<&'a crate::Pane> {
    mux.panes.get(&found.pane?)
}

/// Sort places by their windows.
pub(crate) fn sort_windows(mux: &Mux, sorting: Sorting, places: &mut [Found]) {
    let area = |window: &crate::Window| u64::from(window.size().width) * u64::from(window.size().height);
    let compare = |order: Order, a: &Found, b: &Found| {
        let (Some(x), Some(y)) = (window_of(mux, a), window_of(mux, b)) else { return Ordering::Equal };
        match order {
            Order::Index => a.index.cmp(&b.index),
            Order::Activity => y.activity.cmp(&x.activity),
            Order::Creation => x.created.cmp(&y.created),
            Order::Size => area(x).cmp(&area(y)),
            _ => Ordering::Equal,
        }
    };
    sorting.sort(places, compare, |found| window_of(mux, found).map_or(String::new(), |window| window.name.clone()));
}

/// Sort places by their panes.
pub(crate) fn sort_panes(mux: &Mux, sorting: Sorting, places: &mut [Found]) {
    let area = |pane: &crate::Pane| u32::from(pane.terminal.size().cols) * u32::from(pane.terminal.size().rows);
    let at = |found: &Found, pane: PaneId| {
        window_of(mux, found).and_then(|window| window.panes().iter().position(|other| *other == pane))
    };
    let compare = |order: Order, a: &Found, b: &Found| {
        let (Some(x), Some(y)) = (pane_of(mux, a), pane_of(mux, b)) else { return Ordering::Equal };
        match order {
            Order::Index => at(a, x.id).cmp(&at(b, y.id)),
            Order::Activity => x.used.cmp(&y.used),
            Order::Creation => x.id.cmp(&y.id),
            Order::Size => area(x).cmp(&area(y)),
            _ => Ordering::Equal,
        }
    };
    sorting.sort(places, compare, |found| pane_of(mux, found).map_or(String::new(), |pane| pane.title.clone()));
}

/// The windows of a session by index, each with its active pane.
pub(crate) fn windows(mux: &Mux, session: &Session) -> Vec<Found> {
    let found = |(index, link): (&i32, &Winlink)| Found {
        session: Some(session.id),
        index: Some(*index),
        window: Some(link.window),
        pane: mux.windows.get(&link.window).map(|window| window.active),
        ..Found::default()
    };
    session.windows.iter().map(found).collect()
}

/// The panes of a window in order.
pub(crate) fn panes(mux: &Mux, found: Found) -> Vec<Found> {
    let window = found.window.and_then(|id| mux.windows.get(&id));
    let panes = window.map_or(&[][..], |window| window.panes());
    panes.iter().map(|pane| Found { pane: Some(*pane), ..found }).collect()
}

/// Refuses a filter for one of those that are named one by one.
pub(crate) fn filter_only_with_all(context: &Context<'_>, all: bool) -> Result<(), CommandError> {
    if context.has('f') && !all { Err("-f only valid with -a".into()) } else { Ok(()) }
}

/// Whether the filter of -f lets a place through; without one all are.
pub(crate) fn passes(mux: &Mux, context: &Context<'_>, found: Found) -> bool {
    context.get('f').is_none_or(|filter| {
        crate::format::is_true(&mux.expand_at(context.client, found, &filter, &[], context.world, context.now))
    })
}

/// Print a line for each place that the filter lets through.
pub(crate) fn print(mux: &mut Mux, context: &mut Context<'_>, format: &str, places: &[Found]) -> Outcome {
    let places: Vec<_> = places.iter().map(|found| (None, *found)).collect();
    print_for_clients(mux, context, format, &places)
}

/// The same, each line with a client of its own.
pub(crate) fn print_for_clients(
    mux: &mut Mux,
    context: &mut Context<'_>,
    format: &str,
    places: &[(Option<ClientId>, Found)],
) -> Outcome {
    let format = context.get('F').unwrap_or_else(|| format.to_owned());
    let filter = context.get('f');
    let total = places.len();
    for (line, (client, found)) in places.iter().enumerate() {
        let extra = [("line".to_owned(), line.to_string()), ("lines".to_owned(), total.to_string())];
        let client = client.or(context.client);
        if let Some(filter) = &filter
            && !crate::format::is_true(&mux.expand_at(client, *found, filter, &extra, context.world, context.now))
        {
            continue;
        }
        let text = mux.expand_at(client, *found, &format, &extra, context.world, context.now);
        mux.print(context, &text);
    }
    DONE
}
