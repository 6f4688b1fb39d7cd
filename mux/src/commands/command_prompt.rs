//! command-prompt and confirm-before: ask something in the status line, then run commands.

use super::*;
use crate::command::{Arguments, Kind as Takes, Value};
use crate::prompt::{Answer, HISTORIES, Prompt, Question, Seat, Takes as PromptTakes};

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "command-prompt",
        alias: None,
        template: Template { flags: "1CbeFkliI:NPp:t:T:", least: 0, most: Some(1), kind: Some(takes) },
        usage: "[-1CbeFiklN] [-I inputs] [-p prompts] [-t target-client] [-T prompt-type] [template]",
    },
    "Ask for a command",
    run,
)
.client('t', false);

pub(crate) static CONFIRM: Row = Row::new(
    Signature {
        name: "confirm-before",
        alias: Some("confirm"),
        template: Template { flags: "bc:p:t:y", least: 1, most: Some(1), kind: Some(takes) },
        usage: "[-by] [-c confirm-key] [-p prompt] [-t target-client] command",
    },
    "Ask before running a command",
    confirm,
)
.client('t', false);

fn takes(_: &Arguments, _: usize) -> Takes {
    Takes::CommandsOrText
}

/// Whether the command waits for the answer, as one from a shell does. A control client has no keys: a question that only
/// its own keys could answer is refused, instead of its queue waiting for ever. Others may ask it, and answer for it
/// (`send-keys -K`), so nobody waits for it.
fn waits(mux: &Mux, context: &Context<'_>, client: ClientId) -> Result<bool, CommandError> {
    let waits = !context.has('b') && !context.has('i');
    let is_control = mux.clients.get(&client).is_some_and(crate::client::Client::is_control);
    if waits && is_control && context.client == Some(client) {
        return Err("a control client can't be asked".into());
    }
    Ok(waits && !is_control)
}

fn run(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let Some(client) = context.target_client else { return DONE };
    let waits = waits(mux, context, client)?;
    let seat = match context.target.pane.filter(|_| context.has('P')) {
        Some(pane) => Seat::Pane(pane),
        None => Seat::Client(client),
    };
    if mux.prompt_at(seat).is_some() {
        return DONE;
    }
    let template = match context.arguments().positional().first() {
        None => "%1".to_owned(),
        Some(value) => value.text().into_owned(),
    };
    let template = if context.has('F') { mux.expand_in(context, context.target, &template) } else { template };
    let split = |text: Option<String>| -> Vec<String> {
        match text {
            None => Vec::new(),
            Some(text) if context.has('l') => vec![text],
            Some(text) => text.split(',').map(str::to_owned).collect(),
        }
    };
    let named = context.get('p');
    let default = match context.argument(0) {
        Some(_) if named.is_none() => {
            let word = template.split_whitespace().next().unwrap_or("");
            format!("({word})")
        }
        _ => ":".to_owned(),
    };
    let blank = named.is_some() || context.argument(0).is_some();
    let prompts = if named.is_some() { split(named) } else { vec![default] };
    let mut inputs = split(context.get('I')).into_iter();
    let mut questions = Vec::new();
    for prompt in prompts {
        let text = mux.expand_in(context, context.target, &prompt);
        let initial = inputs.next().map(|input| mux.expand_in(context, context.target, &input)).unwrap_or_default();
        questions.push(Question { text: if blank { format!("{text} ") } else { text }, initial });
    }
    let takes = if context.has('1') {
        PromptTakes::Character
    } else if context.has('N') {
        PromptTakes::Number
    } else if context.has('k') {
        PromptTakes::KeyName
    } else if context.has('i') {
        PromptTakes::Incremental
    } else {
        PromptTakes::Line
    };
    let history = context.get('T').unwrap_or_else(|| "command".to_owned());
    if !HISTORIES.contains(&history.as_str()) {
        return Err(format!("unknown type: {history}").into());
    }
    let prompt = new_prompt(mux, context, questions, takes, Answer::Command(template), waits, history);
    let ends_at_start = context.has('e') && takes == PromptTakes::Line;
    Ok(mux.ask(context, seat, Prompt { ends_at_start, ..prompt }))
}

fn confirm(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let Some(client) = context.target_client else { return DONE };
    let waits = waits(mux, context, client)?;
    let commands = match context.arguments().positional()[0].clone() {
        Value::Commands(list) => Commands::new(list),
        Value::Text(text) => mux.commands_of_argument(&text, context)?,
    };
    let key = match context.get('c') {
        None => 'y',
        Some(text) => match text.chars().collect::<Vec<_>>().as_slice() {
            [key] if (' '..'\x7f').contains(key) => *key,
            _ => return Err("invalid confirm key".into()),
        },
    };
    let text = match context.get('p') {
        Some(text) => format!("{} ", mux.expand_in(context, context.target, &text)),
        None => {
            let name = commands.list.first().map_or("", |command| command.signature.name);
            format!("Confirm '{name}'? ({key}/n) ")
        }
    };
    let questions = vec![Question { text, initial: String::new() }];
    let prompt = new_prompt(
        mux,
        context,
        questions,
        PromptTakes::Character,
        Answer::Confirm(commands, key, context.has('y')),
        waits,
        "command".to_owned(),
    );
    Ok(mux.ask(context, Seat::Client(client), prompt))
}

/// The commands stand where they were asked for, wherever their client or another one goes until the answer.
fn standing(mux: &Mux, context: &Context<'_>) -> Rc<State> {
    let current = std::cell::Cell::new(mux.current(context, false));
    Rc::new(State { current, ..(*context.state).clone() })
}

fn new_prompt(
    mux: &Mux,
    context: &Context<'_>,
    questions: Vec<Question>,
    takes: PromptTakes,
    answer: Answer,
    waits: bool,
    history: String,
) -> Prompt {
    Prompt { questions, takes, waits, history, ..Prompt::new(answer, standing(mux, context)) }
}

#[cfg(test)]
mod tests {
    use crate::Face;
    use crate::fake::Bench;

    #[test]
    fn a_shell_waits_for_the_answer_and_gets_what_it_prints() {
        let mut bench = Bench::new(Face::Tmux);
        let client = bench.terminal((80, 24), &["new-session", "-s", "a", "cat"]);
        let shell = bench.start(&["command-prompt", "-k", "display-message -p 'key %%'"]);
        assert_eq!(bench.ran(shell).status, None);
        bench.keys(client, b"\x01");
        assert_eq!((bench.ran(shell).stdout.as_str(), bench.ran(shell).status), ("key C-a\n", Some(0)));
        let shell = bench.start(&["command-prompt", "-b", "display-message -p %%"]);
        assert_eq!(bench.ran(shell).status, Some(0));
    }
}
