//! Bringing an agent back after its processes are gone: run it on its conversation, run it afresh, or say why not. Never a loop.

use crate::args;
use crate::engines::{Engine, IdSource};
use crate::identity::How;
use crate::launch::{Launch, Words, command, pinned, trusted, with_ours};
use crate::probe::{Facts, Installed, Transcript};
use crate::record::AgentRecord;

/// What to do about one pane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resume {
    /// Run this: the conversation comes back.
    Run {
        /// What to run and to remember.
        launch: Launch,
    },
    /// Run this: the engine comes back without a conversation.
    Fresh {
        /// What to run and to remember.
        launch: Launch,
        /// Why there is no conversation, one line for the user.
        why: String,
    },
    /// Run nothing but the shell.
    Refuse {
        /// Why, one line for the user.
        why: String,
        /// What the user can do.
        remedy: String,
    },
}

/// A record whose engine this program has no row for.
pub fn unknown_engine(record: &AgentRecord) -> Resume {
    Resume::Refuse {
        why: format!("no engine is called {}", record.engine),
        remedy: "update rove, or start the engine by hand".to_owned(),
    }
}

/// Plans the return of the agent of `record`. No prompt is passed and no nudge given; `--last` and its like are never used.
///
/// After a failure ([`AgentRecord::failed`]) the plan is a fresh one under a new id, so that nothing is tried for ever.
pub fn plan(engine: &'static Engine, record: &AgentRecord, facts: &Facts) -> Resume {
    if let Some(refusal) = refusal(engine, record, facts) {
        return refusal;
    }
    let tried = record.failures > 0;
    let kept = args::parse(engine, &record.args).kept;
    let kept = with_ours(engine, facts, &trusted(engine, &record.cwd, facts), &kept);
    let build = |words: Words, id: Option<&str>, how: Option<How>| build(engine, record, facts, words, id, how);
    let pin = |id: &str| match engine.identity {
        IdSource::Pinned { words } => {
            build(Words::Engine(pinned(engine, words, id, &kept)), Some(id), Some(How::Pinned))
        }
        IdSource::Precreated { .. } => build(Words::Begin(kept.clone()), None, None),
        IdSource::Discovered | IdSource::None => build(Words::Engine(args::fill(engine.launch, "", &kept)), None, None),
    };
    let fresh = |id: &str, why: &str| Resume::Fresh { launch: pin(id), why: format!("{}: {why}", engine.product) };
    let Some(id) = record.id.as_deref().filter(|_| engine.resumes()) else {
        return fresh(&facts.fresh_id, "no conversation of this pane is known, so it begins a new one");
    };
    let found = if engine.has_transcript(facts.transcript, true) { Transcript::Present } else { facts.transcript };
    match (found, tried) {
        (Transcript::Present, false) => {
            let words = args::fill(engine.resume, id, &kept);
            Resume::Run { launch: build(Words::Engine(words), Some(id), record.how) }
        }
        (Transcript::Present, true) => fresh(
            &facts.fresh_id,
            &format!("conversation {id} did not come back when last tried, so it begins a new one"),
        ),
        (Transcript::Absent, false) => fresh(id, "nothing was said before, so it begins anew"),
        (Transcript::Empty, false) => fresh(id, "its transcript is empty, so it begins anew"),
        (_, true) => fresh(&facts.fresh_id, "it did not start when last tried, so it begins under a new id"),
    }
}

fn refusal(engine: &Engine, record: &AgentRecord, facts: &Facts) -> Option<Resume> {
    if facts.installed == Installed::No {
        return Some(Resume::Refuse {
            why: format!("{} is not installed: no {} on the PATH", engine.product, engine.program_names()),
            remedy: format!("install it, then run: rove {}", engine.id),
        });
    }
    if facts.directory_gone {
        return Some(Resume::Refuse {
            why: format!("the directory of {}, {}, is not there", engine.product, record.cwd),
            remedy: format!("make it again and attach anew, or start over elsewhere with: rove {}", engine.id),
        });
    }
    let id = record.id.as_deref()?;
    let (where_, then) = match (&facts.holder, facts.open_elsewhere) {
        (Some(holder), _) => (
            holder.place.as_str(),
            format!("go there with: rove {}, or start over with: rove {} new", holder.way, engine.id),
        ),
        (None, true) => ("another process", format!("end that one, then run: rove {}", engine.id)),
        (None, false) => return None,
    };
    Some(Resume::Refuse { why: format!("conversation {id} of {} is open in {where_}", engine.product), remedy: then })
}

