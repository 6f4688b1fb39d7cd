//! A launch that the user asked for: what to run, what to remember, which files to put aside first.

use crate::args::{self, Parsed};
use crate::engines::{Engine, IdSource, Ids};
use crate::hook;
use crate::identity::How;
use crate::probe::{Facts, Holder, Installed, Transcript};
use crate::record::AgentRecord;
use crate::trust::{self, Trust};

/// What the user asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// What stood behind the engine's name: maybe `new` first, `--fresh-session` anywhere, else the engine's own arguments.
    pub args: Vec<String>,
    /// The pane's UUID.
    pub pane: String,
    /// The directory, with its symbolic links resolved.
    pub cwd: String,
    /// The pane's record, when an agent was launched in it before.
    pub record: Option<AgentRecord>,
}

/// What to do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Launch {
    /// The program and its arguments.
    pub argv: Vec<String>,
    /// Variables to take out of its environment.
    pub env_remove: Vec<String>,
    /// Variables to put into it.
    pub env_set: Vec<(String, String)>,
    /// What to remember, before it starts.
    pub record: AgentRecord,
    /// Files to rename first, from and to.
    pub move_aside: Vec<(String, String)>,
    /// One line for the user, when something is not as asked.
    pub note: Option<String>,
}

/// Why there is no launch.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LaunchError {
    /// Both ways to start over.
    #[error("pick one: new starts over under a new id, --fresh-session starts over under this pane's id")]
    NewAndFresh,
    /// No such program.
    #[error("{0} is not installed: no {1} on the PATH")]
    NotInstalled(&'static str, String),
    /// No such directory.
    #[error("{0} can't be started in {1}: that directory is not there; cd to another one first")]
    NoDirectory(&'static str, String),
    /// Another pane has it.
    #[error("conversation {id} is open in {holder}; go there with: rove {way}, or start over with: rove {engine} new")]
    Held {
        /// The conversation.
        id: String,
        /// The pane.
        holder: String,
        /// The command that leads there.
        way: String,
        /// The engine.
        engine: &'static str,
    },
    /// A process of somebody else's has it.
    #[error("conversation {0} is open in another process; end that one first, or start over with new")]
    OpenElsewhere(String),
}

/// How the user wants it to begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Start {
    Usual,
    New,
    Fresh,
}

/// The conversation that a launch is about, for [`crate::probe::for_conversation`]. `None` when it will be a new one.
pub fn conversation(engine: &Engine, request: &Request) -> Option<String> {
    let (start, rest) = start(&request.args).ok()?;
    let parsed = args::parse(engine, args::without_subcommand(engine, &rest));
    subject(engine, request, start, &parsed)
}

/// Plans the launch. `facts` are about the [`conversation`].
pub fn launch(engine: &'static Engine, request: &Request, facts: &Facts) -> Result<Launch, LaunchError> {
    let (start, rest) = start(&request.args)?;
    let rest = args::without_subcommand(engine, &rest);
    if facts.installed == Installed::No {
        return Err(LaunchError::NotInstalled(engine.product, engine.program_names()));
    }
    if facts.directory_gone {
        return Err(LaunchError::NoDirectory(engine.product, request.cwd.clone()));
    }
    let parsed = args::parse(engine, rest);
    let id = subject(engine, request, start, &parsed);
    if let Some(id) = &id {
        if let Some(holder) = &facts.holder {
            let Holder { place, way } = holder.clone();
            return Err(LaunchError::Held { id: id.clone(), holder: place, way, engine: engine.id });
        }
        if facts.open_elsewhere {
            return Err(LaunchError::OpenElsewhere(id.clone()));
        }
    }
    let mut launch =
        Launch { env_remove: engine.scrub.iter().map(|name| (*name).to_owned()).collect(), ..Launch::default() };
    launch.record = request.record.clone().filter(|record| record.engine == engine.id).unwrap_or_default();
    launch.record.engine = engine.id.to_owned();
    launch.record.args = parsed.kept.clone();
    launch.record.cwd = request.cwd.clone();
    launch.record.launched_ms = facts.now_ms;
    if start == Start::Fresh {
        match engine.identity {
            IdSource::Pinned { .. } => launch.move_aside = aside(facts),
            _ => {
                launch.note = Some(format!(
                    "{} makes its own ids, so this is a new conversation under a new one",
                    engine.product
                ));
            }
        }
    }
    let known = launch.record.id.is_some() && launch.record.id == id;
    let exists = start == Start::Usual && engine.has_transcript(facts.transcript, known);
    let trust = trusted(engine, &request.cwd, facts);
    let ours = |args: &[String]| with_ours(engine, facts, &trust, args);
    let (words, how, id) = words(engine, start, &parsed, rest, id, facts, (exists, launch.record.failures), &ours);
    launch.env_set = trust.environment.clone();
    launch.record.turn_to(id);
    launch.record.how = how;
    launch.record.told = None;
    launch.argv = command(engine, facts, words);
    launch.record.argv = launch.argv.clone();
    Ok(launch)
}

