//! Which conversation a pane's engine has: proven from evidence, or unknown. The newest file never wins for being the newest.

use serde::{Deserialize, Serialize};

use crate::args;
use crate::detect::{Process, own};
use crate::engine::{self, claude, codex};
use crate::engines::{Engine, IdSource};
use crate::record::{AgentRecord, Told};
use crate::session;
use crate::store::{Head, Store};
use crate::table::Table;

/// A hook of an engine told of a conversation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HookReport {
    /// The pane's token, out of the hook's environment.
    pub pane: String,
    /// The processes above the one that reported, nearest first, read while it was connected.
    pub ancestors: Vec<u32>,
    /// The conversation.
    pub session: String,
}

/// A transcript in the engine's store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Candidate {
    /// Its path.
    pub path: String,
    /// Its first line, whole.
    pub first_line: String,
    /// That line's directory with its symbolic links resolved, when it still exists.
    pub real_cwd: Option<String>,
    /// When the file was made, in milliseconds since 1970; 0 when the file system doesn't say.
    pub created_ms: u64,
}

/// All that is known about one pane.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// The pane's token, which its processes have in their environment.
    pub pane: String,
    /// Its shell and every process below.
    pub processes: Vec<Process>,
    /// What hooks told, in the order in which it came.
    pub reports: Vec<HookReport>,
    /// The texts of the engine's files about its running processes.
    pub states: Vec<String>,
    /// Transcripts: those that the processes hold open, and those of the store.
    pub candidates: Vec<Candidate>,
    /// The conversations of other panes.
    pub claimed: Vec<String>,
    /// How many other processes of this engine, in no matter which pane or terminal, run in the same directory.
    pub rivals: usize,
}

/// How a conversation was found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum How {
    /// A hook of the pane's own engine said so.
    Hook,
    /// The engine's process holds its file open.
    OpenFile,
    /// The engine's file about its own process says so.
    State,
    /// It was given at launch.
    Pinned,
    /// The user's arguments named it.
    Argv,
    /// It is the only transcript that can be it.
    Store,
}

/// The outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Identity {
    /// The conversation, and why.
    Proven {
        /// Its id.
        id: String,
        /// Why.
        how: How,
    },
    /// Nothing proves one.
    Unknown,
}

/// Weighs the evidence, the strongest first.
pub fn prove(table: &Table, engine: &Engine, record: &AgentRecord, evidence: &Evidence) -> Identity {
    let own = own(table, engine, &evidence.processes);
    let told = record.told.as_ref().map(|told| (told.session.clone(), How::Hook));
    let proven = hook(table, engine, &own, evidence)
        .map(|id| (id, How::Hook))
        .or(told)
        .or_else(|| Some((held(engine, &own, evidence)?, How::OpenFile)))
        .or_else(|| Some((state(engine.store.as_ref()?, &own, evidence)?, How::State)))
        .or_else(|| given(engine, record))
        .or_else(|| Some((named(engine, &own)?, How::Argv)))
        .or_else(|| Some((only_match(engine, record, evidence)?, How::Store)));
    match proven {
        Some((id, how)) => Identity::Proven { id, how },
        None => Identity::Unknown,
    }
}

/// Takes what the evidence about a living engine proves into its record. Says whether that changed.
///
/// A hook's word stays the newest until what the process holds open, or says of itself, changes after it: either may lag behind the other.
pub fn learn(table: &Table, engine: &Engine, record: &mut AgentRecord, evidence: &Evidence) -> bool {
    let own = own(table, engine, &evidence.processes);
    let store = engine.store.as_ref();
    let besides = held(engine, &own, evidence).or_else(|| state(store?, &own, evidence));
    let before = record.told.clone();
    if let Some(session) = hook(table, engine, &own, evidence) {
        record.told = Some(Told { session, besides });
    } else if let (Some(told), Some(now)) = (&mut record.told, besides) {
        if now == told.session {
            told.besides = Some(now);
        } else if told.besides.as_ref() != Some(&now) {
            record.told = None;
        }
    }
    let learned = match prove(table, engine, record, evidence) {
        Identity::Proven { id, how } => record.learn(&id, how),
        Identity::Unknown => false,
    };
    learned || record.told != before
}

