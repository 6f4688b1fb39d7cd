//! select-layout, next-layout, previous-layout: lay the panes of a window out anew.

use super::*;
use crate::layout::Preset;
use crate::target::Kind;

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "select-layout",
        alias: Some("selectl"),
        template: Template::text("Enopt:", 0, Some(1)),
        usage: "[-Enop] [-t target-pane] [layout-name]",
    },
    "Lay out the panes of a window",
    |mux, context| run(mux, context, 0),
)
.target(Spec::of('t', Kind::Pane))
.after_hook();

pub(crate) static NEXT: Row = Row::new(
    Signature {
        name: "next-layout",
        alias: Some("nextl"),
        template: Template::text("t:", 0, Some(0)),
        usage: "[-t target-window]",
    },
    "Use the next layout",
    |mux, context| run(mux, context, 1),
)
.target(Spec::of('t', Kind::Window))
.after_hook();

pub(crate) static PREVIOUS: Row = Row::new(
    Signature {
        name: "previous-layout",
        alias: Some("prevl"),
        template: Template::text("t:", 0, Some(0)),
        usage: "[-t target-window]",
    },
    "Use the previous layout",
    |mux, context| run(mux, context, -1),
)
.target(Spec::of('t', Kind::Window))
.after_hook();

fn run(mux: &mut Mux, context: &mut Context<'_>, step: i32) -> Outcome {
    let Some(id) = context.target.window else { return DONE };
    mux.unzoom(id);
    let Some(window) = mux.windows.get(&id) else { return DONE };
    let before = window.layout.dump();
    let step = step + i32::from(context.has('n')) - i32::from(context.has('p'));
    let mut layout = window.layout.clone();
    let name = context.argument(0);
    let options = mux.preset_options(id);
    if step != 0 {
        let preset =
            if step > 0 { layout.next_preset(&options.borrow()) } else { layout.previous_preset(&options.borrow()) };
        layout.last_preset = Some(preset);
    } else if context.has('E') {
        layout.spread_out(context.target.pane.unwrap_or(window.active));
    } else {
        let name = match (context.has('o'), name) {
            (true, _) => window.old_layout.clone(),
            (false, None) => layout.last_preset.map(|preset| preset.name().to_owned()),
            (false, name) => name,
        };
        let Some(name) = name else { return DONE };
        match Preset::named(&name).filter(|_| !context.has('o')) {
            Some(preset) => {
                layout.select_preset(preset, &options.borrow());
                layout.last_preset = Some(preset);
            }
            None => layout.apply(&name).map_err(|error| format!("{error}: {name}"))?,
        }
    }
    if let Some(window) = mux.windows.get_mut(&id) {
        window.layout = layout;
        window.old_layout = Some(before);
    }
    mux.layout_changed(id);
    mux.recalculate_sizes();
    DONE
}
