//! show-hooks: the hooks of an owner, or what is known of them in a format.

use super::*;
use crate::hook::Runs;
use crate::monitor::Monitor;
use crate::option::{self, Listing, OPTIONS, Scope as Owned, Show, Shown};
use crate::target::Kind;

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "show-hooks",
        alias: None,
        template: Template::text("BF:gpt:w", 0, Some(1)),
        usage: "[-gpw] [-t target-pane] [hook]",
    },
    "Show hooks",
    run,
)
.target(Spec::of('t', Kind::Pane).stays_open())
.after_hook()
.read_only();

const FORMAT: &str = "#{option_name}#{?option_has_array_key,[#{option_array_key}],}#{?option_has_value, #{?option_is_string,#{q/a:option_value},#{option_value}},}";
const MONITOR_FORMAT: &str = "#{option_name}:#{hook_monitor_target}:#{hook_monitor_format}";

fn run(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let named = context.argument(0).map(|written| mux.expand_in(context, context.target, &written));
    let users = named.is_none() && (!mux.hooks.users.is_empty() || !mux.monitors.is_empty());
    if context.has('B') || context.has('F') || users || named.as_ref().is_some_and(|name| name.starts_with('@')) {
        return detailed(mux, context, named);
    }
    show_options::run(mux, context, context.has('w'), Listing::Hooks)
}

fn detailed(mux: &mut Mux, context: &mut Context<'_>, named: Option<String>) -> Outcome {
    let named = named.map(|name| option::resolve(&name)).transpose().map_err(|error| error.to_string())?;
    let owner = match &named {
        Some(name) => mux.option_scope(context, name, context.has('w'))?,
        None => mux.option_scope_of_flags(context, context.has('w'))?,
    };
    if context.has('B') {
        return monitors(mux, context, owner, named.as_ref().map(|name| name.name.as_str()));
    }
    let format = context.get('F').unwrap_or_else(|| FORMAT.to_owned());
    let names = match &named {
        Some(name) => vec![name.clone()],
        None => hooks_of(mux, owner).iter().filter_map(|name| option::resolve(name).ok()).collect(),
    };
    for hook in names {
        let name = hook.name.as_str();
        let Some(all) = mux.own_options(owner).and_then(|store| Show::default().one(&[store], &hook)) else {
            if name.starts_with('@') && mux.monitors.get(owner, name).is_none() {
                return Err(format!("invalid option: {name}").into());
            }
            continue;
        };
        let runs = match mux.monitors.get(owner, name) {
            Some(monitor) => Runs { count: monitor.count, last: monitor.fired },
            None => mux.hooks.runs(owner, name),
        };
        for shown in all {
            print(mux, context, &format, &[shown.formats(false), ran(runs)].concat());
        }
    }
    DONE
}

/// The names of an owner's hooks: the user's own first.
fn hooks_of(mux: &Mux, owner: OptionScope) -> Vec<String> {
    let Some(store) = mux.own_options(owner) else { return Vec::new() };
    let user = |name: &&str| mux.is_user_hook(owner, name);
    let own = store.iter().map(|(name, _)| name).filter(user).map(str::to_owned);
    let fits = |scope: Owned| match owner {
        OptionScope::Server => scope == Owned::Server,
        OptionScope::GlobalSession | OptionScope::Session(_) => scope == Owned::Session,
        OptionScope::GlobalWindow | OptionScope::Window(_) => matches!(scope, Owned::Window | Owned::WindowOrPane),
        OptionScope::Pane(_) => scope == Owned::WindowOrPane,
    };
    let listed = OPTIONS.iter().filter(|row| row.hook && row.listed(mux.identity.face) && fits(row.scope));
    own.chain(listed.map(|row| row.name.to_owned())).collect()
}

/// How often a hook ran, and when last, if it did.
fn ran(runs: Runs) -> Vec<(String, String)> {
    let count = ("hook_fire_count".to_owned(), runs.count.to_string());
    let time = (runs.last != 0).then(|| ("hook_fire_time".to_owned(), runs.last.to_string()));
    std::iter::once(count).chain(time).collect()
}

fn monitors(mux: &mut Mux, context: &mut Context<'_>, owner: OptionScope, name: Option<&str>) -> Outcome {
    let format = context.get('F').unwrap_or_else(|| MONITOR_FORMAT.to_owned());
    let wanted = |monitor: &&Monitor| name.is_none_or(|name| monitor.name == name);
    let all: Vec<Monitor> = mux.monitors.of(owner).filter(wanted).cloned().collect();
    for monitor in all {
        let target = monitor.watched.text();
        let text = format!("{}:{target}:{}", monitor.name, monitor.format);
        let mut values =
            [Shown::of(&monitor.name, text).formats(false), ran(Runs { count: monitor.count, last: monitor.fired })]
                .concat();
        for (name, value) in [("option_is_hook", "1".to_owned()), ("hook_monitor_target", target)] {
            values.retain(|(other, _)| other != name);
            values.push((name.to_owned(), value));
        }
        values.push(("hook_monitor_format".to_owned(), monitor.format));
        print(mux, context, &format, &values);
    }
    DONE
}

fn print(mux: &mut Mux, context: &Context<'_>, format: &str, values: &[(String, String)]) {
    let client = context.target_client.or(context.client);
    let line = mux.expand_at(client, context.target, format, values, context.world, context.now);
    mux.print(context, &line);
}
