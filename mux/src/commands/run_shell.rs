//! run-shell: run a shell command, or commands later.

use super::*;
use crate::command::{Arguments, Kind as Takes, Value};
use crate::jobs::{Start, status_of};
use crate::target::Kind;
use crate::timer::Timer;
use std::time::Duration;

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "run-shell",
        alias: Some("run"),
        template: Template { flags: "bd:Ct:Es:c:", least: 0, most: None, kind: Some(takes) },
        usage: "[-bCE] [-c start-directory] [-d delay] [-t target-pane] [shell-command [argument ...]]",
    },
    "Run a shell command",
    run,
)
.target(Spec::of('t', Kind::Pane).can_fail());

fn takes(arguments: &Arguments, _: usize) -> Takes {
    if arguments.has('C') { Takes::CommandsOrText } else { Takes::Text }
}

fn run(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let delay = match context.get('d') {
        None => None,
        Some(text) => match text.parse::<f64>() {
            Ok(seconds) if seconds.is_finite() => Some(Duration::from_secs_f64(seconds.clamp(0.0, 1e9))),
            _ => return Err(format!("invalid delay time: {text}").into()),
        },
    };
    if delay.is_none() && context.argument(0).is_none() {
        return DONE;
    }
    let background = context.has('b');
    if context.has('C') {
        return run_commands(mux, context, delay, background);
    }
    let command = context.argument(0).map(|command| {
        let mut extra = mux.format_values(context, &command);
        for at in 1..context.arguments().positional().len() {
            extra.push((at.to_string(), context.argument(at).unwrap_or_default()));
        }
        mux.expand_at(context.target_client, context.target, &command, &extra, context.world, context.now)
    });
    let cwd = context.get('c').map(|cwd| absolute(mux, context, &cwd)).unwrap_or_else(|| mux.job_cwd(context));
    let session = context.target.session;
    let pane = context.target.pane.filter(|_| context.has('t'));
    match (command, delay) {
        (None, delay) => wait_for_delay(mux, context, delay.unwrap_or_default(), background, Vec::new()),
        (Some(command), None) => start(mux, context, command, cwd, session, pane, background),
        (Some(command), Some(delay)) => {
            let then = Item::callback(context.state.clone(), move |mux, context| {
                start(mux, context, command, cwd, session, pane, background)
            });
            wait_for_delay(mux, context, delay, background, vec![then])
        }
    }
}

fn run_commands(mux: &mut Mux, context: &mut Context<'_>, delay: Option<Duration>, background: bool) -> Outcome {
    let commands = match context.arguments().positional().first().cloned() {
        None => return DONE,
        Some(Value::Commands(list)) => Commands::new(list),
        Some(Value::Text(text)) => {
            let text = mux.expand_in(context, context.target, &text);
            mux.commands_of_argument(&text, context)?
        }
    };
    let state = context.state.clone();
    let items = mux.queues.items(&commands, &state);
    match delay {
        None if background => {
            mux.queues.append(None, items);
            DONE
        }
        None => {
            context.run_after(items);
            DONE
        }
        Some(delay) => wait_for_delay(mux, context, delay, background, items),
    }
}

/// Run items once a delay is over: in front of the queue that waits, or on a queue of their own.
fn wait_for_delay(
    mux: &mut Mux,
    context: &mut Context<'_>,
    delay: Duration,
    background: bool,
    items: Vec<Item>,
) -> Outcome {
    let number = mux.next_wait();
    mux.timers.set(Timer::Delay(number), context.now.instant + delay);
    if background {
        mux.delayed.insert(number, items);
        return DONE;
    }
    context.run_after(items);
    Ok(Flow::Wait(Wait::Delay(number)))
}

fn start(
    mux: &mut Mux,
    context: &mut Context<'_>,
    command: String,
    cwd: String,
    session: Option<SessionId>,
    pane: Option<PaneId>,
    background: bool,
) -> Outcome {
    let client = context.client;
    let state = context.state.clone();
    let shown = command.clone();
    let start = Start { command, cwd, session, errors: context.has('E'), ..Start::default() };
    let job = mux.start_job(
        start,
        Box::new(move |mux, _, _, id, output, exit| {
            let text = String::from_utf8_lossy(&output).into_owned();
            let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
            match exit {
                Exit::Status(0) => {}
                Exit::Status(status) => lines.push(format!("'{shown}' returned {status}")),
                Exit::Signal(signal) => lines.push(format!("'{shown}' terminated by signal {signal}")),
            }
            let status = status_of(exit);
            let tell = Item::callback(state, move |mux, context| {
                tell(mux, context, pane, background, &lines);
                // The last job's counts, also after something that failed.
                let waits = |client: &&mut crate::Client| !background && client.session.is_none();
                if let Some(client) = context.client.and_then(|id| mux.clients.get_mut(&id)).filter(waits) {
                    client.status = status;
                }
                DONE
            });
            if background {
                mux.queues.append(client, [tell]);
            } else {
                mux.queues.wake_with(&Wait::Job(id), vec![tell]);
            }
        }),
    );
    if background { DONE } else { Ok(Flow::Wait(Wait::Job(job))) }
}

/// Output goes to the pane of -t, in its view mode; without one to whoever ran the command, or when nobody waits for it
/// to the pane used last.
fn tell(mux: &mut Mux, context: &Context<'_>, pane: Option<PaneId>, background: bool, lines: &[String]) {
    if lines.is_empty() {
        return;
    }
    let pane = pane.filter(|pane| mux.panes.contains_key(pane));
    let unwatched = || crate::target::best(mux, false).filter(|_| background);
    match pane.or_else(|| unwatched()?.pane) {
        Some(pane) => mux.show_in_pane(pane, &lines.join("\n")),
        None if background => {}
        None => {
            for line in lines {
                mux.print(context, line);
            }
        }
    }
}
