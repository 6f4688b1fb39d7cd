//! What follows when an engine that was to come back ended at once: it is told by its own words why, and there is one next step for each, never
//! two. What the person reads is a row here.

use crate::engines::{Engine, Failure};
use crate::probe::{Facts, Transcript};
use crate::record::AgentRecord;
use crate::resume::{self, Resume};

/// The next step after a refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    /// The conversation is there after all: resume it. Without a transcript that id is spent: another one.
    Resume,
    /// There is no such conversation: begin it, or another one when that was tried.
    Begin,
    /// Nothing; the shell, and what the person can do.
    Tell,
}

/// A row: the refusal, the next step, what happened, what to do. `{id}`, `{product}`, `{engine}` and `{directory}` are filled in.
struct Row(Failure, Next, &'static str, &'static str);

const ROWS: &[Row] = &[
    Row(Failure::InUse, Next::Resume, "conversation {id} exists already", "start over with: rove {engine} new"),
    Row(Failure::NotFound, Next::Begin, "there is no conversation {id}", "start over with: rove {engine} new"),
    Row(
        Failure::ActiveWriter,
        Next::Tell,
        "conversation {id} is open in another process",
        "end that one, then run: rove {engine}",
    ),
    Row(
        Failure::Background,
        Next::Tell,
        "conversation {id} runs as a background agent of {product}",
        "stop it or take it up there (`{engine} agents`), then run: rove {engine}",
    ),
    Row(Failure::Invalid, Next::Tell, "it does not take these arguments", "run: rove {engine} new"),
    Row(
        Failure::Trust,
        Next::Tell,
        "it is not trusted to work in {directory}",
        "run: rove {engine}, and answer its question",
    ),
    Row(Failure::Auth, Next::Tell, "nobody is logged in to it", "run: {engine}, log in, then run: rove {engine}"),
];

/// How long after its start an end counts as a refusal; later it is the end of work.
pub const SOON_MS: u64 = 60_000;

/// Statuses of a shell that found no program to run, or one that can't be run.
const NOT_RUN: [i32; 2] = [126, 127];

/// Whether an engine that ended with `status` after `ran_ms` refused to come back: not when it worked for a while, was ended by a signal or
/// left on its own.
pub fn is_refusal(status: i32, ran_ms: u64) -> bool {
    ran_ms < SOON_MS && (1..=NOT_RUN[1]).contains(&status)
}

/// What follows when the engine of `record`, just launched or brought back, ended with `status` and `said` this last. `alone`: the pane is the
/// only one of its session, which is not left without an engine. Asked once for each return.
pub fn follow_up(
    engine: &'static Engine,
    record: &AgentRecord,
    facts: &Facts,
    said: &str,
    status: i32,
    alone: bool,
) -> Resume {
    let words = |what: &str, remedy: &str| told(engine, record, what, remedy);
    if NOT_RUN.contains(&status) {
        let what = format!("it could not be started: no {} that runs on the PATH", engine.programs.join(" or "));
        return words(&what, "install it, then run: rove {engine}");
    }
    let began = crate::args::fill(engine.resume, record.id.as_deref().unwrap_or_default(), &[]);
    let was_resume = record.id.is_some() && began.iter().all(|word| record.argv.contains(word));
    let Some(Row(_, next, what, remedy)) = row(engine, said) else {
        return match was_resume {
            true if alone => next_plan(engine, record, facts, 1),
            true => words(
                "conversation {id} did not come back; it is kept",
                "try again with: rove {engine}, or start over with: rove {engine} new",
            ),
            false => words("it did not start", "try again with: rove {engine}"),
        };
    };
    match next {
        Next::Resume if facts.transcript == Transcript::Present && !was_resume => next_plan(engine, record, facts, 0),
        Next::Begin if facts.transcript == Transcript::Absent && was_resume => next_plan(engine, record, facts, 0),
        Next::Resume | Next::Begin => next_plan(engine, record, facts, 1),
        Next::Tell => words(what, remedy),
    }
}

/// What was written to a terminal as text: escape sequences are taken out, and where one moved the cursor stands a blank.
pub fn plain(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let (mut plain, mut chars) = (String::new(), text.chars().peekable());
    while let Some(c) = chars.next() {
        match c {
            '\u{1b}' => match chars.next() {
                Some('[') => {
                    let last = chars.by_ref().find(|c| ('@'..='~').contains(c));
                    plain.extend(last.filter(|c| "CGHABEFdf".contains(*c)).map(|_| ' '));
                }
                Some(']' | 'P' | '_' | '^') => {
                    while let Some(c) = chars.next() {
                        if c == '\u{7}' || c == '\u{1b}' && chars.next_if_eq(&'\\').is_some() {
                            break;
                        }
                    }
                }
                _ => {}
            },
            '\n' => plain.push(c),
            c if c.is_control() => {}
            c => plain.push(c),
        }
    }
    plain
}

/// What the person reads when even the next step failed.
pub fn give_up(engine: &'static Engine, record: &AgentRecord, said: &str) -> Resume {
    match row(engine, said) {
        Some(Row(_, _, what, remedy)) => told(engine, record, what, remedy),
        None => told(engine, record, "it did not start a second time either", "try again with: rove {engine}"),
    }
}

fn row(engine: &Engine, said: &str) -> Option<&'static Row> {
    // Its last words count: what stands above them may be an older refusal.
    let failure = said.lines().rev().find_map(|line| engine.failure(line))?;
    ROWS.iter().find(|row| row.0 == failure)
}