/// What keeps the engine from asking about a directory that this program made.
pub(crate) fn trusted(engine: &Engine, directory: &str, facts: &Facts) -> Trust {
    if facts.own_directory { trust::trust(engine, directory) } else { Trust::default() }
}

/// The user's arguments with what belongs to this one launch: the hook, and trust.
pub(crate) fn with_ours(engine: &Engine, facts: &Facts, trust: &Trust, args: &[String]) -> Vec<String> {
    let hooked = hook::with_hook(engine, facts.reporter.as_ref(), args);
    trust.args.iter().cloned().chain(hooked).collect()
}

/// Takes `new` and `--fresh-session` (or `--fresh`) out of the arguments.
fn start(args: &[String]) -> Result<(Start, Vec<String>), LaunchError> {
    let is_new = args.first().is_some_and(|word| word == "new");
    let own_end = args.iter().position(|word| word == "--").unwrap_or(args.len());
    let is_fresh_word = |word: &str| word == "--fresh-session" || word == "--fresh";
    let is_fresh = args[..own_end].iter().any(|word| is_fresh_word(word));
    let kept = |(at, word): &(usize, &String)| !(*at == 0 && is_new || *at < own_end && is_fresh_word(word));
    let rest = args.iter().enumerate().filter(kept).map(|(_, word)| word.clone()).collect();
    match (is_new, is_fresh) {
        (true, true) => Err(LaunchError::NewAndFresh),
        (true, false) => Ok((Start::New, rest)),
        (false, true) => Ok((Start::Fresh, rest)),
        (false, false) => Ok((Start::Usual, rest)),
    }
}

/// Which conversation it is about: the one that the user names, the pane's, or none yet.
fn subject(engine: &Engine, request: &Request, start: Start, parsed: &Parsed) -> Option<String> {
    if parsed.chooses {
        return parsed.names.clone();
    }
    let before =
        request.record.as_ref().filter(|record| record.engine == engine.id).and_then(|record| record.id.clone());
    match (engine.identity, start) {
        (_, Start::New) => None,
        (IdSource::Pinned { .. }, Start::Usual) => Some(before.unwrap_or_else(|| request.pane.clone())),
        (IdSource::Pinned { .. }, Start::Fresh) => Some(request.pane.clone()),
        (IdSource::Discovered | IdSource::Precreated { .. }, Start::Usual) => before,
        _ => None,
    }
}

/// The arguments, and the conversation they lead to. `ours` adds what belongs to this launch alone.
#[allow(clippy::too_many_arguments)] // What was read of the request, and the facts.
fn words(
    engine: &Engine,
    start: Start,
    parsed: &Parsed,
    rest: &[String],
    id: Option<String>,
    facts: &Facts,
    (exists, failures): (bool, u8),
    ours: &dyn Fn(&[String]) -> Vec<String>,
) -> (Words, Option<How>, Option<String>) {
    let plain = || Words::Engine(args::fill(engine.launch, "", &ours(rest)));
    if parsed.chooses {
        let how = id.is_some().then_some(How::Argv);
        return (plain(), how, id);
    }
    match (engine.identity, id) {
        (_, Some(id)) if exists && engine.resumes() => {
            let mut words = args::fill(engine.resume, &id, &ours(&parsed.kept));
            words.extend(parsed.prompt.iter().cloned());
            let how = if matches!(engine.identity, IdSource::Pinned { .. }) { How::Pinned } else { How::Argv };
            (Words::Engine(words), Some(how), Some(id))
        }
        (IdSource::Pinned { words }, id) => {
            // A transcript of no bytes may stop its id from being pinned again, so it gets one try.
            let is_spent = start == Start::Usual && facts.transcript == Transcript::Empty && failures > 0;
            let id = id.filter(|_| !is_spent).unwrap_or_else(|| facts.fresh_id.clone());
            (Words::Engine(pinned(engine, words, &id, &ours(rest))), Some(How::Pinned), Some(id))
        }
        (IdSource::Precreated { .. }, _) => (Words::Begin(ours(rest)), None, None),
        _ => (plain(), None, None),
    }
}

