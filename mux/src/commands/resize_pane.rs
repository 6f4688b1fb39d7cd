//! resize-pane: move a pane's borders, or zoom it.

use super::new_pane::PANE_MAXIMUM;
use super::*;
use crate::layout::{Axis, Rect};
use crate::number::number;
use crate::target::Kind;

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "resize-pane",
        alias: Some("resizep"),
        template: Template::text("D::L::MR::Tt:U::x:y:Z", 0, Some(1)),
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
        mux.trim_history(pane);
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
    let Some(entry) = mux.windows.get(&window) else { return DONE };
    let floats = entry.layout.is_floating(pane);
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
    let changes = adjustments(context)?;
    if floats {
        let rect = floating(mux, window, pane, (width, height), &changes)?;
        mux.place_floating(window, pane, rect);
        return DONE;
    }
    let Some(entry) = mux.windows.get_mut(&window) else { return DONE };
    let cells = |cells: i64| u32::try_from(cells).unwrap_or(u32::MAX);
    if let Some(width) = width {
        entry.layout.resize_pane_to(pane, Axis::LeftRight, cells(width));
    }
    if let Some(height) = height {
        entry.layout.resize_pane_to(pane, Axis::TopBottom, cells(height + status));
    }
    for Adjustment { axis, backward, cells } in changes {
        entry.layout.resize_pane(pane, axis, if backward { -cells } else { cells });
    }
    mux.layout_changed(window);
    DONE
}

/// How far a flag moves a border.
struct Adjustment {
    axis: Axis,
    backward: bool,
    cells: i64,
}

/// What -U, -D, -L and -R ask for. Cells are the flag's own, or else the command's argument, or one.
fn adjustments(context: &Context<'_>) -> Result<Vec<Adjustment>, CommandError> {
    let flags = [
        ('U', Axis::TopBottom, true),
        ('D', Axis::TopBottom, false),
        ('L', Axis::LeftRight, true),
        ('R', Axis::LeftRight, false),
    ];
    let mut found = Vec::new();
    for (flag, axis, backward) in flags.into_iter().filter(|(flag, ..)| context.has(*flag)) {
        let text = context.get(flag).or_else(|| context.argument(0));
        let cells = match text {
            None => 1,
            Some(text) => number(&text, i64::from(i32::MIN), i64::from(i32::MAX))
                .map_err(|error| format!("adjustment {error}"))?,
        };
        found.push(Adjustment { axis, backward, cells });
    }
    Ok(found)
}

/// The place of a floating pane after it was resized. A size is that of its border, when it has one.
fn floating(
    mux: &Mux,
    window: WindowId,
    pane: PaneId,
    (width, height): (Option<i64>, Option<i64>),
    changes: &[Adjustment],
) -> Result<Rect, CommandError> {
    let rect = mux.windows.get(&window).and_then(|entry| entry.layout.rect(pane));
    let Some(mut rect) = rect else { return Err("pane is gone".into()) };
    let border = if mux.has_border(pane) { 2 } else { 0 };
    let checked = |cells: i64, what: &str, which: &str| match u32::try_from(cells) {
        Ok(size) if (1..=PANE_MAXIMUM).contains(&cells) => Ok(size),
        _ => Err(CommandError(format!("{what} {which} is too big or too small"))),
    };
    let inner = |cells: i64| if cells > border { cells - border } else { cells };
    if let Some(width) = width {
        rect.width = checked(inner(width), "size", "size")?;
    }
    if let Some(height) = height {
        rect.height = checked(inner(height), "size", "size")?;
    }
    for Adjustment { axis, backward, cells } in changes {
        let (start, size) = match axis {
            Axis::LeftRight => (&mut rect.x, &mut rect.width),
            Axis::TopBottom => (&mut rect.y, &mut rect.height),
        };
        *size = checked(i64::from(*size) + cells, "adjustment", "change")?;
        if *backward {
            *start = start.saturating_sub(i32::try_from(*cells).unwrap_or(0));
        }
    }
    Ok(rect)
}
