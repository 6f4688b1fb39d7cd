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
    if context.has('J') {
        let lines: Vec<String> = mux.jobs.iter().map(|(id, job)| format!("Job {}: {}", id.0, job.command)).collect();
        for line in lines {
            mux.print(context, &line);
        }
    }
    if context.has('J') || context.has('T') {
        return DONE;
    }
    let lines: Vec<(i64, String)> =
        mux.message_log.iter().rev().map(|(time, logged)| (*time, logged.to_string())).collect();
    for (time, text) in lines {
        let clock = crate::format::strftime("%H:%M", &context.world.local(time));
        mux.print(context, &format!("{clock}: {text}"));
    }
    DONE
}
