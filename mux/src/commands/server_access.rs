//! server-access: who may use the server besides its owner.

use super::*;
use crate::World;
use crate::access::{Right, Who};

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "server-access",
        alias: None,
        template: Template::text("adglrw", 0, Some(1)),
        usage: "[-adlrw] [-t target-pane] [user]",
    },
    "Let other users in, to read or to write",
    run,
);

fn run(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    if context.has('l') {
        let owner = (Who::User(mux.identity.uid), Right::Write);
        let all: Vec<(Who, Right)> = std::iter::once(owner).chain(mux.access.iter()).collect();
        for (who, right) in all {
            if let Some(line) = line(context.world, who, right) {
                mux.print(context, &line);
            }
        }
        return DONE;
    }
    let Some(name) = context.argument(0) else { return Err("missing user argument".into()) };
    let name = mux.expand_in(context, context.target, &name);
    let group = context.has('g');
    let kind = if group { "group" } else { "user" };
    let who = match group {
        true => context.world.group_id(&name).map(Who::Group),
        false => context.world.user_id(&name).map(Who::User),
    };
    let who = who.ok_or_else(|| format!("unknown {kind}: {name}"))?;
    if matches!(who, Who::User(uid) if uid == 0 || uid == mux.identity.uid) {
        return Err(format!("{name} owns the server, can't change access").into());
    }
    for (one, other) in [('a', 'd'), ('r', 'w')] {
        if context.has(one) && context.has(other) {
            return Err(format!("-{one} and -{other} cannot be used together").into());
        }
    }
    if context.has('d') {
        if !mux.access.deny(who) {
            return Err(format!("{kind} {name} not found").into());
        }
        mux.access_changed();
        return DONE;
    }
    let had = mux.access.right(who);
    if context.has('a') && had.is_some() {
        return Err(format!("{kind} {name} is already added").into());
    }
    let right = match (context.has('r'), context.has('w'), context.has('a')) {
        (true, ..) => Right::Read,
        (_, true, _) | (.., true) => Right::Write,
        _ => return DONE,
    };
    mux.access.allow(who, right);
    mux.access_changed();
    DONE
}

fn line(world: &dyn World, who: Who, right: Right) -> Option<String> {
    let letter = if right == Right::Read { "R" } else { "W" };
    let named = |name: Option<String>| name.unwrap_or_else(|| "unknown".to_owned());
    match who {
        // Root may do everything, and nobody has to be told.
        Who::User(0) => None,
        Who::User(uid) => Some(format!("{} ({letter})", named(world.user_name(uid)))),
        Who::Group(gid) => Some(format!("{} (G,{letter})", named(world.group_name(gid)))),
    }
}
