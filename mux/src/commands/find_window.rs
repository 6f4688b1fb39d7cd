//! find-window: choose among the panes that show a text, or whose window or title has it.

use super::*;
use crate::mode::list::{self, Opening};
use crate::target::Kind;

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "find-window",
        alias: Some("findw"),
        template: Template::text("CiNrt:TZ", 1, Some(1)),
        usage: "[-CiNrTZ] [-t target-pane] match-string",
    },
    "Search for a pane by what it shows, its window's name or its title",
    run,
)
.target(Spec::of('t', Kind::Pane));

fn run(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let text = context.argument(0).unwrap_or_default();
    let star = if context.has('r') { "" } else { "*" };
    let suffix = match (context.has('r'), context.has('i')) {
        (true, true) => "/ri",
        (true, false) => "/r",
        (false, true) => "/i",
        (false, false) => "",
    };
    let content = format!("#{{C{suffix}:{text}}}");
    let matching = |name: &str| format!("#{{m{suffix}:{star}{text}{star},#{{{name}}}}}");
    let all = !['C', 'N', 'T'].iter().any(|flag| context.has(*flag));
    let parts = [('C', content), ('N', matching("window_name")), ('T', matching("pane_title"))];
    let mut wanted = parts.into_iter().filter(|(flag, _)| all || context.has(*flag)).map(|(_, part)| part).rev();
    let last = wanted.next().unwrap_or_default();
    let filter = wanted.fold(last, |rest, part| format!("#{{||:{part},{rest}}}"));
    let opening = Opening {
        filter: Some(filter),
        zooms: context.has('Z'),
        begins_at: super::choose_tree::begins_at(mux, context),
        ..Opening::new(&list::TREE)
    };
    super::choose_tree::open(mux, context, opening)
}
