//! launch-agent: run a coding agent in a pane, so that it comes back to its own conversation. An engine's own name is
//! short for it: `ENGINE …` is `launch-agent ENGINE …`.

use super::*;
use crate::agent::{Ended, Start};
use crate::spawn::Wanted;

pub(crate) static LAUNCH: Row = Row::new(
    Signature {
        name: "launch-agent",
        alias: None,
        template: Template::text("t:", 1, None),
        usage: "[-t target-pane] engine [-t target-pane] [new] [--fresh-session] [argument ...]",
    },
    "Run a coding agent in a pane",
    run,
)
.target(Spec::of('t', crate::target::Kind::Pane))
.rove();

pub(crate) static REPORT: Row = Row::new(
    Signature {
        name: "report-agent",
        alias: None,
        template: Template::text("e:", 1, Some(2)),
        usage: "[-e status] pane-token [conversation|mark]",
    },
    "For agents themselves: tell which conversation one has, or that one ended",
    report,
)
.rove();

/// The status of a report that came before the words it is about.
const NOT_YET: i32 = 75;

/// A pane that is gone, or a report that is not believed, is nobody's error.
fn report(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let (token, word) = (context.argument(0).unwrap_or_default(), context.argument(1).unwrap_or_default());
    let Some(pane) = mux.pane_with_token(&token) else { return DONE };
    let Some(status) = context.get('e') else {
        mux.agent_told(context, pane, word);
        return DONE;
    };
    let status = status.parse().map_err(|_| CommandError(format!("status {status} is not a number")))?;
    let shell = mux.panes.get(&pane).map(|pane| pane.pid);
    if word.is_empty() || !mux.above_client(context, pane).iter().any(|pid| Some(*pid) == shell) {
        return DONE;
    }
    match mux.agent_ended(context.now, context.world, pane, status, &word) {
        Ended::Nothing => {}
        Ended::NotYet => {
            if let Some(client) = context.client.and_then(|id| mux.clients.get_mut(&id)) {
                client.status = NOT_YET;
            }
        }
        Ended::Told(line) => mux.print(context, &line),
        Ended::Next(wanted, note) => return start_over(mux, context, pane, &wanted, note.as_deref()),
    }
    DONE
}

fn run(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let mut words = context.words();
    let engine = words.remove(0);
    let mut named = context.has('t').then_some(context.target.pane).flatten();
    if words.first().is_some_and(|word| word == "-t") && words.len() > 1 {
        let current = mux.current(context, false);
        let spec = Spec::of('t', crate::target::Kind::Pane);
        named = crate::target::find(mux, spec, Some(&words[1]), current, context.state.mouse)?.pane;
        words.drain(..2);
    }
    let client = context.client.and_then(|id| mux.clients.get(&id)).filter(|client| client.session.is_none());
    let inside = client.and_then(|client| Some((client.id, crate::target::inside_pane(mux, client)?)));
    match (named, inside) {
        // In the pane's own shell the engine simply takes the place of this command.
        (None, Some((client, pane))) => in_place(mux, context, client, pane, &engine, words),
        (Some(pane), Some((client, own))) if pane == own => in_place(mux, context, client, pane, &engine, words),
        (Some(pane), _) => beside(mux, context, pane, &engine, words),
        (None, None) => match context.target.pane {
            Some(pane) => beside(mux, context, pane, &engine, words),
            None => Err("no pane to run it in: give one with -t".into()),
        },
    }
}

fn in_place(
    mux: &mut Mux,
    context: &mut Context<'_>,
    client: ClientId,
    pane: PaneId,
    engine: &str,
    words: Vec<String>,
) -> Outcome {
    let cwd = mux.clients.get(&client).map_or(String::new(), |client| client.cwd.clone());
    let cwd = context.world.real_path(&cwd).unwrap_or(cwd);
    let (_, launch) = mux.plan_launch(context.now, context.world, pane, engine, words, cwd)?;
    if let Some(note) = &launch.note {
        mux.effect(Effect::Stderr(client, format!("rove: {note}\n").into_bytes()));
    }
    let mut line = String::from("exec env");
    for name in &launch.env_remove {
        line.push_str(&format!(" -u {}", agents::shell::quote_posix(name)));
    }
    for (name, value) in &launch.env_set {
        line.push_str(&format!(" {name}={}", agents::shell::quote_posix(value)));
    }
    for word in &launch.argv {
        line.push(' ');
        line.push_str(&agents::shell::quote_posix(word));
    }
    mux.send_away(client, Farewell::Exec(line));
    DONE
}

/// Run it in another pane, which must be at its shell: the shell starts anew with the engine as its first command.
fn beside(mux: &mut Mux, context: &mut Context<'_>, pane: PaneId, engine: &str, words: Vec<String>) -> Outcome {
    mux.engine_named(engine)?;
    if context.world.is_at_shell(pane) == Some(false) {
        let name = context.world.foreground_command(pane).unwrap_or_else(|| "something".to_owned());
        return Err(format!("this pane is already running \"{name}\": exit it first, or open a new pane").into());
    }
    let cwd = mux.directory_of(context.world, pane);
    let (row, launch) = mux.plan_launch(context.now, context.world, pane, engine, words, cwd)?;
    // Whoever asks may know a place that the login shell does not.
    let asks = context.client.and_then(|id| mux.clients.get(&id)).and_then(|client| client.environment.get("PATH"));
    let path = asks.or_else(|| mux.environment.get("PATH")).unwrap_or_default().to_owned();
    let shell = mux.panes.get(&pane).map_or("/bin/sh".to_owned(), |pane| pane.shell.clone());
    let wanted = mux.wrapped(row, &launch, &shell, &path);
    if let Some(entry) = mux.panes.get_mut(&pane) {
        entry.agent_runs = true;
        entry.agent_start = Some(Start::default());
        entry.argv = Vec::new();
        if let Some(cwd) = &wanted.cwd {
            entry.cwd.clone_from(cwd);
        }
    }
    mux.keep_for_engine(pane);
    start_over(mux, context, pane, &wanted, launch.note.as_deref())
}

/// Start a program in the place of a pane's shell, below what its screen shows.
fn start_over(mux: &mut Mux, context: &mut Context<'_>, pane: PaneId, wanted: &Wanted, note: Option<&str>) -> Outcome {
    let session = crate::target::from_pane(mux, pane).and_then(|found| found.session);
    if let Some(entry) = mux.panes.get_mut(&pane) {
        entry.modes.clear();
        crate::freeze::come_back(&mut entry.terminal, note);
    }
    mux.start_program(context.world, pane, session, wanted)
        .map_err(|error| CommandError(format!("respawn pane failed: {error}")))?;
    DONE
}
