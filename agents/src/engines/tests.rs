use super::*;
use crate::probe::Facts;
use crate::record::AgentRecord;
use crate::resume::{Resume, plan};
use crate::{args, store};

#[test]
fn ids_are_unique_sorted_and_described() {
    assert!(ENGINES.windows(2).all(|pair| pair[0].id < pair[1].id));
    for engine in ENGINES {
        assert!(
            !engine.about.is_empty() && !engine.product.is_empty() && !engine.programs.is_empty()
                || engine.visibility == Visibility::StandIn,
            "{}",
            engine.id
        );
        assert_eq!(find(engine.id), Some(engine));
        assert!(engine.comms.iter().all(|comm| comm.len() <= 15), "the kernel cuts comm at 15: {}", engine.id);
    }
}

#[test]
fn stand_ins_are_rows_that_no_list_shows() {
    let seen: Vec<_> = listed().map(|engine| engine.id).collect();
    assert!(seen.contains(&"claude") && !seen.contains(&"pinned") && !seen.contains(&"discovered"), "{seen:?}");
    assert!(find("pinned").is_some() && find("discovered").is_some());
}

#[test]
fn every_resume_says_where_the_id_goes() {
    for engine in ENGINES.iter().filter(|engine| engine.resumes()) {
        for template in [engine.resume, engine.fork].into_iter().filter(|template| !template.is_empty()) {
            assert_eq!(template.iter().filter(|word| word.contains("{session}")).count(), 1, "{}", engine.id);
            assert_eq!(template.iter().filter(|word| **word == "{args}").count(), 1, "{}", engine.id);
        }
    }
}

#[test]
fn refusals_are_told_apart_by_their_words() {
    let claude = find("claude").unwrap();
    assert_eq!(claude.failure("Error: Session ID 5e1f is already in use."), Some(Failure::InUse));
    assert_eq!(claude.failure("No conversation found with session ID: 5e1f"), Some(Failure::NotFound));
    let codex = find("codex").unwrap();
    assert_eq!(
        codex.failure("thread/resume failed: thread 01 already has an active writer (code -32600)"),
        Some(Failure::ActiveWriter)
    );
    assert_eq!(codex.failure("no rollout found for thread id 01 (code -32600)"), Some(Failure::NotFound));
    assert_eq!(codex.failure("all is well"), None);
}

const ID: &str = "5e1f7e57-0000-4000-8000-000000000001";

/// Files as each engine lays them out for one conversation, below its root or as a whole path.
const LAYOUTS: &[(&str, &str)] = &[
    ("aider", "/w/.aider.chat.5e1f7e57-0000-4000-8000-000000000001.md"),
    ("claude", "projects/-w/5e1f7e57-0000-4000-8000-000000000001.jsonl"),
    ("codex", "sessions/2026/11/30/rollout-2026-11-30T10-00-00-5e1f7e57-0000-4000-8000-000000000001.jsonl"),
    ("codex", "sessions/2026/11/30/rollout-2026-11-30T10-00-00-5e1f7e57-0000-4000-8000-000000000001.jsonl.zst"),
    ("copilot", "session-state/5e1f7e57-0000-4000-8000-000000000001/events.jsonl"),
    ("gemini", "tmp/w/chats/session-2026-11-30T10-00-5e1f7e57.jsonl"),
    ("gemini", "tmp/0f3a/chats/session-2026-01-01T10-00-5e1f7e57.json"),
    ("goose", "sessions/5e1f7e57-0000-4000-8000-000000000001.jsonl"),
    ("goose", "sessions/sessions.db"),
    ("kimi", "sessions/0123456789abcdef0123456789abcdef/5e1f7e57-0000-4000-8000-000000000001/context.jsonl"),
    ("kimi-code", "sessions/wd_w_0123456789ab/5e1f7e57-0000-4000-8000-000000000001/agents/main/wire.jsonl"),
    ("opencode", "opencode.db"),
    ("opencode", "storage/session/global/5e1f7e57-0000-4000-8000-000000000001.json"),
    ("qwen", "projects/-w/chats/5e1f7e57-0000-4000-8000-000000000001.jsonl"),
];

