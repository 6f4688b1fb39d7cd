//! set-environment and show-environment.

use super::*;
use crate::environment::{Form, Visibility};
use crate::target::Kind;

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "set-environment",
        alias: Some("setenv"),
        template: Template::text("Fhgrt:u", 1, Some(2)),
        usage: "[-Fhgru] [-t target-session] variable [value]",
    },
    "Set an environment variable",
    run,
)
.target(Spec::of('t', Kind::Session).can_fail())
.after_hook();

pub(crate) static SHOW: Row = Row::new(
    Signature {
        name: "show-environment",
        alias: Some("showenv"),
        template: Template::text("hgst:", 0, Some(1)),
        usage: "[-hgs] [-t target-session] [variable]",
    },
    "Show the environment",
    show,
)
.target(Spec::of('t', Kind::Session).can_fail())
.after_hook()
.read_only();

fn run(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let name = context.argument(0).unwrap_or_default();
    if name.is_empty() {
        return Err("empty variable name".into());
    }
    if name.contains('=') {
        return Err("variable name contains =".into());
    }
    let value = context
        .argument(1)
        .map(|value| if context.has('F') { mux.expand_in(context, context.target, &value) } else { value });
    let (unset, clear) = (context.has('u'), context.has('r'));
    if (unset || clear) && value.is_some() {
        return Err(format!("can't specify a value with {}", if unset { "-u" } else { "-r" }).into());
    }
    let hidden = context.has('h');
    let environment = environment(mux, context)?;
    match (unset, clear, value) {
        (true, ..) => environment.unset(&name),
        (_, true, _) => environment.clear(&name),
        (_, _, Some(value)) => environment.assign(&name, &value, hidden),
        _ => return Err("no value specified".into()),
    }
    mux.changed();
    DONE
}

fn environment<'a>(
    mux: &'a mut Mux,
    context: &Context<'_>,
) -> Result<&'a mut crate::environment::Environment, CommandError> {
    if context.has('g') {
        return Ok(&mut mux.environment);
    }
    let missing = || match context.get('t') {
        Some(name) => format!("no such session: {name}"),
        None => "no current session".to_owned(),
    };
    let session = context.target.session.and_then(|id| mux.sessions.get_mut(&id));
    Ok(&mut session.ok_or_else(missing)?.environment)
}

fn show(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let visibility = if context.has('h') { Visibility::Hidden } else { Visibility::Shown };
    let form = if context.has('s') { Form::Shell } else { Form::Plain };
    if !context.has('g') && context.target.session.is_none() && context.get('t').is_none() {
        return Err("no current session".into());
    }
    let environment = environment(mux, context)?;
    let lines = match context.argument(0) {
        None => environment.show(visibility, form),
        Some(name) => {
            if environment.find(&name).is_none() {
                return Err(format!("unknown variable: {name}").into());
            }
            environment.show_one(&name, visibility, form).into_iter().collect()
        }
    };
    for line in lines {
        mux.print(context, &line);
    }
    DONE
}