/// The latest report of this pane whose nearest engine is the pane's own. Of an engine that tells of hidden threads too, only one of which
/// there is a transcript.
fn hook(table: &Table, engine: &Engine, own: &[&Process], evidence: &Evidence) -> Option<String> {
    let is_spoken_to = |session: &str| {
        let store = engine.store.as_ref().filter(|store| store.head != Head::Plain);
        let is_it = |store: &Store, candidate: &Candidate| {
            engine::meta(store, &candidate.first_line).is_some_and(|meta| meta.id == session)
        };
        store.is_none_or(|store| evidence.candidates.iter().any(|candidate| is_it(store, candidate)))
    };
    let is_own = |pid: &u32| own.iter().any(|process| process.pid == *pid);
    let is_foreign = |pid: &u32| {
        let process = evidence.processes.iter().find(|process| process.pid == *pid);
        process.is_some_and(|process| table.engine_of(&process.comm, &process.argv).is_some())
    };
    let accepted = |report: &&HookReport| {
        let nearest = report.ancestors.iter().find(|pid| is_own(pid) || is_foreign(pid));
        report.pane == evidence.pane
            && session::is_safe(&report.session)
            && nearest.is_some_and(is_own)
            && is_spoken_to(&report.session)
    };
    evidence.reports.iter().rev().find(accepted).map(|report| report.session.clone())
}

/// What the pane's own engine holds open. A transcript before a lock, as a lock may be that of a thread in which nothing was said; of
/// several threads in one process the one begun last is the present one.
fn held(engine: &Engine, own: &[&Process], evidence: &Evidence) -> Option<String> {
    let store = engine.store.as_ref()?;
    let files = || own.iter().flat_map(|process| &process.open_files).map(String::as_str);
    let is_sub_agent = |path: &str| {
        let candidate = evidence.candidates.iter().find(|candidate| candidate.path == path);
        store.head != Head::Plain
            && candidate.is_some_and(|candidate| engine::meta(store, &candidate.first_line).is_none())
    };
    let transcripts =
        files().filter(|path| !is_sub_agent(path)).filter_map(|path| store.session_of_transcript(path, engine.ids));
    let locks = files().filter_map(|path| store.session_of_lock(path, engine.ids));
    present(transcripts.collect()).or_else(|| present(locks.collect())).map(str::to_owned)
}

/// Of several ids the one that was made last; of ids that tell no time, the only one.
fn present(ids: Vec<&str>) -> Option<&str> {
    let only = ids.first().copied().filter(|first| ids.iter().all(|id| id == first));
    codex::newest(ids).or(only)
}

/// What the engine's own command line names: it was made before the launch, or chosen by hand.
fn named(engine: &Engine, own: &[&Process]) -> Option<String> {
    let rest = |process: &Process| {
        let program = process.argv.iter().position(|word| engine.programs.contains(&crate::detect::stem(word)))?;
        args::parse(engine, process.argv.get(program + 1..)?).names
    };
    own.iter().find_map(|process| rest(process))
}

fn state(store: &Store, own: &[&Process], evidence: &Evidence) -> Option<String> {
    store.state?;
    let mut states = evidence.states.iter().filter_map(|text| claude::state(text));
    let matching = states.find(|state| {
        let process = own.iter().find(|process| process.pid == state.pid);
        process.is_some_and(|process| state.is_of(process.started_ms))
    });
    matching.map(|state| state.session_id)
}

/// What the launch itself fixed.
fn given(engine: &Engine, record: &AgentRecord) -> Option<(String, How)> {
    let id = record.id.clone()?;
    match record.how {
        Some(How::Argv) => Some((id, How::Argv)),
        _ if matches!(engine.identity, IdSource::Pinned { .. }) => Some((id, How::Pinned)),
        // Once it was proven it stays so until another one is.
        Some(how) => Some((id, how)),
        None => None,
    }
}

