//! new-pane: make a pane that floats, or with -L one beside another; and where what floats is put.

use super::*;
use crate::layout::Rect;
use crate::number::{NumberError, percentage};
use crate::target::Kind;

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "new-pane",
        alias: Some("newp"),
        template: Template::text("AbB:Cc:de:EfF:hIkl:KLMm:Op:PR:s:S:t:T:vWx:X:y:Y:Z", 0, None),
        usage: "[-bdefhIklPvZ] [-c start-directory] [-e environment] [-F format] [-l size] [-m message] [-p percentage] [-s style] [-S active-border-style] [-R inactive-border-style] [-x width] [-y height] [-X x-position] [-Y y-position] [-t target-pane] [shell-command [argument ...]]",
    },
    "Create a floating pane",
    |mux, context| {
        let floats = !context.has('L');
        split_window::make(mux, context, floats, false)
    },
)
.target(Spec::of('t', Kind::Pane));

/// Most cells of a side of a pane.
pub(super) const PANE_MAXIMUM: i64 = 10_000;

/// A size or position that a flag gives, expanded, as cells or as a part of `whole`.
pub(super) fn measure(
    mux: &Mux,
    context: &Context<'_>,
    flag: char,
    (least, most): (i64, i64),
    whole: u32,
) -> Result<Option<i64>, NumberError> {
    let Some(text) = context.get(flag) else { return Ok(None) };
    let text = mux.expand_in(context, context.target, &text);
    percentage(&text, least, most, i64::from(whole)).map(Some)
}

/// Where -x, -y, -X and -Y put a pane that floats, which may have floated before. Sizes and positions are those of its border, when it has one.
pub(super) fn floating_place(
    mux: &mut Mux,
    context: &Context<'_>,
    window: WindowId,
    border: bool,
    known: Option<Rect>,
) -> Result<Rect, CommandError> {
    let Some(entry) = mux.windows.get(&window) else { return Err("window is gone".into()) };
    let size = entry.size();
    let edge = i64::from(border);
    let bad = |error: NumberError| CommandError(format!("position {error}"));
    let width = measure(mux, context, 'x', (0, PANE_MAXIMUM), size.width).map_err(bad)?;
    let height = measure(mux, context, 'y', (0, PANE_MAXIMUM), size.height).map_err(bad)?;
    let usual = known.map_or((size.width / 2, size.height / 4), |rect| (rect.width, rect.height));
    let width = width.map_or(i64::from(usual.0), |width| width - 2 * edge);
    let height = height.map_or(i64::from(usual.1), |height| height - 2 * edge);
    let x = measure(mux, context, 'X', (-width, i64::from(size.width)), size.width).map_err(bad)?;
    let y = measure(mux, context, 'Y', (-height, i64::from(size.height)), size.height).map_err(bad)?;
    let fits = |cells: i64| (1..=PANE_MAXIMUM).contains(&cells);
    if !fits(width) {
        return Err("invalid width".into());
    }
    if !fits(height) {
        return Err("invalid height".into());
    }
    let wants = |given: Option<i64>| given.is_none() && known.is_none();
    let next = mux.windows.get_mut(&window).map(|entry| entry.layout.cascade((wants(x), wants(y))));
    let next = known.map(|rect| (rect.x, rect.y)).or(next).unwrap_or_default();
    let start = |given: Option<i64>, next: i32| given.map_or(next, |given| (given + edge) as i32);
    Ok(Rect { x: start(x, next.0), y: start(y, next.1), width: width as u32, height: height as u32 })
}

/// Whether a pane of a window will have a border when it floats: what -B says, or the option.
pub(super) fn border_wanted(mux: &Mux, context: &Context<'_>, window: WindowId) -> Result<bool, CommandError> {
    let Some(lines) = context.get('B') else { return Ok(mux.window_text(window, "pane-border-lines") != "none") };
    let known = crate::option::table::find("pane-border-lines").is_some_and(|row| match row.kind {
        crate::option::Kind::Choice(names) => names.contains(&lines.as_str()),
        _ => false,
    });
    if !known {
        return Err(format!("pane-border-lines unknown value: {lines}").into());
    }
    Ok(lines != "none")
}
