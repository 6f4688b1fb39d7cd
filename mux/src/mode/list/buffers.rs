//! Paste buffers.

use super::source::{At, Making};
use super::{Align, Draft, Item, Order, search};
use crate::Mux;
use crate::buffer::Buffer;
use crate::queue::Context;
use std::cmp::Ordering;

pub(super) fn make(making: &Making<'_>) -> Vec<Draft> {
    let sorting = making.list.settings.sorting;
    // The newest ones come first.
    let mut buffers: Vec<(usize, &Buffer)> = making.mux.buffers.iter().enumerate().collect();
    sorting.sort(&mut buffers, |a, b| {
        let by = match sorting.order {
            Order::Creation => a.0.cmp(&b.0),
            Order::Size => a.1.data.len().cmp(&b.1.data.len()),
            _ => Ordering::Equal,
        };
        by.then_with(|| a.1.name.cmp(&b.1.name))
    });
    let place = making.list.place;
    let draft = |(_, buffer): (usize, &Buffer)| {
        let values = buffer.values();
        making.passes(None, place, &values).then(|| Draft {
            item: Item::Buffer(buffer.name.clone()),
            depth: 0,
            name: buffer.name.clone(),
            text: Some(making.text(None, place, &values)),
            expanded: true,
            align: Align::None,
            values,
            place,
        })
    };
    buffers.into_iter().filter_map(draft).collect()
}

pub(super) fn target(mux: &Mux, item: &Item) -> Option<String> {
    match item {
        Item::Buffer(name) => mux.buffers.get(name).map(|buffer| buffer.name.clone()),
        _ => None,
    }
}

pub(super) fn matches(making: &Making<'_>, item: &Item, name: &str, text: &str, ignore_case: bool) -> bool {
    let Item::Buffer(buffer) = item else { return false };
    let data = making.mux.buffers.get(buffer).map_or(&[][..], |buffer| &buffer.data);
    search::holds(name, text, ignore_case) || search::holds(&String::from_utf8_lossy(data), text, ignore_case)
}

pub(super) fn key(mux: &mut Mux, context: &mut Context<'_>, at: At, key: &str) -> bool {
    let (current, tagged) = match mux.list(at.pane) {
        Some(list) => (list.current_item().cloned(), list.tagged()),
        None => return true,
    };
    match key {
        "d" => delete(mux, context, at, &current.into_iter().collect::<Vec<_>>()),
        "D" => delete(mux, context, at, &tagged),
        "e" => {
            if let (Some(client), Some(Item::Buffer(name))) = (at.client, current) {
                mux.edit_buffer(context.world, client, &name, at.pane);
            }
        }
        "p" => {
            mux.choose_in_list(context, at);
            return true;
        }
        "P" => {
            for item in tagged {
                mux.run_template(context, at, &item);
            }
            return true;
        }
        _ => {}
    }
    mux.buffers.iter().next().is_none()
}

/// Delete buffers; the row that stays current is one that is still there.
fn delete(mux: &mut Mux, context: &mut Context<'_>, at: At, items: &[Item]) {
    for item in items {
        if let Some(list) = mux.list_mut(at.pane)
            && list.current_item() == Some(item)
            && !list.down(false)
        {
            list.up(false);
        }
        if let Item::Buffer(name) = item
            && mux.buffers.remove(name).is_ok()
        {
            mux.event(crate::Event::BufferDeleted(name.clone()));
            mux.changed();
        }
    }
    mux.make_list(context.now, context.world, at.pane);
}
