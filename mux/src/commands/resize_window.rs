//! resize-window: give a window a size of its own.

use super::*;
use crate::target::Kind;

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "resize-window",
        alias: Some("resizew"),
        template: Template::text("aADLRt:Ux:y:", 0, Some(1)),
        usage: "[-aADLRU] [-x width] [-y height] [-t target-window] [adjustment]",
    },
    "Resize a window",
    run,
)
.target(Spec::of('t', Kind::Window))
.after_hook();

fn run(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let Some(id) = context.target.window else { return DONE };
    let adjust = match context.argument(0) {
        None => 1,
        Some(text) => {
            crate::number::number(&text, 1, i64::from(i32::MAX)).map_err(|error| format!("adjustment {error}"))?
        }
    };
    let Some(window) = mux.windows.get(&id) else { return DONE };
    let (mut width, mut height) = (i64::from(window.size().width), i64::from(window.size().height));
    let most = i64::from(crate::size::WINDOW_MAXIMUM);
    if context.has('x') {
        width = context.arguments().number('x', 1, most).map_err(|error| format!("width {error}"))?;
    }
    if context.has('y') {
        height = context.arguments().number('y', 1, most).map_err(|error| format!("height {error}"))?;
    }
    // A step that leads below nothing is not made at all.
    if context.has('L') {
        width -= if width >= adjust { adjust } else { 0 };
    } else if context.has('R') {
        width += adjust;
    } else if context.has('U') {
        height -= if height >= adjust { adjust } else { 0 };
    } else if context.has('D') {
        height += adjust;
    }
    let cells = |cells: i64| u32::try_from(cells.clamp(1, most)).unwrap_or(1);
    let mut size = crate::size::within_limits(cells(width), cells(height));
    if context.has('A') || context.has('a') {
        let default = || context.target.session.map_or(size, |session| mux.default_size(session));
        size = mux.clients_size(id, context.has('A')).unwrap_or_else(default);
    }
    if let Some(window) = mux.windows.get_mut(&id) {
        window.options.set_text("window-size", "manual");
        window.manual_size = Some(size);
    }
    mux.resize_window(id, size);
    DONE
}
