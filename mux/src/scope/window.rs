//! Variables of a window and of its place in a session.

use super::{At, Variable, flag, number, text};
use crate::{Session, Window, Winlink};
use std::borrow::Cow;
use std::collections::BTreeSet;

fn window<'a>(at: &At<'a>) -> Option<&'a Window> {
    at.window()
}

fn link<'a>(at: &At<'a>) -> Option<(&'a Session, i32, &'a Winlink)> {
    let session = at.session()?;
    let index = at.found.index?;
    session.windows.get(&index).map(|link| (session, index, link))
}

fn linked_names(at: &At<'_>, test: impl Fn(&Session) -> bool) -> Option<Vec<String>> {
    let window = window(at)?.id;
    Some(at.mux.sessions_with(window).filter(|session| test(session)).map(|session| session.name.clone()).collect())
}

fn showing(at: &At<'_>) -> Option<Vec<String>> {
    let window = window(at)?.id;
    let shows = |client: &&crate::Client| {
        let session = client.session.and_then(|id| at.mux.sessions.get(&id));
        session.and_then(Session::current_window) == Some(window)
    };
    Some(at.mux.clients.values().filter(shows).map(|client| client.name.clone()).collect())
}

fn joined<'a>(names: Vec<String>) -> Option<Cow<'a, str>> {
    Some(names.join(",").into())
}

/// Columns and rows of the client that a window has to fit, without the status line.
fn room(at: &At<'_>) -> Option<(u32, u32)> {
    let client = at.client()?;
    let (cols, rows) = client.size?;
    Some((u32::from(cols), u32::from(rows).saturating_sub(at.mux.client_status_lines(client))))
}

fn bigger(at: &At<'_>) -> Option<bool> {
    let size = window(at)?.size();
    at.client()?;
    let Some((cols, rows)) = room(at) else { return Some(false) };
    Some(size.width > cols || size.height > rows)
}

