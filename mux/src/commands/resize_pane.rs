//! resize-pane: move a pane's borders, or zoom it.

use super::*;
use crate::layout::Axis;
use crate::target::Kind;

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "resize-pane",
        alias: Some("resizep"),
        template: Template::text("DLMRTt:Ux:y:Z", 0, Some(1)),
        usage: "[-DLMRTUZ] [-x width] [-y height] [-t target-pane] [adjustment]",
    },
    "Resize a pane",
    run,
)
.target(Spec::of('t', Kind::Pane))
.after_hook();

fn run(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let (Some(window), Some(pane)) = (context.target.window, context.target.pane) else { return DONE };
    if context.has('T') {
        return DONE;
    }
    if context.has('M') {
        mux.start_drag(context);
        return DONE;
    }
    if context.has('Z') {
        if !mux.unzoom(window) {
            mux.zoom(window, Some(pane));
        }
        return DONE;
    }
    mux.unzoom(window);
    let adjust = match context.argument(0) {
        None => 1,
        Some(text) => {
            crate::number::number(&text, 1, i64::from(i32::MAX)).map_err(|error| format!("adjustment {error}"))?
        }
    };
    let Some(entry) = mux.windows.get(&window) else { return DONE };
    let (size, status) = (entry.size(), i64::from(entry.layout.status_row(pane)));
    let arguments = context.arguments();
    let wanted = |flag: char, whole: u32, what: &str| match context.has(flag) {
        false => Ok(None),
        true => match arguments.percentage(flag, 0, i64::from(i32::MAX), i64::from(whole)) {
            Ok(cells) => Ok(Some(cells)),
            Err(error) => Err(CommandError(format!("{what} {error}"))),
        },
    };
    let (width, height) = (wanted('x', size.width, "width")?, wanted('y', size.height, "height")?);
    let Some(entry) = mux.windows.get_mut(&window) else { return DONE };
    let cells = |cells: i64| u32::try_from(cells).unwrap_or(u32::MAX);
    if let Some(width) = width {
        entry.layout.resize_pane_to(pane, Axis::LeftRight, cells(width));
    }
    if let Some(height) = height {
        entry.layout.resize_pane_to(pane, Axis::TopBottom, cells(height + status));
    }
    let moves = [
        ('L', Axis::LeftRight, -adjust),
        ('R', Axis::LeftRight, adjust),
        ('U', Axis::TopBottom, -adjust),
        ('D', Axis::TopBottom, adjust),
    ];
    if let Some((_, axis, change)) = moves.into_iter().find(|(flag, ..)| context.has(*flag)) {
        entry.layout.resize_pane(pane, axis, change);
    }
    mux.layout_changed(window);
    DONE
}
