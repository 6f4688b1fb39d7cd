//! swap-pane: let two panes change places.

use super::*;
use crate::target::Kind;

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "swap-pane",
        alias: Some("swapp"),
        template: Template::text("dDs:t:UZ", 0, Some(0)),
        usage: "[-dDUZ] [-s src-pane] [-t dst-pane]",
    },
    "Swap two panes",
    run,
)
.source(Spec::of('s', Kind::Pane).default_marked())
.target(Spec::of('t', Kind::Pane));

fn run(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let (Some(target_window), Some(target)) = (context.target.window, context.target.pane) else { return DONE };
    let (mut source_window, mut source) = match (context.source.window, context.source.pane) {
        (Some(window), Some(pane)) => (window, pane),
        _ => return DONE,
    };
    if context.has('D') || context.has('U') {
        let Some(window) = mux.windows.get(&target_window) else { return DONE };
        let next = if context.has('D') { window.layout.next(target) } else { window.layout.previous(target) };
        (source_window, source) = (target_window, next.unwrap_or(target));
    }
    let modal = |window: WindowId, pane: PaneId| mux.windows.get(&window).is_some_and(|it| it.modal == Some(pane));
    if modal(source_window, source) || modal(target_window, target) {
        return Err("pane is modal".into());
    }
    let zoomed = [source_window, target_window].map(|window| mux.unzoom(window).then_some(window));
    if source == target {
        for window in zoomed.into_iter().flatten().filter(|_| context.has('Z')) {
            mux.zoom(window, None);
        }
        return DONE;
    }
    mux.swap_panes((source_window, source), (target_window, target));
    if !context.has('d') {
        mux.activate_pane(source_window, target);
        if source_window != target_window {
            mux.activate_pane(target_window, source);
        }
    } else {
        mux.keep_active(source_window, source, target);
        mux.keep_active(target_window, target, source);
    }
    mux.layout_changed(source_window);
    if source_window != target_window {
        mux.layout_changed(target_window);
    }
    for window in zoomed.into_iter().flatten().filter(|_| context.has('Z')) {
        mux.zoom(window, None);
    }
    context.hook_after(mux, "after-swap-pane", context.target);
    DONE
}
