//! show-messages: the log of messages.

use super::*;

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "show-messages",
        alias: Some("showmsgs"),
        template: Template::text("JTt:", 0, Some(0)),
        usage: "[-JT] [-t target-client]",
    },
    "Show the message log",
    run,
)
.client('t', true)
.after_hook()
.read_only();

fn run(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let mut lines = Vec::new();
    if context.has('T') {
        lines = terminals(mux, context);
    }
    if context.has('J') {
        let jobs = jobs(mux);
        lines.extend((!lines.is_empty() && !jobs.is_empty()).then(String::new));
        lines.extend(jobs);
    }
    if !context.has('J') && !context.has('T') {
        let line = |(time, text): &(i64, crate::message::Logged)| {
            format!("{}: {text}", crate::format::strftime("%H:%M", &context.world.local(*time)))
        };
        lines = mux.message_log.iter().rev().map(line).collect();
    }
    for line in lines {
        mux.print(context, &line);
    }
    DONE
}

/// What runs, in the order in which it was started.
fn jobs(mux: &Mux) -> Vec<String> {
    let mut jobs: Vec<_> = mux.jobs.iter().collect();
    jobs.sort_unstable_by_key(|(id, _)| id.0);
    let line = |(at, (_, job)): (usize, (&crate::JobId, &crate::jobs::Pending))| {
        format!("Job {at}: {} [pid={}]", job.command, job.pid.unwrap_or(0))
    };
    jobs.into_iter().enumerate().map(line).collect()
}

/// What the terminals of clients can do; with -t only that of the one.
fn terminals(mux: &Mux, context: &Context<'_>) -> Vec<String> {
    let only = context.target_client.filter(|_| context.has('t'));
    let asked = |client: &&crate::Client| client.is_drawn() && only.is_none_or(|only| only == client.id);
    let mut lines = Vec::new();
    for (at, client) in mux.clients.values().filter(asked).enumerate() {
        let caps = mux.caps_of(client);
        lines.push(format!("Terminal {at}: {} for {}, features={}:", client.term, client.name, caps.feature_names()));
        for (at, row) in term::caps::ABILITIES.iter().enumerate() {
            let has = if caps.has(row.ability) { "(flag) true" } else { "[missing]" };
            lines.push(format!("{at:4}: {}: {has}", row.names.join(",")));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use crate::Face;
    use crate::fake::Bench;

    #[test]
    fn terminals_and_jobs_are_told() {
        let mut bench = Bench::new(Face::Tmux);
        bench.keep_jobs = true;
        let client = bench.terminal((80, 24), &["new-session"]);
        let name = bench.mux.clients[&client].name.clone();
        bench.line("run-shell -b 'sleep 1000'");
        let told = bench.line("show-messages -JT");
        assert!(told.starts_with(&format!("Terminal 0: xterm-256color for {name}, features=")), "{told}");
        assert!(told.contains(": Enbp,Dsbp: (flag) true\n"), "{told}");
        assert!(told.ends_with("\n\nJob 0: sleep 1000 [pid=0]"), "{told}");
    }
}
