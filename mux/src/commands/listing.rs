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
}

/// The order that -O asks for.
pub(crate) fn order(context: &Context<'_>) -> Result<Order, CommandError> {
    match context.get('O').as_deref() {
        None | Some("index" | "order") => Ok(Order::Index),
        Some("name") => Ok(Order::Name),
        Some("activity") => Ok(Order::Activity),
        Some("creation") => Ok(Order::Creation),
        Some("size") => Ok(Order::Size),
        Some(_) => Err("invalid sort order".into()),
    }
}

pub(crate) fn compare_sessions(order: Order, a: &Session, b: &Session) -> Ordering {
    let by = match order {
        Order::Activity => b.activity.cmp(&a.activity),
        Order::Creation => a.created.cmp(&b.created),
        Order::Size => a.windows.len().cmp(&b.windows.len()),
        Order::Index if false => a.id.cmp(&b.id),
        Order::Index | Order::Name => Ordering::Equal,
    };
    by.then_with(|| a.name.cmp(&b.name))
}

pub(crate) fn compare_windows(mux: &Mux, order: Order, a: &Found, b: &Found) -> Ordering {
    let window = |found: &Found| found.window.and_then(|id| mux.windows.get(&id));
    let (Some(x), Some(y)) = (window(a), window(b)) else { return Ordering::Equal };
    match order {
        Order::Index => Ordering::Equal,
        Order::Name => x.name.cmp(&y.name),
        Order::Activity => y.activity.cmp(&x.activity),
        Order::Creation => x.created.cmp(&y.created),
        Order::Size => {
            let area = |window: &crate::Window| u64::from(window.size().width) * u64::from(window.size().height);
            area(x).cmp(&area(y))
        }
    }
}

pub(crate) fn compare_panes(mux: &Mux, order: Order, a: &Found, b: &Found) -> Ordering {
    let pane = |found: &Found| found.pane.and_then(|id| mux.panes.get(&id));
    let (Some(x), Some(y)) = (pane(a), pane(b)) else { return Ordering::Equal };
    match order {
        Order::Index => Ordering::Equal,
        Order::Name => x.title.cmp(&y.title),
        Order::Activity => y.used.cmp(&x.used),
        Order::Creation => x.id.cmp(&y.id),
        Order::Size => {
            let area = |pane: &crate::Pane| u32::from(pane.terminal.size().cols) * u32::from(pane.terminal.size().rows);
            area(x).cmp(&area(y))
        }
    }
}

/// The windows of a session by index, each with its active pane.
pub(crate) fn windows(mux: &Mux, session: &Session) -> Vec<Found> {
    let found = |(index, link): (&i32, &Winlink)| Found {
        session: Some(session.id),
        index: Some(*index),
        window: Some(link.window),
        pane: mux.windows.get(&link.window).map(|window| window.active),
    };
    session.windows.iter().map(found).collect()
}

/// The panes of a window in order.
pub(crate) fn panes(mux: &Mux, found: Found) -> Vec<Found> {
    let window = found.window.and_then(|id| mux.windows.get(&id));
    let panes = window.map_or(&[][..], |window| window.panes());
    panes.iter().map(|pane| Found { pane: Some(*pane), ..found }).collect()
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
