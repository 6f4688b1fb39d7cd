//! split-window: make a pane beside another.

use super::*;
use crate::layout::{Axis, Split};
use crate::spawn::Wanted;
use crate::target::{Found, Kind};

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "split-window",
        alias: Some("splitw"),
        template: Template::text("bc:de:EfF:hIkl:m:p:PR:s:S:t:vZ", 0, None),
        usage: "[-bdefhIklPvZ] [-c start-directory] [-e environment] [-F format] [-l size] [-m message] [-p percentage] [-s style] [-S active-border-style] [-R inactive-border-style] [-t target-pane] [shell-command [argument ...]]",
    },
    "Split a pane in two",
    run,
)
.target(Spec::of('t', Kind::Pane));

fn run(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let (Some(session), Some(window), Some(target)) =
        (context.target.session, context.target.window, context.target.pane)
    else {
        return DONE;
    };
    let words = context.words();
    let empty = context.has('I') || context.has('E') || words.iter().eq([""].iter());
    if empty && !words.is_empty() && words != [""] {
        return Err("command cannot be given for empty pane".into());
    }
    mux.unzoom(window);
    let axis = if context.has('h') { Axis::LeftRight } else { Axis::TopBottom };
    let full = context.has('f');
    let base = mux.windows[&window].layout.split_base(target, axis, full);
    let size = wanted_size(context, base)?;
    let how = Split { axis, before: context.has('b'), full, size };
    // The new pane's place is found on a copy, so that its program starts with its size and a failure leaves no trace.
    let mut layout = mux.windows[&window].layout.clone();
    let pane = PaneId(mux.next.pane);
    layout.split(target, pane, how).map_err(|error| CommandError(format!("size or position {error}")))?;
    let place = layout
        .rect(pane)
        .map_or(Extent { width: 1, height: 1 }, |rect| Extent { width: rect.width, height: rect.height });
    let wanted = Wanted {
        argv: if empty { Vec::new() } else { words },
        cwd: context.get('c').map(|cwd| absolute(mux, context, &cwd)),
        environment: assignments(&context.arguments().all('e').map(str::to_owned).collect::<Vec<_>>()),
        client: context.client,
        empty,
        ..Wanted::default()
    };
    let started = mux.start_pane(context.world, session, window, crate::spawn::extent_size(place), &wanted);
    let pane = started.map_err(|error| CommandError(format!("create pane failed: {error}")))?;
    if let Some(entry) = mux.windows.get_mut(&window) {
        entry.layout = layout;
    }
    set_styles(mux, context, pane)?;
    if !context.has('d') {
        mux.focus_new_pane(context.client, window, pane);
    }
    mux.fire_created(pane, empty, false);
    mux.layout_changed(window);
    if context.has('Z') {
        mux.zoom(window, None);
    }
    let found = Found { pane: Some(pane), ..context.target };
    if !context.has('d') {
        context.state.current.set(Some(found));
    }
    if context.has('P') {
        let format = context.get('F').unwrap_or_else(|| NEW_FORMAT.to_owned());
        let text = mux.expand_in(context, found, &format);
        mux.print(context, &text);
    }
    context.hook_after(mux, "after-split-window", found);
    DONE
}

/// What tmux says of a size it can't read, whatever is wrong with it.
pub(crate) const BAD_SIZE: &str = "size or position invalid tiled geometry";

/// Cells that -l or -p ask for.
fn wanted_size(context: &Context<'_>, base: u32) -> Result<Option<u32>, CommandError> {
    let arguments = context.arguments();
    let size = if context.has('l') {
        arguments.percentage('l', 0, i64::from(i32::MAX), i64::from(base))
    } else if context.has('p') {
        arguments.number('p', 0, 100).map(|percent| i64::from(base) * percent / 100)
    } else {
        return Ok(None);
    };
    let size = size.map_err(|_| CommandError(BAD_SIZE.to_owned()))?;
    Ok(Some(u32::try_from(size).unwrap_or(u32::MAX)))
}

fn set_styles(mux: &mut Mux, context: &Context<'_>, pane: PaneId) -> Result<(), CommandError> {
    let rows = [
        ('s', "window-style", "bad style"),
        ('s', "window-active-style", "bad style"),
        ('S', "pane-active-border-style", "bad active border style"),
        ('R', "pane-border-style", "bad inactive border style"),
        ('m', "remain-on-exit-format", "bad message"),
    ];
    let Some(entry) = mux.panes.get_mut(&pane) else { return Ok(()) };
    for (flag, option, error) in rows {
        if let Some(value) = context.get(flag) {
            set_checked(&mut entry.options, option, &value).ok_or_else(|| CommandError(format!("{error}: {value}")))?;
        }
    }
    if context.has('k') || context.has('m') {
        entry.options.set_text("remain-on-exit", "key");
    }
    Ok(())
}
