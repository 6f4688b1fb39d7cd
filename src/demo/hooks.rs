//! The hooks of the stand-ins, as the engines they stand for run them: a shell line that is given JSON on its stdin, or a program that is given
//! it as its last argument. What a hook prints or fails with is told in the talk, as it would be to a model: one that is to disturb nobody must
//! be silent.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

/// The shell lines for the beginning of a conversation, out of settings as text and in files.
pub(super) fn session_start(settings: &[Value]) -> Vec<String> {
    let groups = settings.iter().filter_map(|settings| settings["hooks"]["SessionStart"].as_array()).flatten();
    let hooks = groups.filter_map(|group| group["hooks"].as_array()).flatten();
    hooks.filter_map(|hook| hook["command"].as_str().map(str::to_owned)).collect()
}

/// Runs them all, one after the other, for conversation `id`; gives what they said.
pub(super) fn run_session_start(lines: &[String], id: &str, source: &str) -> String {
    let told = json!({ "session_id": id, "hook_event_name": "SessionStart", "source": source }).to_string();
    lines.iter().map(|line| run_line(line, &told)).collect()
}

fn run_line(line: &str, told: &str) -> String {
    let child = Command::new("/bin/sh")
        .args(["-c", line])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let Ok(mut child) = child else { return "hook: no shell\n".to_owned() };
    if let Some(mut stdin) = child.stdin.take() {
        // A hook need not read it.
        let _ = stdin.write_all(told.as_bytes());
    }
    match child.wait_with_output() {
        Ok(output) if output.status.success() && output.stdout.is_empty() && output.stderr.is_empty() => String::new(),
        Ok(output) => format!(
            "hook: {} {}{}\n",
            output.status,
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        ),
        Err(error) => format!("hook: {error}\n"),
    }
}

/// The program of a `notify=[...]` among overrides and in a file of the configuration; an override counts more.
pub(super) fn notify(overrides: &[String], file: &Path) -> Vec<String> {
    let list = |text: &str| {
        let value = text.trim().strip_prefix("notify")?.trim_start().strip_prefix('=')?;
        serde_json::from_str::<Vec<String>>(value.trim()).ok()
    };
    let configured = std::fs::read_to_string(file).unwrap_or_default();
    let given = overrides.iter().rev().find_map(|text| list(text));
    given.or_else(|| configured.lines().find_map(list)).unwrap_or_default()
}

/// Tells the program of a finished turn. It is not waited for longer than it takes the system to begin it.
pub(super) fn run_notify(program: &[String], id: &str) {
    let Some((name, args)) = program.split_first() else { return };
    let told = json!({ "type": "agent-turn-complete", "thread-id": id }).to_string();
    let child = Command::new(name)
        .args(args)
        .arg(told)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    if let Ok(mut child) = child {
        std::thread::spawn(move || child.wait());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hooks_are_found_in_settings_and_overrides() {
        let settings = json!({ "hooks": { "SessionStart": [{ "hooks": [{ "type": "command", "command": "a" }] }] } });
        assert_eq!(session_start(&[settings.clone(), json!({}), settings]), ["a", "a"]);
        let overrides = ["x=1".to_owned(), r#"notify=["p","q"]"#.to_owned()];
        assert_eq!(notify(&overrides, Path::new("/nowhere")), ["p", "q"]);
    }

    #[test]
    fn only_a_silent_hook_is_silent() {
        assert_eq!(run_line("cat >/dev/null", "x"), "");
        assert!(run_line("cat; exit 3", "x").starts_with("hook: exit status: 3 x"));
    }
}
