//! respawn-pane: start a pane's program again.

use super::*;
use crate::spawn::Wanted;
use crate::target::Kind;

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "respawn-pane",
        alias: Some("respawnp"),
        template: Template::text("c:e:Ekt:", 0, None),
        usage: "[-k] [-c start-directory] [-e environment] [-t target-pane] [shell-command [argument ...]]",
    },
    "Start a pane's program again",
    run,
)
.target(Spec::of('t', Kind::Pane))
.after_hook();

pub(crate) static WINDOW: Row = Row::new(
    Signature {
        name: "respawn-window",
        alias: Some("respawnw"),
        template: Template::text("c:e:Ekt:", 0, None),
        usage: "[-k] [-c start-directory] [-e environment] [-t target-window] [shell-command [argument ...]]",
    },
    "Start a window's program again, in its first pane alone",
    run_window,
)
.target(Spec::of('t', Kind::Window))
.after_hook();

fn run_window(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let Some(window) = context.target.window else { return DONE };
    let panes = mux.windows.get(&window).map_or(Vec::new(), |window| window.panes().to_vec());
    let running = |pane: &PaneId| mux.panes.get(pane).is_some_and(crate::Pane::running);
    if !context.has('k') && panes.iter().any(running) {
        let place = mux.expand_in(context, context.target, "#{session_name}:#{window_index}");
        return Err(format!("respawn window failed: window {place} still active").into());
    }
    mux.unzoom(window);
    let Some((first, others)) = panes.split_first() else { return DONE };
    for pane in others {
        mux.close_pane(context.now, *pane);
    }
    context.target.pane = Some(*first);
    let wanted = wanted(mux, context);
    respawn(mux, context, *first, wanted, true)
        .map_err(|error| CommandError(format!("respawn window failed: {error}")))?;
    if let (Some(session), Some(index)) = (context.target.session, context.target.index) {
        mux.select_window(session, index);
    }
    DONE
}

fn run(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let Some(pane) = context.target.pane else { return DONE };
    let wanted = wanted(mux, context);
    respawn(mux, context, pane, wanted, context.has('k'))
        .map_err(|error| CommandError(format!("respawn pane failed: {error}")))?;
    DONE
}

/// The program that the command's words ask for.
fn wanted(mux: &Mux, context: &Context<'_>) -> Wanted {
    Wanted {
        argv: context.words(),
        cwd: context.get('c').map(|cwd| absolute(mux, context, &cwd)),
        environment: assignments(&context.arguments().all('e').map(str::to_owned).collect::<Vec<_>>()),
        client: context.client,
        empty: context.has('E'),
        ..Wanted::default()
    }
}

/// End what runs in a pane, if that is allowed, and start the wanted program or the same one again.
pub(crate) fn respawn(
    mux: &mut Mux,
    context: &mut Context<'_>,
    id: PaneId,
    wanted: Wanted,
    kill: bool,
) -> Result<(), String> {
    let session = context.target.session;
    let Some(pane) = mux.panes.get(&id) else { return Ok(()) };
    if pane.running() && !kill {
        let place = mux.expand_in(context, context.target, "#{session_name}:#{window_index}.#{pane_index}");
        return Err(format!("pane {place} still active"));
    }
    // An engine comes back to its conversation as after a stop: only its process and its screen are given up.
    let returns = mux.identity.face == Face::Rove && wanted.argv.is_empty();
    let agent = pane.agent.clone().filter(|_| returns);
    if wanted.empty && pane.running() {
        mux.effect(Effect::StopPane(id));
    }
    mux.blank(context.world, id);
    let Some(pane) = mux.panes.get_mut(&id) else { return Ok(()) };
    pane.pid = 0;
    if !wanted.argv.is_empty() {
        pane.argv = wanted.argv.clone();
    }
    if let Some(cwd) = &wanted.cwd {
        pane.cwd = cwd.clone();
    }
    if wanted.empty {
        mux.changed();
        return Ok(());
    }
    if let Some(agent) = agent {
        mux.end_to_return(context.now, id, agent);
        return Ok(());
    }
    mux.start_program(context.world, id, session, &wanted)?;
    mux.fire_created(id, false, true);
    if let Some(window) = mux.panes.get(&id).map(|pane| pane.window) {
        mux.schedule_rename(context.now, window);
    }
    Ok(())
}