fn build(
    engine: &Engine,
    record: &AgentRecord,
    facts: &Facts,
    words: Words,
    id: Option<&str>,
    how: Option<How>,
) -> Launch {
    let argv = command(engine, facts, words);
    let mut record = record.clone();
    record.turn_to(id.map(str::to_owned));
    record.how = how;
    record.argv = argv.clone();
    record.launched_ms = facts.now_ms;
    record.told = None;
    let env_set = trusted(engine, &record.cwd, facts).environment;
    let env_remove = engine.scrub.iter().map(|name| (*name).to_owned()).collect();
    Launch { argv, env_remove, env_set, record, move_aside: Vec::new(), note: None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::{ENGINES, find};
    use crate::probe::Holder;

    const ID: &str = "019a1b2c-3d4e-7f00-8000-000000000001";
    const FRESH: &str = "5e1f7e57-0000-4000-8000-0000000000ff";

    fn record(engine: &str, id: Option<&str>) -> AgentRecord {
        AgentRecord {
            engine: engine.into(),
            id: id.map(str::to_owned),
            how: id.map(|_| How::Pinned),
            args: vec!["--model".into(), "opus".into(), "fix".into()],
            cwd: "/w".into(),
            ..AgentRecord::default()
        }
    }

    fn facts(transcript: Transcript) -> Facts {
        Facts {
            transcript,
            installed: Installed::At("/bin/rove".into()),
            fresh_id: FRESH.into(),
            now_ms: 9,
            ..Facts::default()
        }
    }

    fn planned(engine: &str, record: &AgentRecord, facts: &Facts) -> (&'static str, String) {
        match plan(find(engine).unwrap(), record, facts) {
            Resume::Run { launch } => ("run", launch.argv.join(" ")),
            Resume::Fresh { launch, .. } => ("fresh", launch.argv.join(" ")),
            Resume::Refuse { why, .. } => ("refuse", why),
        }
    }

    #[test]
    fn every_row_comes_back_to_its_conversation() {
        for engine in ENGINES.iter().filter(|engine| engine.resumes()) {
            let (what, argv) = planned(engine.id, &record(engine.id, Some(ID)), &facts(Transcript::Present));
            assert_eq!(what, "run", "{}", engine.id);
            assert!(argv.contains(ID) && !argv.contains("--last"), "{argv}");
            assert_eq!(argv.contains("fix"), engine.flags.keeps_words, "{argv}");
        }
    }

    #[test]
    fn flags_are_carried_and_prompts_are_not() {
        let (_, claude) = planned("claude", &record("claude", Some(ID)), &facts(Transcript::Present));
        assert_eq!(claude, format!("claude --resume {ID} --model opus"));
        let (_, codex) = planned("codex", &record("codex", Some(ID)), &facts(Transcript::Present));
        assert_eq!(codex, format!("codex -c features.daemon_auto_start=false resume --model opus {ID}"));
    }

    #[test]
    fn a_transcript_that_is_gone_gives_the_same_id_and_an_empty_one_a_single_try() {
        for transcript in [Transcript::Absent, Transcript::Empty] {
            let (what, argv) = planned("claude", &record("claude", Some(ID)), &facts(transcript));
            assert_eq!((what, argv), ("fresh", format!("claude --session-id {ID} --model opus")));
            let tried = AgentRecord { failures: 1, ..record("claude", Some(ID)) };
            let (what, argv) = planned("claude", &tried, &facts(transcript));
            assert_eq!((what, argv), ("fresh", format!("claude --session-id {FRESH} --model opus")));
        }
    }

    #[test]
    fn codex_never_spoken_to_is_launched_plainly() {
        let plain = "codex -c features.daemon_auto_start=false --model opus";
        for (id, transcript) in
            [(None, Transcript::Absent), (Some(ID), Transcript::Absent), (Some(ID), Transcript::Empty)]
        {
            assert_eq!(planned("codex", &record("codex", id), &facts(transcript)), ("fresh", plain.to_owned()));
        }
    }

    #[test]
    fn a_resume_that_failed_is_not_tried_again_and_its_id_is_kept() {
        let Resume::Run { launch } =
            plan(find("claude").unwrap(), &record("claude", Some(ID)), &facts(Transcript::Present))
        else {
            panic!("the first time it runs")
        };
        let mut record = launch.record;
        assert_eq!(planned("claude", &record, &facts(Transcript::Present)).0, "run", "ended from outside");
        record.failed();
        let Resume::Fresh { launch, why } = plan(find("claude").unwrap(), &record, &facts(Transcript::Present)) else {
            panic!("after a failure it is fresh")
        };
        assert_eq!(launch.argv, ["claude", "--session-id", FRESH, "--model", "opus"]);
        assert_eq!(launch.record.earlier, [ID]);
        assert!(why.contains(ID));
    }

    #[test]
    fn each_refusal_has_its_words() {
        let holder = Holder { place: "session work, pane %1".into(), way: "switch-client -t %1".into() };
        let gone = Facts { directory_gone: true, ..facts(Transcript::Present) };
        let said = "the directory of Claude Code, /w, is not there";
        assert_eq!(planned("claude", &record("claude", Some(ID)), &gone), ("refuse", said.to_owned()));
        let held = Facts { holder: Some(holder.clone()), ..facts(Transcript::Present) };
        let said = format!("conversation {ID} of Claude Code is open in session work, pane %1");
        assert_eq!(planned("claude", &record("claude", Some(ID)), &held), ("refuse", said));
        let open = Facts { open_elsewhere: true, ..facts(Transcript::Present) };
        let said = format!("conversation {ID} of Codex is open in another process");
        assert_eq!(planned("codex", &record("codex", Some(ID)), &open), ("refuse", said));
        let none = Facts { installed: Installed::No, ..facts(Transcript::Present) };
        assert_eq!(planned("codex", &record("codex", None), &none).0, "refuse");
        assert!(matches!(unknown_engine(&record("other", None)), Resume::Refuse { why, .. } if why.contains("other")));
    }
}
