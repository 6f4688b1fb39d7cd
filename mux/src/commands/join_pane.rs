//! join-pane and move-pane: move a pane beside another.

use super::*;
use crate::layout::{Axis, Split};
use crate::target::Kind;

const USAGE: &str = "[-bdfhv] [-l size] [-s src-pane] [-t dst-pane]";

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "join-pane",
        alias: Some("joinp"),
        template: Template::text("bdfhvp:l:s:t:", 0, Some(0)),
        usage: USAGE,
    },
    "Move a pane into a window",
    run,
)
.source(Spec::of('s', Kind::Pane).default_marked())
.target(Spec::of('t', Kind::Pane));

pub(crate) static MOVE: Row = Row::new(
    Signature {
        name: "move-pane",
        alias: Some("movep"),
        template: Template::text("bdfhvp:l:s:t:", 0, Some(0)),
        usage: USAGE,
    },
    "Move a pane beside another",
    run,
)
.source(Spec::of('s', Kind::Pane).default_marked())
.target(Spec::of('t', Kind::Pane));

fn run(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let (Some(window), Some(target)) = (context.target.window, context.target.pane) else { return DONE };
    let (Some(old), Some(source)) = (context.source.window, context.source.pane) else { return DONE };
    if source == target {
        return Err("source and target panes must be different".into());
    }
    mux.unzoom(window);
    mux.unzoom(old);
    let axis = if context.has('h') { Axis::LeftRight } else { Axis::TopBottom };
    let full = context.has('f');
    let Some(entry) = mux.windows.get(&window) else { return DONE };
    let base = entry.layout.split_base(target, axis, full);
    let size = if context.has('l') {
        Some(
            context
                .arguments()
                .percentage('l', 0, i64::from(i32::MAX), i64::from(base))
                .map_err(|_| split_window::BAD_SIZE)?,
        )
    } else if context.has('p') {
        let percent = context.arguments().number('p', 0, 100).map_err(|_| split_window::BAD_SIZE)?;
        Some(i64::from(base) * percent / 100)
    } else {
        None
    };
    let size = size.map(|size| u32::try_from(size).unwrap_or(u32::MAX));
    let how = Split { axis, before: context.has('b'), full, size };
    let mut layout = entry.layout.clone();
    layout.join(target, source, how).map_err(|_| "create pane failed: pane too small")?;
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
