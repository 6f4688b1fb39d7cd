//! switch-mode: choose a session or a window by typing some of it, as after tmux 3.7.

use super::*;
use crate::command::Kind as Takes;
use crate::mode::Switching;
use crate::target::Kind;

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "switch-mode",
        alias: None,
        template: Template { flags: "F:kst:wZ", least: 0, most: Some(1), kind: Some(|_, _| Takes::CommandsOrText) },
        usage: "[-kswZ] [-F format] [-t target-pane] [command]",
    },
    "Choose a session or a window by typing some of it",
    run,
)
.target(Spec::of('t', Kind::Pane))
.since_main();

fn run(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let Some(pane) = context.target.pane else { return DONE };
    let before = mux.panes.get(&pane).map_or(0, |pane| pane.modes.len());
    let how = Switching {
        windows: context.has('w'),
        format: context.get('F'),
        template: context.argument(0),
        zooms: context.has('Z'),
    };
    mux.enter_switch_mode(context, pane, how);
    if context.has('k') {
        mux.close_with_mode(pane, before);
    }
    DONE
}
