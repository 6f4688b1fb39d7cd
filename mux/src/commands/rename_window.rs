//! rename-window: give a window a name that stays.

use super::*;
use crate::target::Kind;

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "rename-window",
        alias: Some("renamew"),
        template: Template::text("t:", 1, Some(1)),
        usage: "[-t target-window] new-name",
    },
    "Rename a window",
    run,
)
.target(Spec::of('t', Kind::Window))
.after_hook();

fn run(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let Some(window) = context.target.window else { return DONE };
    let name = context.argument(0).unwrap_or_default();
    let name = checked_name(mux, context, &name, "window")?;
    if let Some(entry) = mux.windows.get_mut(&window) {
        entry.options.set_flag("automatic-rename", false);
    }
    mux.rename_window(window, name);
    DONE
}
