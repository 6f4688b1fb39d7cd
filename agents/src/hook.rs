//! How an engine is made to tell which conversation it has: by its own hooks, for one launch only. The user's files are never written.
//!
//! What is put on the command line runs this program with the pane's token ([`command`]); what the engine gives it is read here ([`read`]).
//! Whether a report is believed is decided in [`crate::identity`].

use serde_json::{Map, Value, json};

use crate::engines::Engine;
use crate::shell::quote_posix;
use crate::store::Root;

/// How an engine takes a hook for one launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hook {
    /// Settings as JSON behind this flag; they are added to those of the user's files. It runs when a conversation begins or another one is
    /// taken up, from the start on.
    Settings {
        /// The flag.
        flag: &'static str,
    },
    /// A program that is told of each finished turn, by an override of the configuration. It replaces the user's own, so it is left out when
    /// there is one.
    Notify {
        /// The flag of an override, `KEY=VALUE`.
        flags: &'static [&'static str],
        /// The key.
        key: &'static str,
        /// Where the user may have set it: below the store's root.
        files: &'static [&'static str],
    },
}

/// The hooks of the rows that have one.
const HOOKS: &[(&str, Hook)] = &[
    ("claude", Hook::Settings { flag: "--settings" }),
    ("codex", Hook::Notify { flags: &["-c", "--config"], key: "notify", files: &["config.toml", "*.config.toml"] }),
    ("discovered", Hook::Notify { flags: &["-c", "--config"], key: "notify", files: &["discovered/config.toml"] }),
    ("pinned", Hook::Settings { flag: "--settings" }),
];

/// The hook of an engine.
pub fn hook_of(engine: &Engine) -> Option<Hook> {
    // An entry of the user's own in the place of a row is another program.
    let is_row = crate::engines::find(engine.id) == Some(engine);
    HOOKS.iter().find(|(id, _)| is_row && *id == engine.id).map(|(_, hook)| *hook)
}

/// The files to read before [`arguments`], as patterns below a root.
pub fn files(engine: &Engine) -> Vec<(Root, &'static str)> {
    let (Some(Hook::Notify { files, .. }), Some(store)) = (hook_of(engine), engine.store) else { return Vec::new() };
    files.iter().map(|file| (store.root, *file)).collect()
}

/// The token that stands for the one in the environment of whoever reports.
pub const OWN_TOKEN: &str = "-";

/// Who reports, and for whom.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reporter {
    /// The path of this program.
    pub program: String,
    /// The pane's token.
    pub token: String,
    /// The user's configuration files of the engine, see [`files`]; those of the directory as well.
    pub configured: Vec<String>,
}

/// The words that report, before what the engine adds.
pub fn command(reporter: &Reporter) -> [String; 3] {
    [reporter.program.clone(), "__report".to_owned(), reporter.token.clone()]
}

/// `args` (the user's own) with the hook of the engine. Unchanged where the user's own settings leave no place for one: what the process
/// holds open, or says of itself, has to do then.
pub fn with_hook(engine: &Engine, reporter: Option<&Reporter>, args: &[String]) -> Vec<String> {
    let hooked = match (hook_of(engine), reporter) {
        (Some(Hook::Settings { flag }), Some(reporter)) => with_settings(flag, reporter, args),
        (Some(Hook::Notify { flags, key, .. }), Some(reporter)) => with_notify(flags, key, reporter, args),
        _ => None,
    };
    hooked.unwrap_or_else(|| args.to_vec())
}

/// The user's settings on the command line count, and ours beside them: given as text they are merged, in a file they are left alone.
fn with_settings(flag: &str, reporter: &Reporter, args: &[String]) -> Option<Vec<String>> {
    let (mut settings, mut rest) = (Value::Object(Map::new()), Vec::new());
    let mut words = args.iter();
    while let Some(word) = words.next() {
        if word == "--" {
            rest.push(word.clone());
            rest.extend(words.cloned());
            break;
        }
        let value = match word.strip_prefix(flag) {
            Some("") => words.next()?.as_str(),
            Some(after) if after.starts_with('=') => &after[1..],
            _ => {
                rest.push(word.clone());
                continue;
            }
        };
        let own: Value = serde_json::from_str(value).ok()?;
        settings.as_object_mut()?.extend(own.as_object()?.clone());
    }
    let hooks = settings.as_object_mut()?.entry("hooks").or_insert_with(|| json!({}));
    let list = hooks.as_object_mut()?.entry("SessionStart").or_insert_with(|| json!([]));
    list.as_array_mut()?
        .push(json!({ "hooks": [{ "type": "command", "command": shell_line(reporter), "timeout": 5 }] }));
    Some([flag.to_owned(), settings.to_string()].into_iter().chain(rest).collect())
}

/// A line that never fails and never says a word, even when this program is gone: what it printed would be told to the model.
fn shell_line(reporter: &Reporter) -> String {
    let [program, word, token] = command(reporter).map(|word| quote_posix(&word));
    format!("[ -x {program} ] && {program} {word} {token} >/dev/null 2>&1 || :")
}