#[test]
fn the_transcript_of_an_id_is_found_where_each_engine_keeps_it() {
    let is_at = |pattern: &str, path: &str| {
        let (parts, components): (Vec<&str>, Vec<&str>) = (pattern.split('/').collect(), path.split('/').collect());
        parts.len() == components.len() && parts.iter().zip(components).all(|(part, name)| store::matches(part, name))
    };
    for (id, path) in LAYOUTS {
        let found = find(id).unwrap().store.unwrap();
        let patterns =
            found.transcripts.iter().chain(found.databases).filter_map(|it| store::for_session(it, ID, "/w"));
        assert!(patterns.into_iter().any(|pattern| is_at(&pattern, path)), "{id}: {path}");
    }
    for engine in listed().filter(|engine| engine.store.is_some()) {
        assert!(LAYOUTS.iter().any(|(id, _)| *id == engine.id), "{} has no layout here", engine.id);
    }
}

/// What is run for one that comes back with nothing to come back to: a new conversation, with its flags and without its prompt.
const AFRESH: &[(&str, &str)] = &[
    ("aider", "aider --chat-history-file .aider.chat.fresh.md --flag fix it"),
    ("amp", "/bin/rove __begin amp --flag"),
    ("claude", "claude --session-id fresh --flag"),
    ("codex", "codex -c features.daemon_auto_start=false --flag"),
    ("copilot", "copilot --session-id=fresh --flag"),
    ("gemini", "gemini --session-id fresh --flag"),
    ("goose", "goose session -n fresh --flag"),
    ("kimi", "kimi-cli --session fresh --flag"),
    ("kimi-code", "kimi --flag"),
    ("opencode", "/bin/rove __begin opencode --flag"),
    ("qwen", "qwen --session-id fresh --flag"),
];

#[test]
fn with_no_conversation_each_engine_begins_a_new_one() {
    let facts = Facts { fresh_id: "fresh".into(), this_program: "/bin/rove".into(), ..Facts::default() };
    for engine in listed() {
        let args = ["--flag", "fix", "it"].map(str::to_owned).to_vec();
        let record = AgentRecord { engine: engine.id.into(), args, ..AgentRecord::default() };
        let Resume::Fresh { launch, .. } = plan(engine, &record, &facts) else { panic!("{} is not fresh", engine.id) };
        let expected = AFRESH.iter().find(|(id, _)| *id == engine.id).map(|(_, line)| (*line).to_owned());
        assert_eq!(Some(launch.argv.join(" ")), expected, "{}", engine.id);
    }
}

/// Arguments that choose a conversation are never carried over, and neither are a prompt and what belongs to it.
#[test]
fn each_engines_own_flags_read() {
    let kept = |id: &str, line: &str| {
        let args: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        let parsed = args::parse(find(id).unwrap(), &args);
        (parsed.kept.join(" "), parsed.names, parsed.chooses)
    };
    let named = |kept: &str, id: &str| (kept.to_owned(), Some(id.to_owned()), true);
    let plain = |kept: &str| (kept.to_owned(), None, false);
    assert_eq!(kept("copilot", &format!("--resume={ID} --model m")), named("--model m", ID));
    assert_eq!(kept("copilot", "--resume fix-the-bug"), (String::new(), None, true), "a name is no id");
    assert_eq!(kept("copilot", "-i hello --allow-tool a b --model m"), plain("--allow-tool a b --model m"));
    assert_eq!(kept("gemini", &format!("-m m --resume {ID}")), named("-m m", ID));
    assert_eq!(kept("gemini", "--resume latest"), (String::new(), None, true));
    assert_eq!(kept("gemini", "-y -p hello -e a b"), plain("-y -e a b"));
    assert_eq!(kept("qwen", &format!("--session-id {ID} -i go --proxy p")), named("--proxy p", ID));
    assert_eq!(kept("kimi", &format!("-S {ID} --yolo -c hello")), named("--yolo", ID));
    assert_eq!(kept("goose", "-n fix --with-builtin b"), named("--with-builtin b", "fix"));
    assert_eq!(kept("goose", "-r"), (String::new(), None, true));
    assert_eq!(kept("amp", "threads continue T-1 -m m"), named("-m m", "T-1"));
    assert_eq!(kept("amp", "-x hello"), plain(""));
    assert_eq!(kept("opencode", "-s ses_1 --model m --prompt hello"), named("--model m", "ses_1"));
    assert_eq!(kept("opencode", "--session other"), (String::new(), None, true));
    assert_eq!(kept("aider", "--model m a.py --message hello b.py"), plain("--model m a.py b.py"));
    assert!(kept("aider", "--restore-chat-history").2);
}
