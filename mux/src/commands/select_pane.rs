//! select-pane and last-pane: make another pane active, or change what it is called and whether it takes keys.

use super::*;
use crate::layout::Direction;
use crate::target::Kind;

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "select-pane",
        alias: Some("selectp"),
        template: Template::text("DdegLlMmP:RT:t:UZ", 0, Some(0)),
        usage: "[-DdeLlMmRUZ] [-T title] [-t target-pane]",
    },
    "Make a pane the active one",
    run,
)
.target(Spec::of('t', Kind::Pane));

pub(crate) static LAST: Row = Row::new(
    Signature {
        name: "last-pane",
        alias: Some("lastp"),
        template: Template::text("det:Z", 0, Some(0)),
        usage: "[-deZ] [-t target-window]",
    },
    "Go to the pane that was active before",
    last,
)
.target(Spec::of('t', Kind::Window));

fn last(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let Some(id) = context.target.window else { return DONE };
    let Some(window) = mux.windows.get(&id) else { return DONE };
    let known = window.last_panes.iter().rev().copied().find(|pane| window.layout.contains(*pane));
    let other = || window.panes().iter().copied().find(|pane| window.panes().len() == 2 && *pane != window.active);
    let before = context.client.and_then(|client| mux.own_focus(client, id)).map(|focus| focus.before);
    let before = before.filter(|pane| window.layout.contains(*pane));
    let pane = before.or(known).or_else(other).ok_or("no last pane")?;
    if set_input(mux, context, pane) {
        return DONE;
    }
    activate(mux, context, id, pane);
    DONE
}

/// -d and -e: does the pane take keys?
fn set_input(mux: &mut Mux, context: &Context<'_>, pane: PaneId) -> bool {
    let off = context.has('d');
    if !off && !context.has('e') {
        return false;
    }
    if let Some(pane) = mux.panes.get_mut(&pane) {
        pane.input_off = off && !context.has('e');
    }
    mux.redraw();
    true
}

fn run(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let (Some(window), Some(target)) = (context.target.window, context.target.pane) else { return DONE };
    if context.has('l') {
        return last(mux, context);
    }
    if context.has('m') || context.has('M') {
        let unmark = context.has('M') || mux.marked == Some(target);
        let before = mux.marked;
        mux.marked = Some(target).filter(|_| !unmark);
        mux.fire_marked(before);
        mux.redraw();
        return DONE;
    }
    if let Some(style) = context.get('P') {
        let Some(pane) = mux.panes.get_mut(&target) else { return DONE };
        for option in ["window-style", "window-active-style"] {
            pane.options.set_text(option, &style);
        }
        mux.redraw();
    }
    if context.has('g') {
        let text = mux.pane_text(target, "window-style");
        mux.print(context, &text);
        return DONE;
    }
    let sides = [('L', Direction::Left), ('R', Direction::Right), ('U', Direction::Up), ('D', Direction::Down)];
    let side = sides.into_iter().find(|(flag, _)| context.has(*flag));
    let pane = match side {
        None => target,
        Some((_, side)) => match mux.windows.get(&window).and_then(|entry| mux.pane_beside(entry, target, side)) {
            Some(pane) => pane,
            None => return DONE,
        },
    };
    if set_input(mux, context, pane) {
        return DONE;
    }
    if let Some(title) = context.get('T') {
        let title = mux.expand_in(context, context.target, &title);
        mux.set_pane_title(pane, &title);
        mux.changed();
        return DONE;
    }
    activate(mux, context, window, pane);
    DONE
}

fn activate(mux: &mut Mux, context: &mut Context<'_>, window: WindowId, pane: PaneId) {
    let Some(entry) = mux.windows.get(&window).filter(|entry| entry.modal.is_none()) else { return };
    let zoomed = entry.zoomed() && !entry.shows(pane);
    let own = context.client.and_then(|client| mux.own_focus(client, window)).map(|focus| focus.pane);
    if own.or_else(|| mux.windows.get(&window).map(|window| window.active)) == Some(pane) {
        return;
    }
    if zoomed {
        mux.unzoom(window);
    }
    mux.focus_pane(context.client, window, pane);
    let found = crate::target::Found { pane: Some(pane), ..context.target };
    context.state.current.set(Some(found));
    context.hook_after(mux, "after-select-pane", found);
    if zoomed && context.has('Z') {
        mux.zoom(window, None);
    }
}