/// Names under which an engine no longer sees its transcripts. Nothing is deleted.
fn aside(facts: &Facts) -> Vec<(String, String)> {
    let to = |path: &String| (path.clone(), format!("{path}.rove-archived-{}", facts.now_ms));
    facts.paths.iter().map(to).collect()
}

/// The arguments of a launch that gives the id.
pub(crate) fn pinned(engine: &Engine, words: &[&str], id: &str, rest: &[String]) -> Vec<String> {
    let all: Vec<String> = args::fill(words, id, &[]).into_iter().chain(rest.iter().cloned()).collect();
    args::fill(engine.launch, id, &all)
}

/// What is run.
pub(crate) enum Words {
    /// The engine with these arguments.
    Engine(Vec<String>),
    /// This program, which has the engine make a conversation first and then becomes it, with these arguments of the user's.
    Begin(Vec<String>),
}

/// The word by which this program is asked to begin a conversation: `rove __begin ENGINE ARGUMENTS...`.
pub const BEGIN: &str = "__begin";

/// The whole command line: the engine by name, so that the login shell's own path counts, or this program by its path.
pub(crate) fn command(engine: &Engine, facts: &Facts, words: Words) -> Vec<String> {
    let this = || if facts.this_program.is_empty() { "rove".to_owned() } else { facts.this_program.clone() };
    match (words, &facts.installed) {
        (Words::Begin(args), _) => [this(), BEGIN.to_owned(), engine.id.to_owned()].into_iter().chain(args).collect(),
        (Words::Engine(words), Installed::At(path)) if engine.programs.is_empty() => {
            std::iter::once(path.clone()).chain(words).collect()
        }
        (Words::Engine(words), _) => engine.start_words().into_iter().chain(words).collect(),
    }
}

/// How a conversation is made before an engine starts on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Begin {
    /// What to run; its output may name the conversation.
    pub argv: Vec<String>,
    /// What to write to the file whose path takes the place of `{file}` in `argv`; empty when it takes none.
    pub seed: String,
    /// The conversation, when it is ours to name.
    pub id: Option<String>,
}

/// How `engine` makes a conversation in the directory `cwd`; `fresh` is a new UUID. `None` when it makes none beforehand.
pub fn begin(engine: &Engine, cwd: &str, fresh: &str, now_ms: u64) -> Option<Begin> {
    let IdSource::Precreated { command, seed: text } = engine.identity else { return None };
    let argv = engine.start_words().into_iter().chain(command.iter().map(|word| (*word).to_owned())).collect();
    if text.is_empty() {
        return Some(Begin { argv, seed: String::new(), id: None });
    }
    let prefix = if let Ids::Prefixed(prefix) = engine.ids { prefix } else { "" };
    let id = format!("{prefix}{}", fresh.replace('-', ""));
    Some(Begin { argv, seed: seed(text, &id, cwd, now_ms), id: Some(id) })
}

/// Fills a seed. The directory comes as a JSON string.
pub(crate) fn seed(text: &str, id: &str, cwd: &str, now_ms: u64) -> String {
    let cwd = serde_json::Value::from(cwd).to_string();
    text.replace("{session}", id).replace("{now}", &now_ms.to_string()).replace("{cwd}", &cwd)
}

