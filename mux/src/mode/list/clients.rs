//! Clients that show a session.

use super::source::{At, Making};
use super::{Align, Draft, Item, Order};
use crate::queue::Context;
use crate::target;
use crate::{Client, Mux};
use std::cmp::Ordering;

pub(super) fn make(making: &Making<'_>) -> Vec<Draft> {
    let sorting = making.list.settings.sorting;
    let shown = |client: &&Client| client.session.is_some() && !client.leaving && !client.suspended;
    let mut clients: Vec<&Client> = making.mux.clients.values().filter(shown).collect();
    sorting.sort(&mut clients, |a, b| {
        let by = match sorting.order {
            Order::Size => a.size.cmp(&b.size),
            Order::Creation => a.created.cmp(&b.created),
            Order::Activity => b.activity.cmp(&a.activity),
            _ => Ordering::Equal,
        };
        by.then_with(|| a.name.cmp(&b.name))
    });
    let draft = |client: &Client| {
        let place = client.session.and_then(|session| target::current_of(making.mux, session)).unwrap_or_default();
        let values = Vec::new();
        making.passes(Some(client.id), place, &values).then(|| Draft {
            item: Item::Client(client.id),
            depth: 0,
            name: client.name.clone(),
            text: Some(making.text(Some(client.id), place, &values)),
            expanded: true,
            align: Align::None,
            values,
            place,
        })
    };
    clients.into_iter().filter_map(draft).collect()
}

pub(super) fn target(mux: &Mux, item: &Item) -> Option<String> {
    match item {
        Item::Client(client) => mux.clients.get(client).map(|client| client.name.clone()),
        _ => None,
    }
}

pub(super) fn key(mux: &mut Mux, context: &mut Context<'_>, at: At, key: &str) -> bool {
    let Some(list) = mux.list(at.pane) else { return true };
    let items = match key {
        "d" | "x" | "z" => list.current_item().cloned().into_iter().collect(),
        "D" | "X" | "Z" => list.tagged(),
        _ => return false,
    };
    for item in items {
        if let Some(list) = mux.list_mut(at.pane).filter(|list| list.current_item() == Some(&item)) {
            list.down(false);
        }
        let Some(name) = target(mux, &item) else { continue };
        let words: &[&str] = match key {
            "d" | "D" => &["detach-client", "-t", &name],
            "x" | "X" => &["detach-client", "-P", "-t", &name],
            _ => &["suspend-client", "-t", &name],
        };
        mux.run_for_list(context, at, words);
    }
    false
}
