//! source-file: run the commands of files.

use super::*;
use crate::target::Kind;

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "source-file",
        alias: Some("source"),
        template: Template::text("t:Fnqv", 1, None),
        usage: "[-Fnqv] [-t target-pane] path ...",
    },
    "Run the commands of a file",
    run,
)
.target(Spec::of('t', Kind::Pane).can_fail());

/// How deep files may source files.
const DEPTH_LIMIT: usize = 50;

fn run(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let depth = context.state.depth;
    if depth >= DEPTH_LIMIT {
        return Err("too many nested files".into());
    }
    let quiet = context.has('q');
    let paths: Vec<String> =
        (0..context.arguments().positional().len()).filter_map(|at| context.argument(at)).collect();
    let state = Rc::new(State { depth: depth + 1, ..(*context.state).clone() });
    let mut failed: Vec<String> = Vec::new();
    for path in paths {
        let path = if context.has('F') { mux.expand_in(context, context.target, &path) } else { path };
        if path == "-" {
            return from_stdin(mux, context, state);
        }
        let cwd = mux.default_cwd(context.client, None, context.world);
        let pattern = if path.starts_with('/') { path.clone() } else { format!("{cwd}/{path}") };
        let files = context.world.glob(&pattern);
        if files.is_empty() {
            if !quiet {
                failed.push(format!("No such file or directory: {path}"));
            }
            continue;
        }
        for file in files {
            match context.world.read_file(&file) {
                Ok(bytes) => load(mux, context, &state, &bytes, Some(&file)),
                Err(_) if quiet => {}
                Err(error) => failed.push(format!("{error}: {path}")),
            }
        }
    }
    context.run_after(vec![waiting_problems(&state)]);
    let Some(last) = failed.pop() else { return DONE };
    for text in failed {
        mux.report_error(context, &text);
    }
    Err(last.into())
}

fn load(mux: &mut Mux, context: &mut Context<'_>, state: &Rc<State>, bytes: &[u8], file: Option<&str>) {
    let text = crate::raw::text(bytes);
    let read = if context.has('n') {
        mux.parse_in(&text, &Source { file, line: 1, whole: file.is_none() }, context.world, true)
            .map(|(list, _)| Commands::new(list))
            .map_err(|error| {
                let place = file.map_or(String::new(), |file| format!("{file}:{}: ", error.line));
                format!("{place}{}", error.message)
            })
    } else {
        mux.commands(&text, file, context.world)
    };
    let commands = match read {
        Ok(commands) => commands,
        Err(error) => return context.run_after(vec![problem(state, error)]),
    };
    if context.has('v') {
        for command in commands.list.iter() {
            let shown = crate::command::print_command(command);
            mux.print(context, &format!("{}:{}: {shown}", file.unwrap_or("-"), command.line));
        }
    }
    if !context.has('n') {
        let mut formats: Vec<(String, String)> =
            state.formats.iter().filter(|(name, _)| name != "current_file").cloned().collect();
        formats.push(("current_file".to_owned(), file.unwrap_or("-").to_owned()));
        let state = Rc::new(State { formats, ..State::clone(state) });
        let items = mux.queues.items(&commands, &state);
        context.run_after(items);
    }
}

/// A file that can't be read: told among what the command prints, as tmux tells of it; the client's status shows it.
fn problem(state: &Rc<State>, text: String) -> Item {
    Item::callback(state.clone(), move |mux, context| {
        if context.client.is_none() || !mux.configured {
            return Err(text.into());
        }
        match context.client.filter(|id| mux.clients.get(id).is_some_and(|client| client.is_control())) {
            Some(client) => {
                mux.event(Event::ConfigError(client, text));
                return DONE;
            }
            None => mux.print(context, &text),
        }
        Err(CommandError::silent())
    })
}

/// What was wrong in the configuration, if nobody was told yet: whoever sources a file next is.
fn waiting_problems(state: &Rc<State>) -> Item {
    Item::callback(state.clone(), |mux, context| {
        if mux.configured && context.client.is_some() {
            mux.tell_config_errors(context);
        }
        DONE
    })
}

fn from_stdin(mux: &mut Mux, context: &mut Context<'_>, state: Rc<State>) -> Outcome {
    let Some(client) = context.client.filter(|id| mux.clients.get(id).is_some_and(|client| client.session.is_none()))
    else {
        return Err("Bad file descriptor: -".into());
    };
    let wait = mux.read_stdin(client);
    let arguments = context.running.clone();
    context.run_after(vec![Item::callback(state.clone(), move |mux, context| {
        context.running = arguments;
        let bytes = mux.take_stdin(client);
        load(mux, context, &state, &bytes, Some("-"));
        context.run_after(vec![waiting_problems(&state)]);
        DONE
    })]);
    Ok(Flow::Wait(wait))
}
