//! choose-tree, choose-client, choose-buffer and customize-mode: choose something from a list in a pane.

use super::*;
use crate::command::{Arguments, Kind as Takes};
use crate::mode::list::{self, Item, Opening};
use crate::target::Kind;

fn takes(_: &Arguments, _: usize) -> Takes {
    Takes::CommandsOrText
}

pub(crate) static TREE: Row = Row::new(
    Signature {
        name: "choose-tree",
        alias: None,
        template: Template { flags: "F:f:GhK:kNO:rst:wyZ", least: 0, most: Some(1), kind: Some(takes) },
        usage: "[-GNrswZ] [-F format] [-f filter] [-K key-format] [-O sort-order] [-t target-pane] [template]",
    },
    "Choose a session, window or pane from a tree",
    tree,
)
.target(Spec::of('t', Kind::Pane));

pub(crate) static CLIENT: Row = Row::new(
    Signature {
        name: "choose-client",
        alias: None,
        template: Template { flags: "F:f:K:kNO:rt:yZ", least: 0, most: Some(1), kind: Some(takes) },
        usage: "[-NrZ] [-F format] [-f filter] [-K key-format] [-O sort-order] [-t target-pane] [template]",
    },
    "Choose a client from a list",
    |mux, context| {
        let any = mux.clients.values().any(|client| client.session.is_some());
        if any { open(mux, context, Opening::of_flags(&list::CLIENTS, context)?) } else { DONE }
    },
)
.target(Spec::of('t', Kind::Pane));

pub(crate) static BUFFER: Row = Row::new(
    Signature {
        name: "choose-buffer",
        alias: None,
        template: Template { flags: "F:f:K:kNO:rt:yZ", least: 0, most: Some(1), kind: Some(takes) },
        usage: "[-NrZ] [-F format] [-f filter] [-K key-format] [-O sort-order] [-t target-pane] [template]",
    },
    "Choose a paste buffer from a list",
    |mux, context| {
        let opening = Opening::of_flags(&list::BUFFERS, context)?;
        if mux.buffers.iter().next().is_some() { open(mux, context, opening) } else { DONE }
    },
)
.target(Spec::of('t', Kind::Pane));

pub(crate) static CUSTOMIZE: Row = Row::new(
    Signature {
        name: "customize-mode",
        alias: None,
        template: Template::text("F:f:kNt:yZ", 0, Some(0)),
        usage: "[-NZ] [-F format] [-f filter] [-t target-pane]",
    },
    "Look at options and key bindings, and change them",
    |mux, context| {
        let opening = Opening::of_flags(&list::CUSTOMIZE, context)?;
        open(mux, context, opening)
    },
)
.target(Spec::of('t', Kind::Pane));

fn tree(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let opening = Opening::of_flags(&list::TREE, context)?;
    let opening = Opening {
        begins_at: begins_at(mux, context),
        squashes: !context.has('G'),
        hides_own: context.has('h'),
        ..opening
    };
    open(mux, context, opening)
}

/// The row to begin at, and how deep the tree is open.
pub(super) fn begins_at(mux: &Mux, context: &Context<'_>) -> Option<(Item, usize)> {
    let found = context.target;
    let (session, index, pane) = (found.session?, found.index?, found.pane?);
    Some(if context.has('s') {
        (Item::Session(session), 0)
    } else if context.has('w') {
        (Item::Window(session, index), 1)
    } else if mux.windows.get(&found.window?)?.panes().len() == 1 {
        (Item::Window(session, index), 2)
    } else {
        (Item::Pane(session, index, pane), 2)
    })
}

pub(super) fn open(mux: &mut Mux, context: &mut Context<'_>, opening: Opening) -> Outcome {
    if let Some(pane) = context.target.pane {
        let place = context.target;
        let before = mux.panes.get(&pane).map_or(0, |pane| pane.modes.len());
        mux.open_list(context, pane, place, opening);
        if context.has('k') {
            mux.close_with_mode(pane, before);
        }
    }
    DONE
}
