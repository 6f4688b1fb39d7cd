//! move-pane: move a floating pane about, or another one beside a pane as join-pane does.

use super::*;
use crate::layout::Depth;
use crate::number::number;
use crate::target::Kind;

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "move-pane",
        alias: Some("movep"),
        template: Template::text("bdD::fhMvl:L::p:P:R::s:t:U::X:Y:z:", 0, Some(0)),
        usage: join_pane::USAGE,
    },
    "Move a pane beside another",
    run,
)
.source(Spec::of('s', Kind::Pane).default_marked())
.target(Spec::of('t', Kind::Pane));

/// A named place: which part of the way from the first to the last column it is, and likewise for rows.
struct Named {
    name: &'static str,
    x: Part,
    y: Part,
}

/// A part of the way along the window.
#[derive(Clone, Copy)]
enum Part {
    Start,
    Middle,
    End,
    /// The pane's middle is at so many quarters.
    Quarter(i32),
}

const NAMED: &[Named] = &[
    Named { name: "top-left", x: Part::Start, y: Part::Start },
    Named { name: "top-centre", x: Part::Middle, y: Part::Start },
    Named { name: "top-right", x: Part::End, y: Part::Start },
    Named { name: "centre-left", x: Part::Start, y: Part::Middle },
    Named { name: "centre", x: Part::Middle, y: Part::Middle },
    Named { name: "centre-right", x: Part::End, y: Part::Middle },
    Named { name: "bottom-left", x: Part::Start, y: Part::End },
    Named { name: "bottom-centre", x: Part::Middle, y: Part::End },
    Named { name: "bottom-right", x: Part::End, y: Part::End },
    Named { name: "top-left-centre", x: Part::Quarter(1), y: Part::Quarter(1) },
    Named { name: "top-right-centre", x: Part::Quarter(3), y: Part::Quarter(1) },
    Named { name: "bottom-left-centre", x: Part::Quarter(1), y: Part::Quarter(3) },
    Named { name: "bottom-right-centre", x: Part::Quarter(3), y: Part::Quarter(3) },
];

const DEPTHS: &[(&str, Depth)] = &[
    ("front", Depth::Front),
    ("back", Depth::Back),
    ("forward", Depth::Forward(false)),
    ("backward", Depth::Backward(false)),
    ("forward-loop", Depth::Forward(true)),
    ("backward-loop", Depth::Backward(true)),
];

impl Part {
    fn start(self, whole: u32, own: u32, border: i32) -> i32 {
        let (whole, own) = (whole as i32, own as i32);
        match self {
            Part::Start => border,
            Part::Middle => (whole - own) / 2,
            Part::End => whole - own - border,
            Part::Quarter(quarters) => quarters * whole / 4 - own / 2,
        }
    }
}

fn run(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    if context.has('M') {
        mux.start_move(context);
        return DONE;
    }
    if !"PzXYUDLR".chars().any(|flag| context.has(flag)) {
        return join_pane::join(mux, context);
    }
    let (Some(window), Some(pane)) = (context.target.window, context.target.pane) else { return DONE };
    if !mux.windows.get(&window).is_some_and(|entry| entry.layout.is_floating(pane)) {
        return Err("pane is not floating".into());
    }
    mux.unzoom(window);
    if let Some(position) = context.get('P') {
        return place(mux, window, pane, &position);
    }
    if let Some(depth) = context.get('z') {
        let depth = number(&depth, 0, i64::from(u32::MAX)).map_err(|error| format!("z-index {error}"))?;
        return set_depth(mux, window, pane, Depth::At(depth as usize));
    }
    shift(mux, context, window, pane)
}

/// -P: a named place, in the window or in depth.
fn place(mux: &mut Mux, window: WindowId, pane: PaneId, position: &str) -> Outcome {
    if let Some((_, depth)) = DEPTHS.iter().find(|(name, _)| *name == position) {
        return set_depth(mux, window, pane, *depth);
    }
    let british = position.replace("center", "centre");
    let Some(named) = NAMED.iter().find(|named| named.name == british) else {
        return Err(format!("unknown position: {position}").into());
    };
    let border = i32::from(mux.has_border(pane));
    let Some(entry) = mux.windows.get(&window) else { return DONE };
    let (size, Some(mut rect)) = (entry.size(), entry.layout.rect(pane)) else { return DONE };
    rect.x = named.x.start(size.width, rect.width, border);
    rect.y = named.y.start(size.height, rect.height, border);
    mux.place_floating(window, pane, rect);
    DONE
}

fn set_depth(mux: &mut Mux, window: WindowId, pane: PaneId, depth: Depth) -> Outcome {
    if let Some(entry) = mux.windows.get_mut(&window) {
        entry.change_layouts(|layout| _ = layout.set_depth(pane, depth));
    }
    mux.layout_changed(window);
    DONE
}

/// To where -X and -Y say, and from there by -U, -D, -L and -R.
fn shift(mux: &mut Mux, context: &mut Context<'_>, window: WindowId, pane: PaneId) -> Outcome {
    let Some(entry) = mux.windows.get(&window) else { return DONE };
    let (size, Some(mut rect)) = (entry.size(), entry.layout.rect(pane)) else { return DONE };
    let border = i64::from(mux.has_border(pane));
    for (flag, start, whole) in [('X', &mut rect.x, size.width), ('Y', &mut rect.y, size.height)] {
        let range = (-i64::from(whole), i64::from(whole));
        let given = new_pane::measure(mux, context, flag, range, whole);
        if let Some(given) = given.map_err(|error| format!("position {error}"))? {
            *start = (given + border) as i32;
        }
    }
    for (flag, sign) in [('U', -1), ('D', 1), ('L', -1), ('R', 1)] {
        if !context.has(flag) {
            continue;
        }
        let text = context.get(flag).unwrap_or_else(|| "1".to_owned());
        let cells =
            number(&text, i64::from(i32::MIN), i64::from(i32::MAX)).map_err(|error| format!("offset {error}"))?;
        let start = if matches!(flag, 'U' | 'D') { &mut rect.y } else { &mut rect.x };
        *start = start.saturating_add((sign * cells) as i32);
    }
    mux.place_floating(window, pane, rect);
    DONE
}
