//! Claude Code's transcripts: a JSON object a line, those of both sides with `type` user or assistant, `cwd` and
//! `message.content`, a text or a list of parts. Commands, their output and notes of the program stand there in the user's
//! name, in angle brackets or marked as meta.

use serde_json::Value;

use super::{Opening, values, words};

/// How what the program wrote in the user's name begins.
const WRAPPED: &[&str] = &[
    "<bash-",
    "<command-",
    "<local-command-",
    "<system-reminder>",
    "<task-notification>",
    "<user-memory-input>",
    "Caveat: The messages below",
    "[Request interrupted by user",
];

pub(super) fn read(text: &str) -> Opening {
    let mut opening = Opening::default();
    for line in values(text) {
        if opening.directory.is_none() {
            opening.directory = line["cwd"].as_str().map(str::to_owned);
        }
        let kind = line["type"].as_str().unwrap_or_default();
        if !matches!(kind, "user" | "assistant") {
            continue;
        }
        if line["isSidechain"] == true {
            // A file of a helper of its own has nothing else.
            opening.is_part |= opening.messages == 0;
            continue;
        }
        opening.is_part = false;
        let said = said(&line["message"]["content"]).filter(|_| line["isMeta"] != true);
        let Some(said) = said.filter(|said| kind == "assistant" || !words::is_wrapped(said, WRAPPED)) else { continue };
        opening.messages += 1;
        if kind == "user" && opening.message.is_none() {
            opening.message = Some(said);
        }
    }
    opening
}

/// The text of a message; `None` for what tools got or gave.
fn said(content: &Value) -> Option<String> {
    match content {
        Value::String(text) => Some(text.clone()),
        Value::Array(parts) => {
            let texts = parts.iter().filter(|part| part["type"] == "text").filter_map(|part| part["text"].as_str());
            let own: Vec<&str> = texts.filter(|text| !words::is_wrapped(text, WRAPPED)).collect();
            (!own.is_empty()).then(|| own.join("\n"))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_words_are_the_users_own() {
        let text = concat!(
            r#"{"type":"mode","mode":"default"}"#,
            "\n",
            r#"{"type":"user","isMeta":true,"cwd":"/w","message":{"role":"user","content":"Caveat: The messages below were"}}"#,
            "\n",
            r#"{"type":"user","cwd":"/w","message":{"role":"user","content":"<command-name>/clear</command-name>"}}"#,
            "\n",
            r#"{"type":"user","cwd":"/w","message":{"role":"user","content":[{"type":"text","text":"<system-reminder>x</system-reminder>"},{"type":"text","text":"fix the parser"}]}}"#,
            "\n",
            r#"{"type":"assistant","cwd":"/w","message":{"role":"assistant","content":[{"type":"text","text":"done"}]}}"#,
            "\n",
            r#"{"type":"user","cwd":"/w","message":{"role":"user","content":[{"type":"tool_result","content":"x"}]}}"#,
            "\n",
            r#"{"type":"user","cwd":"/w","message":{"ro"#,
        );
        let read = read(text);
        assert_eq!(read.directory.as_deref(), Some("/w"));
        assert_eq!(read.message.as_deref(), Some("fix the parser"));
        assert_eq!((read.messages, read.is_part), (2, false));
    }

    #[test]
    fn what_a_helper_said_is_no_conversation() {
        let text = r#"{"type":"user","isSidechain":true,"cwd":"/w","message":{"role":"user","content":"look"}}"#;
        assert!(read(text).is_part);
        assert_eq!(read("{\"type\":\"summary\"}").message, None);
    }
}
