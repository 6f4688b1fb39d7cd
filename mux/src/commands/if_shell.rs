//! if-shell: run one of two commands by the status of a shell command, or by a format.

use super::*;
use crate::command::{Arguments, Kind as Takes, Value};
use crate::jobs::Start;
use crate::target::Kind;

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "if-shell",
        alias: Some("if"),
        template: Template { flags: "bFt:", least: 2, most: Some(3), kind: Some(takes) },
        usage: "[-bF] [-t target-pane] shell-command command [command]",
    },
    "Run a command by the status of another",
    run,
)
.target(Spec::of('t', Kind::Pane).can_fail());

fn takes(_: &Arguments, at: usize) -> Takes {
    if at == 0 { Takes::Text } else { Takes::CommandsOrText }
}

fn run(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let test = context.argument(0).unwrap_or_default();
    let test = mux.expand_in(context, context.target, &test);
    if context.has('F') {
        let items = chosen(mux, context, crate::format::is_true(&test))?;
        context.run_after(items);
        return DONE;
    }
    let background = context.has('b');
    let (client, state, running) = (context.client, context.state.clone(), context.running.clone());
    let cwd = mux.job_cwd(context);
    let start = Start { command: test, cwd, session: context.target.session, ..Start::default() };
    let job = mux.start_job(
        start,
        Box::new(move |mux, _, _, id, _, exit| {
            let then = Item::callback(state, move |mux, context| {
                context.running = running;
                let items = chosen(mux, context, exit == Exit::Status(0))?;
                context.run_after(items);
                DONE
            });
            if background {
                mux.queues.append(client, [then]);
            } else {
                mux.queues.wake_with(&Wait::Job(id), vec![then]);
            }
        }),
    );
    if background { DONE } else { Ok(Flow::Wait(Wait::Job(job))) }
}

fn chosen(mux: &mut Mux, context: &Context<'_>, holds: bool) -> Result<Vec<Item>, CommandError> {
    let value = context.arguments().positional().get(if holds { 1 } else { 2 }).cloned();
    let commands = match value {
        None => return Ok(Vec::new()),
        Some(Value::Commands(list)) => Commands::new(list),
        Some(Value::Text(text)) => mux.commands_of_argument(&text, context)?,
    };
    let state = context.state.clone();
    Ok(mux.queues.items(&commands, &state))
}