pub(super) const VARIABLES: &[Variable] = &[
    Variable {
        name: "window_active",
        about: "Whether it is the current window",
        get: |at| link(at).and_then(|(session, index, _)| flag(session.current == index)),
    },
    Variable {
        name: "window_active_clients",
        about: "Number of clients that show it",
        get: |at| number(showing(at)?.len()),
    },
    Variable {
        name: "window_active_clients_list",
        about: "Names of clients that show it",
        get: |at| joined(showing(at)?),
    },
    Variable {
        name: "window_active_sessions",
        about: "Number of sessions in which it is current",
        get: |at| {
            let id = window(at)?.id;
            number(linked_names(at, |session| session.current_window() == Some(id))?.len())
        },
    },
    Variable {
        name: "window_active_sessions_list",
        about: "Names of sessions in which it is current",
        get: |at| {
            let id = window(at)?.id;
            joined(linked_names(at, |session| session.current_window() == Some(id))?)
        },
    },
    Variable {
        name: "window_activity",
        about: "When something in it last wrote",
        get: |at| window(at).and_then(|window| number(window.activity.as_secs())),
    },
    Variable {
        name: "window_activity_flag",
        about: "Whether it alerts of activity",
        get: |at| link(at).and_then(|(.., link)| flag(link.activity)),
    },
    Variable {
        name: "window_bell_flag",
        about: "Whether it alerts of a bell",
        get: |at| link(at).and_then(|(.., link)| flag(link.bell)),
    },
    Variable {
        name: "window_bigger",
        about: "Whether it is larger than the client",
        get: |at| bigger(at).and_then(flag),
    },
    Variable {
        name: "window_cell_height",
        about: "Height of a cell in pixels",
        get: |at| window(at).and_then(|_| number(32)),
    },
    Variable {
        name: "window_cell_width",
        about: "Width of a cell in pixels",
        get: |at| window(at).and_then(|_| number(16)),
    },
    Variable {
        name: "window_end_flag",
        about: "Whether it has the greatest index",
        get: |at| link(at).and_then(|(session, index, _)| flag(session.windows.keys().next_back() == Some(&index))),
    },
    Variable {
        name: "window_flags",
        about: "Its flags, with # doubled",
        get: |at| link(at).map(|(session, index, _)| at.mux.window_flags(session, index, true).into()),
    },
    Variable { name: "window_format", about: "Whether the format is for a window", get: |_| flag(false) },
    Variable {
        name: "window_height",
        about: "Its height",
        get: |at| window(at).and_then(|window| number(window.size().height)),
    },
    Variable { name: "window_id", about: "Its id", get: |at| window(at).and_then(|window| number(window.id)) },
    Variable { name: "window_index", about: "Its index", get: |at| at.found.index.and_then(number) },
    Variable {
        name: "window_last_flag",
        about: "Whether it was current before",
        get: |at| link(at).and_then(|(session, index, _)| flag(session.last_index() == Some(index))),
    },
    Variable {
        name: "window_layout",
        about: "Its layout, not looking at a zoom",
        get: |at| window(at).map(|window| window.layout.dump().into()),
    },
    Variable {
        name: "window_linked",
        about: "Whether it is linked in several places",
        get: |at| flag(at.mux.links(window(at)?.id).len() > 1),
    },
    Variable {
        name: "window_linked_sessions",
        about: "Number of sessions that have it",
        get: |at| {
            let grouped = |session: &&Session| session.group.is_some();
            let (grouped, single): (Vec<&Session>, Vec<&Session>) =
                at.mux.sessions_with(window(at)?.id).partition(grouped);
            // A group counts as one.
            let groups: BTreeSet<&Option<String>> = grouped.into_iter().map(|session| &session.group).collect();
            number(groups.len() + single.len())
        },
    },
    Variable {
        name: "window_linked_sessions_list",
        about: "Names of sessions that have it",
        get: |at| joined(linked_names(at, |_| true)?),
    },
    Variable {
        name: "window_marked_flag",
        about: "Whether it has the marked pane",
        get: |at| {
            let marked = at.mux.marked.and_then(|pane| at.mux.panes.get(&pane)).map(|pane| pane.window);
            window(at).and_then(|window| flag(marked == Some(window.id)))
        },
    },
    Variable {
        name: "window_modal_pane",
        about: "The pane that has all keys and clicks",
        get: |at| number(window(at)?.modal?),
    },
    Variable { name: "window_name", about: "Its name", get: |at| window(at).and_then(|window| text(&window.name)) },
    Variable {
        name: "window_offset_x",
        about: "Columns left of what the client shows",
        get: |at| bigger(at).filter(|bigger| *bigger).and_then(|_| number(at.client()?.view.0)),
    },
    Variable {
        name: "window_offset_y",
        about: "Rows above what the client shows",
        get: |at| bigger(at).filter(|bigger| *bigger).and_then(|_| number(at.client()?.view.1)),
    },
    Variable {
        name: "window_panes",
        about: "Number of panes",
        get: |at| window(at).and_then(|window| number(window.panes().len())),
    },
    Variable {
        name: "window_raw_flags",
        about: "Its flags",
        get: |at| link(at).map(|(session, index, _)| at.mux.window_flags(session, index, false).into()),
    },
    Variable {
        name: "window_silence_flag",
        about: "Whether it alerts of silence",
        get: |at| link(at).and_then(|(.., link)| flag(link.silence)),
    },
    Variable {
        name: "window_stack_index",
        about: "Its place in the order of use",
        get: |at| {
            let (session, index, _) = link(at)?;
            let place = session.last.iter().rev().position(|other| *other == index).map_or(0, |at| at + 1);
            number(place)
        },
    },
    Variable {
        name: "window_start_flag",
        about: "Whether it has the least index",
        get: |at| link(at).and_then(|(session, index, _)| flag(session.windows.keys().next() == Some(&index))),
    },
    Variable {
        name: "window_visible_layout",
        about: "Its layout as it is shown",
        get: |at| window(at).map(|window| window.shown().dump().into()),
    },
    Variable {
        name: "window_width",
        about: "Its width",
        get: |at| window(at).and_then(|window| number(window.size().width)),
    },
    Variable {
        name: "window_zoomed_flag",
        about: "Whether a pane is zoomed",
        get: |at| window(at).and_then(|window| flag(window.zoomed())),
    },
];
