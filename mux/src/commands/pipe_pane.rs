//! pipe-pane: give what a pane's program writes to a shell command, or type what the command writes into the pane.

use super::*;
use crate::id::JobId;
use crate::jobs::Start;
use crate::target::Kind;

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "pipe-pane",
        alias: Some("pipep"),
        template: Template::text("IOot:", 0, Some(1)),
        usage: "[-IOo] [-t target-pane] [shell-command]",
    },
    "Pipe a pane's output to a shell command",
    run,
)
.target(Spec::of('t', Kind::Pane))
.after_hook();

fn run(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let Some(id) = context.target.pane else { return DONE };
    let Some(pane) = mux.panes.get(&id) else { return DONE };
    if !pane.running() {
        return Err("target pane has exited".into());
    }
    let old = pane.pipe;
    if let Some(job) = old {
        close(mux, id, job);
    }
    let command = context.words().first().cloned().unwrap_or_default();
    if command.is_empty() || (context.has('o') && old.is_some()) {
        return DONE;
    }
    let types = context.has('I');
    let reads = context.has('O') || !types;
    let command = mux.expand_time_in(context, context.target, &command);
    let cwd = mux.pipe_cwd(context);
    let start = Start {
        command,
        cwd,
        session: context.target.session,
        input: reads,
        into_pane: types.then_some(id),
        errors: false,
        posix: true,
    };
    let ended = move |mux: &mut Mux, job: JobId| {
        if let Some(pane) = mux.panes.get_mut(&id).filter(|pane| pane.pipe == Some(job)) {
            pane.pipe = None;
            mux.redraw();
        }
    };
    let job = mux.start_job(start, Box::new(move |mux, _, _, job, _, _| ended(mux, job)));
    if let Some(pane) = mux.panes.get_mut(&id) {
        pane.pipe = Some(job);
    }
    mux.redraw();
    DONE
}

/// The command sees the end of its input; one that only types is ended.
fn close(mux: &mut Mux, id: PaneId, job: JobId) {
    match mux.job_takes_input(job) {
        true => mux.effect(Effect::WriteJob(job, Vec::new())),
        false => mux.effect(Effect::KillJob(job)),
    }
    if let Some(pane) = mux.panes.get_mut(&id) {
        pane.pipe = None;
    }
    mux.redraw();
}
