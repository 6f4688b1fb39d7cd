//! copy-mode and clock-mode: scroll, search and copy what a pane holds, or show the time in its place.

use super::*;
use crate::mode::Entry;
use crate::target::Kind;

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "copy-mode",
        alias: None,
        template: Template::text("dekHMqSs:t:u", 0, Some(0)),
        usage: "[-deHMqSu] [-s src-pane] [-t target-pane]",
    },
    "Enter copy mode",
    run,
)
.source(Spec::of('s', Kind::Pane))
.target(Spec::of('t', Kind::Pane))
.after_hook()
.read_only();

pub(crate) static CLOCK: Row = Row::new(
    Signature {
        name: "clock-mode",
        alias: None,
        template: Template::text("t:", 0, Some(0)),
        usage: "[-t target-pane]",
    },
    "Show a clock",
    |mux, context| {
        if let Some(pane) = context.target.pane {
            mux.enter_clock_mode(context.now, context.world, pane);
        }
        DONE
    },
)
.target(Spec::of('t', Kind::Pane))
.after_hook();

fn run(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let Some(mut id) = context.target.pane else { return DONE };
    if context.has('q') {
        leave_all(mux, id);
        return DONE;
    }
    let by_mouse = context.state.key.is_some_and(keymap::Key::is_mouse);
    if context.has('M') {
        // Only the pane under the mouse of a client that shows it.
        let Some(place) = context.state.mouse else { return DONE };
        let session = context.client.and_then(|client| mux.clients.get(&client)?.session);
        let Some(pane) = place.pane.filter(|_| place.session.is_some() && place.session == session) else {
            return DONE;
        };
        id = pane;
    }
    let entry = Entry {
        source: if context.has('s') { context.source.pane } else { None },
        scroll_exit: context.has('e'),
        hides_position: context.has('H'),
        by_mouse,
    };
    let was_in_it =
        mux.panes.get(&id).and_then(|pane| pane.modes.last()).is_some_and(|mode| mode.is(crate::mode::Kind::Copy));
    let before = mux.panes.get(&id).map_or(0, |pane| pane.modes.len());
    mux.enter_copy_mode(id, context.target.session, entry);
    if context.has('k') {
        mux.close_with_mode(id, before);
    }
    if context.has('M') && !was_in_it && context.state.mouse_event.is_some() {
        mux.mode_command(context, id, &["begin-selection".to_owned()], 1)?;
    }
    if context.has('u') {
        mux.mode_command(context, id, &["page-up".to_owned()], 1)?;
    }
    if context.has('d') {
        let name = if context.has('e') { "page-down-and-cancel" } else { "page-down" };
        mux.mode_command(context, id, &[name.to_owned()], 1)?;
    }
    if context.has('S') {
        let leaves = context.has('e').then(|| "-e".to_owned());
        let words: Vec<String> = std::iter::once("scroll-to-mouse".to_owned()).chain(leaves).collect();
        mux.mode_command(context, id, &words, 1)?;
    }
    DONE
}

/// End every mode of a pane.
fn leave_all(mux: &mut Mux, id: PaneId) {
    while mux.panes.get(&id).is_some_and(crate::Pane::in_mode) {
        mux.end_mode(id);
    }
}
