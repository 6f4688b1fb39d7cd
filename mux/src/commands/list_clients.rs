//! list-clients.

use super::*;
use crate::target::{self, Kind};

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "list-clients",
        alias: Some("lsc"),
        template: Template::text("F:f:O:rt:", 0, Some(0)),
        usage: "[-F format] [-f filter] [-O order][-t target-session]",
    },
    "List attached clients",
    run,
)
.target(Spec::of('t', Kind::Session).can_fail())
.read_only()
.after_hook();

const FORMAT: &str = "#{client_name}: #{session_name} [#{client_width}x#{client_height} #{client_termname}] #{?#{!=:#{client_uid},#{uid}},[user #{?client_user,#{client_user},#{client_uid},}] ,}#{?client_flags,(,}#{client_flags}#{?client_flags,),}";

fn run(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let sorting = listing::sorting(context)?;
    if let Some(name) = context.get('t').filter(|_| context.target.session.is_none()) {
        return Err(format!("can't find session: {name}").into());
    }
    let only = context.target.session.filter(|_| context.has('t'));
    let mut clients: Vec<&crate::Client> = mux
        .clients
        .values()
        .filter(|client| client.session.is_some_and(|session| only.is_none_or(|only| only == session)))
        .collect();
    let compare = |order: listing::Order, a: &&crate::Client, b: &&crate::Client| match order {
        listing::Order::Activity => b.activity.cmp(&a.activity),
        listing::Order::Creation => a.created.cmp(&b.created),
        listing::Order::Size => a.size.cmp(&b.size),
        _ => std::cmp::Ordering::Equal,
    };
    sorting.sort(&mut clients, compare, |client| client.name.clone());
    let places: Vec<_> = clients
        .iter()
        .map(|client| (Some(client.id), client.session.and_then(|id| target::current_of(mux, id)).unwrap_or_default()))
        .collect();
    listing::print_for_clients(mux, context, FORMAT, &places)
}