fn next_plan(engine: &'static Engine, record: &AgentRecord, facts: &Facts, failures: u8) -> Resume {
    resume::plan(engine, &AgentRecord { failures, ..record.clone() }, facts)
}

fn told(engine: &Engine, record: &AgentRecord, what: &str, remedy: &str) -> Resume {
    let fill = |text: &str| {
        text.replace("{id}", record.id.as_deref().unwrap_or("of this pane"))
            .replace("{product}", engine.product)
            .replace("{engine}", engine.id)
            .replace("{directory}", &record.cwd)
    };
    Resume::Refuse { why: fill(what), remedy: fill(remedy) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::{ENGINES, find};

    const ID: &str = "5e1f7e57-0000-4000-8000-000000000001";
    const FRESH: &str = "5e1f7e57-0000-4000-8000-0000000000ff";

    fn follow(argv: &[&str], transcript: Transcript, said: &str, alone: bool) -> (String, String) {
        let engine = find("claude").unwrap();
        let record = AgentRecord {
            engine: "claude".into(),
            id: Some(ID.into()),
            argv: argv.iter().map(|word| (*word).to_owned()).collect(),
            cwd: "/w".into(),
            ..AgentRecord::default()
        };
        let facts = Facts { transcript, fresh_id: FRESH.into(), ..Facts::default() };
        match follow_up(engine, &record, &facts, said, 1, alone) {
            Resume::Run { launch } => (launch.argv.join(" "), String::new()),
            Resume::Fresh { launch, why } => (launch.argv.join(" "), why),
            Resume::Refuse { why, remedy } => (why, remedy),
        }
    }

    #[test]
    fn every_refusal_has_a_row_and_its_words_are_filled_in() {
        let failures = ENGINES.iter().flat_map(|engine| engine.failures);
        for (words, failure) in failures {
            let row = ROWS.iter().find(|row| row.0 == *failure);
            assert!(row.is_some_and(|row| !row.2.is_empty() && !row.3.is_empty()), "{words}");
        }
        for row in ROWS {
            let Resume::Refuse { why, remedy } = told(find("claude").unwrap(), &AgentRecord::default(), row.2, row.3)
            else {
                panic!("it tells")
            };
            assert!(!why.contains('{') && !remedy.contains('{'), "{why}; {remedy}");
        }
    }

    #[test]
    fn an_id_in_use_is_resumed_and_an_empty_one_given_up() {
        let said = format!("Error: Session ID {ID} is already in use.");
        let pinned = ["claude", "--session-id", ID];
        assert_eq!(follow(&pinned, Transcript::Present, &said, false).0, format!("claude --resume {ID}"));
        assert_eq!(follow(&pinned, Transcript::Empty, &said, false).0, format!("claude --session-id {FRESH}"));
    }

    #[test]
    fn an_id_not_found_is_begun_and_when_that_was_it_another_one() {
        let said = format!("No conversation found with session ID: {ID}");
        let resumed = ["claude", "--resume", ID];
        assert_eq!(follow(&resumed, Transcript::Absent, &said, false).0, format!("claude --session-id {ID}"));
        assert_eq!(follow(&resumed, Transcript::Present, &said, false).0, format!("claude --session-id {FRESH}"));
        assert_eq!(follow(&resumed, Transcript::Empty, &said, false).0, format!("claude --session-id {FRESH}"));
    }

    #[test]
    fn what_only_a_person_can_mend_is_told() {
        let resumed = ["claude", "--resume", ID];
        let tells = |said: &str, why: &str, remedy: &str| {
            let (told, then) = follow(&resumed, Transcript::Present, said, true);
            assert!(told.contains(why) && then.contains(remedy), "{told}; {then}");
        };
        tells(
            &format!("Session {ID} is currently running as a background agent (bg)."),
            "runs as a background agent of Claude Code",
            "claude agents",
        );
        tells(
            "Do you trust the files in this folder?\n/w\nNo, exit",
            "not trusted to work in /w",
            "answer its question",
        );
        tells("Not logged in · Please run /login", "logged in", "log in");
    }

    #[test]
    fn an_unknown_end_is_told_and_only_a_lone_pane_begins_anew() {
        let resumed = ["claude", "--resume", ID];
        let (why, remedy) = follow(&resumed, Transcript::Present, "EACCES", false);
        assert!(why.contains("did not come back; it is kept") && remedy.contains("rove claude new"), "{why}");
        let (argv, why) = follow(&resumed, Transcript::Present, "EACCES", true);
        assert_eq!(argv, format!("claude --session-id {FRESH}"));
        assert!(why.contains(ID));
    }

    #[test]
    fn words_between_escape_sequences_are_found() {
        let said =
            b"\x1b[31mDo\x1b[1Cyou\x1b[Ctrust\x1b]0;title\x07 the\x1b]8;;x\x1b\\ files in this folder?\r\n\x1b[0";
        assert_eq!(plain(said), "Do you trust the files in this folder?\n");
        assert_eq!(find("claude").unwrap().failure(&plain(said)), Some(Failure::Trust));
    }

    #[test]
    fn an_end_after_work_or_by_a_signal_is_no_refusal() {
        assert!(is_refusal(1, 900) && is_refusal(127, 10));
        for (status, ran) in [(0, 10), (130, 10), (143, 10), (1, SOON_MS)] {
            assert!(!is_refusal(status, ran), "{status} after {ran}");
        }
    }
}
