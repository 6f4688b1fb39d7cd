//! show-options and show-window-options.

use super::*;
use crate::option::{self, Listing, Owner, Show, Shown};
use crate::target::Kind;

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "show-options",
        alias: Some("show"),
        template: Template::text("AF:gHpqst:vw", 0, Some(1)),
        usage: "[-AgHpqsvw] [-t target-pane] [option]",
    },
    "Show options",
    |mux, context| run(mux, context, context.has('w'), Listing::Options),
)
.target(Spec::of('t', Kind::Pane).stays_open())
.after_hook()
.read_only();

pub(crate) static WINDOW: Row = Row::new(
    Signature {
        name: "show-window-options",
        alias: Some("showw"),
        template: Template::text("F:gvt:", 0, Some(1)),
        usage: "[-gv] [-t target-window] [option]",
    },
    "Show window options",
    |mux, context| run(mux, context, true, Listing::Options),
)
.target(Spec::of('t', Kind::Window).stays_open())
.after_hook()
.read_only();

pub(super) fn run(mux: &mut Mux, context: &mut Context<'_>, window: bool, listing: Listing) -> Outcome {
    let quiet = context.has('q');
    let show = Show { inherited: context.has('A') };
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
        let mut shown = show.all(&mux.option_chain(scope), owner, listing, mux.identity.face);
        // As on tmux's main branch, hooks of the user's own are no options.
        shown.retain(|one| context.has('H') || !mux.is_user_hook(scope, one.name()));
        print(mux, context, &shown);
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
        Some(shown) => {
            print(mux, context, &shown);
            DONE
        }
        None if name.is_user() && !quiet => Err(format!("invalid option: {written}").into()),
        None => DONE,
    }
}

/// Print lines as they are, or in the user's format (-F, of tmux's main branch).
fn print(mux: &mut Mux, context: &mut Context<'_>, shown: &[Shown]) {
    let values_only = context.has('v');
    let format = context.get('F');
    for one in shown {
        let line = match &format {
            None => one.line(values_only),
            Some(format) => {
                let mut values = one.formats(values_only);
                values.extend(mux.format_values(context, format));
                let client = context.target_client.or(context.client);
                Some(mux.expand_at(client, context.target, format, &values, context.world, context.now))
            }
        };
        if let Some(line) = line {
            mux.print(context, &line);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Face;
    use crate::fake::Bench;

    #[test]
    fn a_line_may_have_a_format_of_the_users() {
        let mut bench = Bench::new(Face::Tmux);
        bench.lines(&["new-session -d", "set -g @str 'two words'", "set -g status-format ''"]);
        let format = "#{option_name}=#{option_value}=#{option_is_user}#{option_is_string}#{option_value_only}";
        assert_eq!(bench.line(&format!("show -gvF '{format}' @str")), "@str=two words=111");
        let format = "#{option_name}:#{option_has_value}:#{option_is_array}:#{session_name}";
        assert_eq!(bench.line(&format!("show -gF '{format}' status-format")), "status-format:0:1:0");
        bench.line("set-hook -g alert-bell[x] 'display-message hi'");
        let format = "#{option_array_key}#{option_is_hook}";
        assert_eq!(bench.line(&format!("show-hooks -gF '{format}' alert-bell")), "x1");
        assert_eq!(bench.line("show-window-options -gF '#{option_name}' mode-keys"), "mode-keys");
    }
}
