//! join-pane: move a pane beside another, or put one that floats back among the tiled ones.

use super::*;
use crate::layout::{Axis, Split};
use crate::target::Kind;

pub(super) const USAGE: &str = "[-bdfhv] [-l size] [-s src-pane] [-t dst-pane]";

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "join-pane",
        alias: Some("joinp"),
        template: Template::text("bdfhvp:l:s:t:", 0, Some(0)),
        usage: USAGE,
    },
    "Move a pane into a window",
    join,
)
.source(Spec::of('s', Kind::Pane).default_marked())
.target(Spec::of('t', Kind::Pane));

/// Move the source beside the target.
pub(super) fn join(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let (Some(window), Some(target)) = (context.target.window, context.target.pane) else { return DONE };
    let (Some(old), Some(source)) = (context.source.window, context.source.pane) else { return DONE };
    let modal = |window: WindowId, pane: PaneId| mux.windows.get(&window).is_some_and(|it| it.modal == Some(pane));
    if modal(old, source) || modal(window, target) {
        return Err("pane is modal".into());
    }
    mux.unzoom(window);
    mux.unzoom(old);
    if source == target {
        return tile(mux, context, window, source);
    }
    let axis = if context.has('h') { Axis::LeftRight } else { Axis::TopBottom };
    let full = context.has('f');
    let Some(entry) = mux.windows.get(&window) else { return DONE };
    let bad = |error: &str| CommandError(format!("size or position {error}"));
    if entry.layout.is_floating(target) {
        return Err(bad("can't split a floating pane"));
    }
    let base = entry.layout.split_base(target, axis, full);
    let size = split_window::wanted_size(mux, context, base).map_err(|_| bad(split_window::BAD_SIZE))?;
    let how = Split { axis, before: context.has('b'), full, size };
    let mut layout = entry.layout.clone();
    layout.join(target, source, how).map_err(|error| bad(&error.to_string()))?;
    mux.move_pane(context.now, source, old, window, layout);
    if !context.has('d') {
        mux.activate_pane(window, source);
        let found = crate::target::Found { pane: Some(source), ..context.target };
        if let (Some(session), Some(index)) = (found.session, found.index) {
            mux.select_window(session, index);
        }
        context.state.current.set(Some(found));
    }
    mux.layout_changed(window);
    context.hook_after(mux, "after-join-pane", context.target);
    DONE
}

/// A floating pane joined with itself goes back among the tiled ones.
fn tile(mux: &mut Mux, context: &mut Context<'_>, window: WindowId, pane: PaneId) -> Outcome {
    let Some(entry) = mux.windows.get_mut(&window) else { return DONE };
    if !entry.layout.is_floating(pane) {
        return Err("source and target panes must be different".into());
    }
    entry.layout.tile(pane).map_err(|error| error.to_string())?;
    if !context.has('d') {
        mux.activate_pane(window, pane);
    }
    mux.layout_changed(window);
    context.hook_after(mux, "after-join-pane", context.target);
    DONE
}
