//! copy-mode: scroll, search and copy what a pane holds.

use super::*;
use crate::mode::Mode;
use crate::target::Kind;

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "copy-mode",
        alias: None,
        template: Template::text("deHMqSs:t:u", 0, Some(0)),
        usage: "[-deHMqSu] [-s src-pane] [-t target-pane]",
    },
    "Enter copy mode",
    run,
)
.source(Spec::of('s', Kind::Pane).can_fail())
.target(Spec::of('t', Kind::Pane))
.after_hook();

fn run(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let Some(id) = context.target.pane else { return DONE };
    let Some(pane) = mux.panes.get_mut(&id) else { return DONE };
    if context.has('q') {
        if !pane.modes.is_empty() {
            pane.modes.clear();
            mux.event(Event::PaneModeChanged(id));
            mux.redraw();
        }
        return DONE;
    }
    if !pane.in_mode() {
        let mut mode = Mode::copy(&pane.terminal);
        mode.ends_at_bottom = context.has('e');
        mode.hides_position = context.has('H');
        pane.modes.push(mode);
        mux.event(Event::PaneModeChanged(id));
    }
    if context.has('u') {
        mux.mode_command(context, id, &["page-up".to_owned()], 1)?;
    }
    mux.redraw();
    DONE
}