fn with_notify(flags: &[&str], key: &str, reporter: &Reporter, args: &[String]) -> Option<Vec<String>> {
    let sets = |text: &str| {
        let name = text.split('=').next().unwrap_or_default().trim();
        text.contains('=') && name.rsplit('.').next().map(|part| part.trim().trim_matches(['"', '\''])) == Some(key)
    };
    let configured = reporter.configured.iter().any(|text| text.lines().any(sets));
    if configured || args.iter().any(|word| sets(word.trim_start_matches('-'))) {
        return None;
    }
    // A list of strings in TOML reads as one in JSON does.
    let value = format!("{key}={}", json!(command(reporter)));
    Some([(*flags.first()?).to_owned(), value].into_iter().chain(args.iter().cloned()).collect())
}

/// The conversation that an engine's hook tells of in its JSON; `None` when it is not about one of its own (a sub-agent's).
pub fn read(text: &str) -> Option<String> {
    let value: Value = serde_json::from_str(text).ok()?;
    let is_subagent = value.get("agent_id").is_some_and(|agent| !agent.is_null());
    let session = value.get("session_id").or_else(|| value.get("thread-id"))?.as_str()?;
    (!is_subagent && crate::session::is_safe(session)).then(|| session.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::find;

    fn reporter() -> Reporter {
        Reporter { program: "/it's/rove".into(), token: "TOKEN".into(), configured: Vec::new() }
    }

    fn hooked(engine: &str, reporter: &Reporter, args: &[&str]) -> Vec<String> {
        let args: Vec<String> = args.iter().map(|word| (*word).to_owned()).collect();
        with_hook(find(engine).unwrap(), Some(reporter), &args)
    }

    #[test]
    fn a_settings_hook_is_merged_with_what_the_user_gives() {
        let plain = hooked("claude", &reporter(), &["--model", "opus", "fix"]);
        assert_eq!(
            (plain[0].as_str(), &plain[2..]),
            ("--settings", &["--model", "opus", "fix"].map(str::to_owned)[..])
        );
        let line = r"[ -x '/it'\''s/rove' ] && '/it'\''s/rove' '__report' 'TOKEN' >/dev/null 2>&1 || :";
        let settings: Value = serde_json::from_str(&plain[1]).unwrap();
        assert_eq!(settings["hooks"]["SessionStart"][0]["hooks"][0]["command"], line);
        let own = r#"{"model":"x","hooks":{"Stop":[1],"SessionStart":[2]}}"#;
        for args in [&["--settings", own, "a"][..], &[&format!("--settings={own}"), "a"]] {
            let merged = hooked("claude", &reporter(), args);
            assert_eq!((merged.len(), merged[2].as_str()), (3, "a"));
            let settings: Value = serde_json::from_str(&merged[1]).unwrap();
            assert_eq!((&settings["model"], &settings["hooks"]["Stop"][0]), (&json!("x"), &json!(1)));
            assert_eq!(settings["hooks"]["SessionStart"].as_array().unwrap().len(), 2);
        }
    }

    #[test]
    fn where_there_is_no_place_for_a_hook_nothing_is_changed() {
        for args in [&["--settings", "/my/settings.json"][..], &["--settings"], &["--settings", "[1]"]] {
            assert_eq!(hooked("claude", &reporter(), args), args);
        }
        assert_eq!(hooked("claude", &reporter(), &["--", "--settings", "x"])[2..], ["--", "--settings", "x"]);
        let args = ["-c", "notify=[\"mine\"]"];
        assert_eq!(hooked("codex", &reporter(), &args), args);
        for text in ["model = 1\nnotify = [\"mine\"]\n", "[profiles.x]\n  notify=[]", "profiles.x.\"notify\" = []"] {
            let configured = Reporter { configured: vec![text.to_owned()], ..reporter() };
            assert_eq!(hooked("codex", &configured, &["-m", "x"]), ["-m", "x"], "{text}");
        }
        assert_eq!(with_hook(find("claude").unwrap(), None, &[]), [] as [String; 0]);
    }

    #[test]
    fn a_notify_hook_is_a_list_of_words() {
        let other = Reporter { configured: vec!["[tui]\nnotifications = true\n".into()], ..reporter() };
        let words = hooked("codex", &other, &["-m", "x"]);
        assert_eq!(words, ["-c", r#"notify=["/it's/rove","__report","TOKEN"]"#, "-m", "x"]);
        assert_eq!(files(find("codex").unwrap()).len(), 2);
        assert!(files(find("claude").unwrap()).is_empty());
    }

    #[test]
    fn what_hooks_say_reads() {
        let id = "5e1f7e57-0000-4000-8000-000000000001";
        let said = |text: String| read(&text);
        assert_eq!(
            said(format!(r#"{{"session_id":"{id}","hook_event_name":"SessionStart","source":"clear"}}"#)).as_deref(),
            Some(id)
        );
        assert_eq!(said(format!(r#"{{"type":"agent-turn-complete","thread-id":"{id}"}}"#)).as_deref(), Some(id));
        assert_eq!(said(format!(r#"{{"session_id":"{id}","agent_id":"x"}}"#)), None);
        assert_eq!(said(r#"{"session_id":"../x"}"#.into()), None);
        assert_eq!(said("no json".into()), None);
    }
}
