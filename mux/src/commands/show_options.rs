//! show-options and show-window-options.

use super::*;
use crate::option::{self, Listing, Owner, Show};
use crate::target::Kind;

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "show-options",
        alias: Some("show"),
        template: Template::text("AgHpqst:vw", 0, Some(1)),
        usage: "[-AgHpqsvw] [-t target-pane] [option]",
    },
    "Show options",
    |mux, context| run(mux, context, context.has('w'), Listing::Options),
)
.target(Spec::of('t', Kind::Pane).can_fail())
.after_hook()
.read_only();

pub(crate) static WINDOW: Row = Row::new(
    Signature {
        name: "show-window-options",
        alias: Some("showw"),
        template: Template::text("gvt:", 0, Some(1)),
        usage: "[-gv] [-t target-window] [option]",
    },
    "Show window options",
    |mux, context| run(mux, context, true, Listing::Options),
)
.target(Spec::of('t', Kind::Window).can_fail())
.after_hook()
.read_only();

pub(super) fn run(mux: &mut Mux, context: &mut Context<'_>, window: bool, listing: Listing) -> Outcome {
    let quiet = context.has('q');
    let show = Show { values_only: context.has('v'), inherited: context.has('A') };
    let Some(written) = context.argument(0) else {
        let scope = match mux.option_scope_of_flags(context, window) {
            Ok(scope) => scope,
            Err(_) if quiet => return DONE,
            Err(error) => return Err(error.into()),
        };
        let owner = match scope {
            OptionScope::Server => Owner::Server,
            OptionScope::GlobalSession | OptionScope::Session(_) => Owner::Session,
            OptionScope::GlobalWindow | OptionScope::Window(_) => Owner::Window,
            OptionScope::Pane(_) => Owner::Pane,
        };
        let listing = if context.has('H') { Listing::OptionsAndHooks } else { listing };
        for line in show.all(&mux.option_chain(scope), owner, listing, mux.identity.face) {
            mux.print(context, &line);
        }
        return DONE;
    };
    let written = mux.expand_in(context, context.target, &written);
    let name = match option::resolve(&written) {
        Ok(name) => name,
        Err(_) if quiet => return DONE,
        Err(error) => return Err(error.to_string().into()),
    };
    let scope = match mux.option_scope(context, &name, window) {
        Ok(scope) => scope,
        Err(_) if quiet => return DONE,
        Err(error) => return Err(error.into()),
    };
    match show.one(&mux.option_chain(scope), &name) {
        Some(lines) => {
            for line in lines {
                mux.print(context, &line);
            }
            DONE
        }
        None if name.is_user() && !quiet => Err(format!("invalid option: {written}").into()),
        None => DONE,
    }
}