/// The conversation that the output of [`Begin::argv`] names: the last word of the right shape.
pub fn begun(engine: &Engine, said: &str) -> Option<String> {
    let mut words = said.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_'));
    words.rfind(|word| engine.ids.fits(word)).map(str::to_owned)
}

/// The engine's own command line on a conversation that was made for it, or without one, with the user's `args`.
pub fn on(engine: &Engine, id: Option<&str>, args: &[String]) -> Vec<String> {
    let words = match id {
        Some(id) => args::fill(engine.resume, id, args),
        None => args::fill(engine.launch, "", args),
    };
    engine.start_words().into_iter().chain(words).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::{ENGINES, find};

    const PANE: &str = "5e1f7e57-0000-4000-8000-000000000001";
    const FRESH: &str = "5e1f7e57-0000-4000-8000-0000000000ff";
    const OWN: &str = "019a1b2c-3d4e-7f00-8000-000000000001";

    fn request(line: &str) -> Request {
        let args = line.split_whitespace().map(str::to_owned).collect();
        Request { args, pane: PANE.into(), cwd: "/w".into(), record: None }
    }

    fn facts(transcript: Transcript) -> Facts {
        let paths = if transcript == Transcript::Absent { Vec::new() } else { vec!["/t.jsonl".to_owned()] };
        Facts { transcript, paths, fresh_id: FRESH.into(), now_ms: 77, ..Facts::default() }
    }

    fn run(engine: &str, line: &str, transcript: Transcript) -> Launch {
        launch(find(engine).unwrap(), &request(line), &facts(transcript)).unwrap()
    }

    #[test]
    fn every_row_launches_and_is_remembered() {
        for engine in ENGINES {
            let found = Facts { installed: Installed::At("/bin/rove".into()), ..facts(Transcript::Absent) };
            let launch = launch(engine, &request("--flag"), &found).unwrap();
            assert_eq!(launch.record.engine, engine.id);
            assert_eq!(launch.record.argv, launch.argv);
            let begins = matches!(engine.identity, IdSource::Precreated { .. });
            let program = if begins { &"rove" } else { engine.programs.first().unwrap_or(&"/bin/rove") };
            assert_eq!(launch.argv[0], *program);
            assert_eq!(launch.argv.last().map(String::as_str), Some("--flag"));
            assert_eq!(launch.record.id.is_some(), matches!(engine.identity, IdSource::Pinned { .. }), "{}", engine.id);
            assert_eq!(launch.env_remove.len(), engine.scrub.len());
        }
    }

    #[test]
    fn claude_is_pinned_to_its_pane_and_resumed_when_it_has_spoken() {
        let first = run("claude", "--model opus", Transcript::Absent);
        assert_eq!(first.argv, ["claude", "--session-id", PANE, "--model", "opus"]);
        assert_eq!((first.record.id.as_deref(), first.record.how), (Some(PANE), Some(How::Pinned)));
        assert_eq!(first.record.args, ["--model", "opus"]);
        let again = run("claude", "--model opus hello", Transcript::Present);
        assert_eq!(again.argv, ["claude", "--resume", PANE, "--model", "opus", "hello"]);
        assert_eq!(again.record.args, ["--model", "opus"]);
        assert!(first.env_remove.contains(&"CLAUDECODE".to_owned()));
    }

    #[test]
    fn codex_has_no_id_at_first_and_no_daemon() {
        let first = run("codex", "-m gpt go", Transcript::Absent);
        assert_eq!(first.argv, ["codex", "-c", "features.daemon_auto_start=false", "-m", "gpt", "go"]);
        assert_eq!((first.record.id, first.record.how), (None, None));
        let record = AgentRecord { engine: "codex".into(), id: Some(OWN.into()), ..AgentRecord::default() };
        let again = Request { record: Some(record), ..request("-m gpt go") };
        let again = launch(find("codex").unwrap(), &again, &facts(Transcript::Present)).unwrap();
        assert_eq!(again.record.how, Some(How::Argv));
        assert_eq!(again.argv[1..], ["-c", "features.daemon_auto_start=false", "resume", "-m", "gpt", OWN, "go"]);
    }

    #[test]
    fn new_takes_a_new_id_and_leaves_the_old_transcript() {
        let launch = run("claude", "new --model opus", Transcript::Present);
        assert_eq!(launch.argv, ["claude", "--session-id", FRESH, "--model", "opus"]);
        assert_eq!((launch.record.id.as_deref(), launch.move_aside.len()), (Some(FRESH), 0));
        assert_eq!(conversation(find("claude").unwrap(), &request("new")), None);
    }

    #[test]
    fn a_fresh_session_keeps_the_id_and_moves_the_transcript_aside() {
        let launch = run("claude", "--model opus --fresh-session", Transcript::Present);
        assert_eq!(launch.argv, ["claude", "--session-id", PANE, "--model", "opus"]);
        assert_eq!(launch.move_aside, [("/t.jsonl".to_owned(), "/t.jsonl.rove-archived-77".to_owned())]);
        let codex = run("codex", "--fresh", Transcript::Absent);
        assert!(codex.note.unwrap().contains("its own ids"));
    }

    #[test]
    fn both_ways_to_start_over_are_refused() {
        let error =
            launch(find("claude").unwrap(), &request("new --fresh-session"), &facts(Transcript::Absent)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "pick one: new starts over under a new id, --fresh-session starts over under this pane's id"
        );
        assert!(
            launch(find("claude").unwrap(), &request("new -- --fresh-session"), &facts(Transcript::Absent)).is_ok()
        );
    }

    #[test]
    fn the_users_own_choice_of_a_conversation_stands() {
        for line in [format!("--resume {OWN}"), format!("--session-id {OWN} --verbose")] {
            let launch = run("claude", &line, Transcript::Absent);
            assert_eq!(launch.argv[1..].join(" "), line);
            assert_eq!((launch.record.id.as_deref(), launch.record.how), (Some(OWN), Some(How::Argv)));
        }
        for line in ["--continue", "-c", "-r", "--from-pr 12"] {
            let launch = run("claude", line, Transcript::Absent);
            assert_eq!((launch.argv[1..].join(" ").as_str(), launch.record.id), (line, None));
        }
        assert_eq!(run("codex", &format!("resume {OWN}"), Transcript::Present).record.id.as_deref(), Some(OWN));
    }

    #[test]
    fn a_conversation_that_is_open_is_not_opened_twice() {
        let held = Facts {
            holder: Some(Holder { place: "pane %2".into(), way: "switch-client -t %2".into() }),
            ..facts(Transcript::Present)
        };
        let error = launch(find("claude").unwrap(), &request(""), &held).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "conversation {PANE} is open in pane %2; go there with: rove switch-client -t %2, or start over with: rove claude new"
            )
        );
        assert!(launch(find("claude").unwrap(), &request("new"), &held).is_ok());
        let open = Facts { open_elsewhere: true, ..facts(Transcript::Present) };
        assert_eq!(launch(find("claude").unwrap(), &request(""), &open), Err(LaunchError::OpenElsewhere(PANE.into())));
        let gone = Facts { directory_gone: true, ..facts(Transcript::Absent) };
        let error = launch(find("codex").unwrap(), &request(""), &gone).unwrap_err();
        assert_eq!(
            error.to_string(),
            "Codex can't be started in /w: that directory is not there; cd to another one first"
        );
        let none = Facts { installed: Installed::No, ..facts(Transcript::Absent) };
        let error = launch(find("codex").unwrap(), &request(""), &none).unwrap_err();
        assert_eq!(error.to_string(), "Codex is not installed: no codex on the PATH");
    }

    #[test]
    fn a_pane_that_lost_its_record_finds_its_conversation_again() {
        let lost = run("claude", "", Transcript::Present);
        assert_eq!(lost.argv, ["claude", "--resume", PANE]);
    }

    #[test]
    fn an_empty_transcript_gets_one_try_and_then_another_id() {
        let mut first = run("claude", "", Transcript::Empty);
        assert_eq!(first.argv, ["claude", "--session-id", PANE]);
        first.record.failed();
        let second = Request { record: Some(first.record), ..request("") };
        let second = launch(find("claude").unwrap(), &second, &facts(Transcript::Empty)).unwrap();
        assert_eq!(second.argv, ["claude", "--session-id", FRESH]);
    }
}