/// The one transcript that was begun since the launch and is nobody's: in the pane's directory, where transcripts tell theirs. With another
/// engine about there is no such thing: the first to be spoken to may be either.
fn only_match(engine: &Engine, record: &AgentRecord, evidence: &Evidence) -> Option<String> {
    if evidence.rivals > 0 || record.launched_ms == 0 || engine.identity != IdSource::Discovered {
        return None;
    }
    let store = engine.store.as_ref()?;
    let mut fitting = evidence.candidates.iter().filter_map(|candidate| {
        let in_name = store.session_of_transcript(&candidate.path, engine.ids)?;
        let fits = match store.head {
            Head::Plain => candidate.created_ms >= record.launched_ms,
            Head::SessionMeta => {
                let meta = engine::meta(store, &candidate.first_line)?;
                let is_here = meta.cwd == record.cwd || candidate.real_cwd.as_ref() == Some(&record.cwd);
                let is_since = session::uuid7_ms(&meta.id).is_some_and(|begun| begun >= record.launched_ms);
                is_here && is_since && meta.id == in_name
            }
        };
        (fits && !evidence.claimed.iter().any(|claimed| claimed == in_name)).then_some(in_name)
    });
    let first = fitting.next()?;
    fitting.all(|other| other == first).then(|| first.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::find;

    const OLD: &str = "019a1b2c-0000-7000-8000-000000000001";
    const A: &str = "019a1b2c-1000-7000-8000-00000000000a";
    const B: &str = "019a1b2c-2000-7000-8000-00000000000b";
    const LAUNCH_MS: u64 = 0x019a_1b2c_0fff;

    fn rollout(id: &str) -> String {
        format!("/h/.codex/sessions/2026/11/30/rollout-2026-11-30T10-00-00-{id}.jsonl")
    }

    fn candidate(id: &str, cwd: &str, more: &str) -> Candidate {
        let first_line = format!(r#"{{"type":"session_meta","payload":{{"id":"{id}","cwd":"{cwd}"{more}}}}}"#);
        Candidate { path: rollout(id), first_line, ..Candidate::default() }
    }

    fn process(pid: u32, parent: u32, comm: &str) -> Process {
        Process { pid, parent, comm: comm.into(), argv: vec![comm.into()], started_ms: 1_000_000, ..Process::default() }
    }

    fn record(engine: &str) -> AgentRecord {
        AgentRecord { engine: engine.into(), cwd: "/w".into(), launched_ms: LAUNCH_MS, ..AgentRecord::default() }
    }

    fn proven(engine: &str, record: &AgentRecord, evidence: &Evidence) -> Option<(String, How)> {
        match prove(&Table::default(), find(engine).unwrap(), record, evidence) {
            Identity::Proven { id, how } => Some((id, how)),
            Identity::Unknown => None,
        }
    }

    /// Two codex in one directory, A launched first, B spoken to first: then A.
    #[test]
    fn two_in_one_directory_spoken_to_in_the_opposite_order_are_not_crossed() {
        let pane = |pid: u32, open: &[String], candidates: &[Candidate]| Evidence {
            processes: vec![
                process(pid, 1, "bash"),
                Process { open_files: open.to_vec(), ..process(pid + 1, pid, "codex") },
            ],
            candidates: candidates.to_vec(),
            rivals: 1,
            ..Evidence::default()
        };
        let only_b = [candidate(B, "/w", "")];
        assert_eq!(proven("codex", &record("codex"), &pane(10, &[], &only_b)), None, "A must not take B's");
        assert_eq!(
            proven("codex", &record("codex"), &pane(20, &[rollout(B)], &only_b)),
            Some((B.into(), How::OpenFile))
        );
        let both = [candidate(B, "/w", ""), candidate(A, "/w", "")];
        assert_eq!(proven("codex", &record("codex"), &pane(10, &[rollout(A)], &both)), Some((A.into(), How::OpenFile)));
        assert_eq!(proven("codex", &record("codex"), &pane(20, &[rollout(B)], &both)), Some((B.into(), How::OpenFile)));
    }

    #[test]
    fn the_store_is_believed_only_when_one_transcript_can_be_it() {
        let with = |candidates: Vec<Candidate>| Evidence { candidates, ..Evidence::default() };
        let found = Some((A.to_owned(), How::Store));
        assert_eq!(proven("codex", &record("codex"), &with(vec![candidate(A, "/w", "")])), found);
        assert_eq!(
            proven("codex", &record("codex"), &with(vec![candidate(A, "/w", ""), candidate(B, "/w", "")])),
            None
        );
        assert_eq!(proven("codex", &record("codex"), &with(vec![candidate(A, "/elsewhere", "")])), None);
        assert_eq!(
            proven("codex", &record("codex"), &with(vec![candidate(OLD, "/w", "")])),
            None,
            "older than the launch"
        );
        let sub = candidate(B, "/w", r#","parent_thread_id":"x""#);
        assert_eq!(proven("codex", &record("codex"), &with(vec![candidate(A, "/w", ""), sub])), found);
        let link = Candidate { real_cwd: Some("/w".into()), ..candidate(A, "/link", "") };
        assert_eq!(proven("codex", &record("codex"), &with(vec![link])), found, "the same directory by another name");
        let claimed = Evidence { claimed: vec![A.into()], ..with(vec![candidate(A, "/w", "")]) };
        assert_eq!(proven("codex", &record("codex"), &claimed), None);
    }

    #[test]
    fn of_two_threads_in_one_process_the_later_is_the_present_one() {
        let lock = |id: &str| format!("/h/.codex/thread-writer-locks/{id}.lock");
        let holding = |open: Vec<String>, candidates| Evidence {
            processes: vec![Process { open_files: open, ..process(5, 1, "codex") }],
            candidates,
            ..Evidence::default()
        };
        let both = holding(vec![rollout(B), rollout(A)], Vec::new());
        assert_eq!(proven("codex", &record("codex"), &both), Some((B.into(), How::OpenFile)));
        let silent = holding(vec![rollout(A), lock(A), lock(B)], Vec::new());
        assert_eq!(
            proven("codex", &record("codex"), &silent),
            Some((A.into(), How::OpenFile)),
            "B has nothing to come back to"
        );
        assert_eq!(
            proven("codex", &record("codex"), &holding(vec![lock(A)], Vec::new())),
            Some((A.into(), How::OpenFile))
        );
        let child = holding(vec![rollout(A), rollout(B)], vec![candidate(B, "/w", r#","parent_thread_id":"x""#)]);
        assert_eq!(
            proven("codex", &record("codex"), &child),
            Some((A.into(), How::OpenFile)),
            "a sub-agent's file is not it"
        );
    }

    #[test]
    fn the_stand_ins_are_proven_like_the_engines_they_stand_for() {
        let open = vec![format!("/d/discovered/sessions/rollout-2026-11-30T10-00-00-{A}.jsonl")];
        let evidence = Evidence {
            processes: vec![Process { open_files: open, ..process(5, 1, "rove-discovered") }],
            ..Evidence::default()
        };
        assert_eq!(proven("discovered", &record("discovered"), &evidence), Some((A.into(), How::OpenFile)));
        let pinned = AgentRecord { id: Some(A.into()), how: Some(How::Pinned), ..record("pinned") };
        assert_eq!(proven("pinned", &pinned, &Evidence::default()), Some((A.into(), How::Pinned)));
        assert_eq!(proven("pinned", &record("pinned"), &Evidence::default()), None);
    }

    #[test]
    fn a_hook_counts_only_from_the_panes_own_engine() {
        let report = |pane: &str, ancestors: &[u32], session: &str| HookReport {
            pane: pane.into(),
            ancestors: ancestors.to_vec(),
            session: session.into(),
        };
        let evidence = |reports| Evidence {
            pane: "token".into(),
            processes: vec![
                process(10, 1, "bash"),
                process(11, 10, "claude"),
                process(12, 11, "sh"),
                process(13, 12, "claude"),
            ],
            reports,
            ..Evidence::default()
        };
        let pinned = AgentRecord { id: Some(OLD.into()), how: Some(How::Pinned), ..record("claude") };
        let rotated = evidence(vec![report("token", &[11, 10], A), report("token", &[11, 10], B)]);
        assert_eq!(proven("claude", &pinned, &rotated), Some((B.into(), How::Hook)), "the id after /clear");
        for foreign in [
            report("token", &[13, 12, 11, 10], A),
            report("other", &[11, 10], A),
            report("token", &[99], A),
            report("token", &[11], "../x"),
        ] {
            assert_eq!(proven("claude", &pinned, &evidence(vec![foreign])), Some((OLD.into(), How::Pinned)));
        }
    }

    #[test]
    fn a_hooks_word_is_the_newest_until_the_process_says_something_else() {
        let state = |session: &str| format!(r#"{{"pid":11,"sessionId":"{session}","startedAt":1000000}}"#);
        let report = HookReport { pane: "token".into(), ancestors: vec![11, 10], session: B.into() };
        let evidence = |session: &str, reports: Vec<HookReport>| Evidence {
            pane: "token".into(),
            processes: vec![process(10, 1, "bash"), process(11, 10, "claude")],
            states: vec![state(session)],
            reports,
            ..Evidence::default()
        };
        let engine = find("claude").unwrap();
        let mut record = AgentRecord { id: Some(A.into()), how: Some(How::Pinned), ..record("claude") };
        assert!(learn(&Table::default(), engine, &mut record, &evidence(A, vec![report])));
        assert_eq!((record.id.as_deref(), record.how), (Some(B), Some(How::Hook)));
        assert!(!learn(&Table::default(), engine, &mut record, &evidence(A, Vec::new())), "its own file lags behind");
        assert!(learn(&Table::default(), engine, &mut record, &evidence(B, Vec::new())));
        assert_eq!(record.earlier, [A]);
        assert!(
            learn(&Table::default(), engine, &mut record, &evidence(A, Vec::new())),
            "a change of which no hook told"
        );
        assert_eq!((record.id.as_deref(), record.told.as_ref()), (Some(A), None));
        assert_eq!(record.earlier, [B]);
    }

    #[test]
    fn a_hidden_thread_that_a_hook_tells_of_is_no_conversation() {
        let report = |session: &str| HookReport { pane: "token".into(), ancestors: vec![11], session: session.into() };
        let evidence = |session: &str, candidates| Evidence {
            pane: "token".into(),
            processes: vec![process(11, 10, "codex")],
            reports: vec![report(session)],
            candidates,
            ..Evidence::default()
        };
        let with = |candidates| proven("codex", &record("codex"), &evidence(A, candidates));
        assert_eq!(with(Vec::new()), None);
        assert_eq!(with(vec![candidate(A, "/w", r#","parent_thread_id":"x""#)]), None);
        assert_eq!(with(vec![candidate(A, "/w", "")]), Some((A.into(), How::Hook)));
    }

    #[test]
    fn the_engines_own_file_beats_the_pinned_id_while_it_is_of_this_process() {
        let state = |pid: u32, started: u64| format!(r#"{{"pid":{pid},"sessionId":"{A}","startedAt":{started}}}"#);
        let pinned = AgentRecord { id: Some(OLD.into()), how: Some(How::Pinned), ..record("claude") };
        let with = |text: String| Evidence {
            processes: vec![process(11, 10, "claude")],
            states: vec![text],
            ..Evidence::default()
        };
        assert_eq!(proven("claude", &pinned, &with(state(11, 1_000_000))), Some((A.into(), How::State)));
        assert_eq!(proven("claude", &pinned, &with(state(12, 1_000_000))), Some((OLD.into(), How::Pinned)));
        assert_eq!(
            proven("claude", &pinned, &with(state(11, 900_000))),
            Some((OLD.into(), How::Pinned)),
            "left by a dead one"
        );
    }

    #[test]
    fn what_the_user_named_and_what_was_proven_before_stay() {
        let named = AgentRecord { id: Some(A.into()), how: Some(How::Argv), ..record("codex") };
        assert_eq!(proven("codex", &named, &Evidence::default()), Some((A.into(), How::Argv)));
        let before = AgentRecord { id: Some(A.into()), how: Some(How::OpenFile), ..record("codex") };
        assert_eq!(proven("codex", &before, &Evidence::default()), Some((A.into(), How::OpenFile)));
    }
}
