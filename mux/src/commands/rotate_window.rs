//! rotate-window: move every pane of a window on by one place.

use super::*;
use crate::target::Kind;

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "rotate-window",
        alias: Some("rotatew"),
        template: Template::text("Dt:UZ", 0, Some(0)),
        usage: "[-DUZ] [-t target-window]",
    },
    "Rotate the panes of a window",
    run,
)
.target(Spec::of('t', Kind::Window))
.after_hook();

fn run(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let Some(id) = context.target.window else { return DONE };
    let zoomed = mux.unzoom(id);
    let Some(window) = mux.windows.get_mut(&id) else { return DONE };
    let active = window.active;
    let heir = if context.has('D') {
        window.layout.rotate_down();
        window.layout.previous(active)
    } else {
        window.layout.rotate_up();
        window.layout.next(active)
    };
    if let Some(heir) = heir {
        mux.activate_pane(id, heir);
    }
    mux.layout_changed(id);
    if zoomed && context.has('Z') {
        mux.zoom(id, None);
    }
    DONE
}
