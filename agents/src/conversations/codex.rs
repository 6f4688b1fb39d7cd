//! Codex's rollouts: `session_meta` first, then a JSON object a line. What the user said is an `event_msg` of the type
//! `user_message`, and a `response_item` of the role `user` too, among instructions and notes in the user's name.

use serde_json::Value;

use super::{Opening, values, words};
use crate::engine::codex::meta;

/// How what the program wrote in the user's name begins.
const WRAPPED: &[&str] = &[
    "# AGENTS.md instructions",
    "<environment_context>",
    "<ENVIRONMENT_CONTEXT>",
    "<permissions instructions>",
    "<turn_aborted>",
    "<user_instructions>",
    "<user_shell_command>",
];

pub(super) fn read(text: &str) -> Opening {
    let first = text.lines().next().unwrap_or_default();
    let Some(meta) = meta(first) else {
        // Cut in the middle of a long first line, or the thread of a helper.
        let is_whole = text.contains('\n');
        return Opening { is_part: is_whole, ..Opening::default() };
    };
    let mut opening = Opening { directory: Some(meta.cwd), ..Opening::default() };
    let (mut events, mut items) = (0, 0);
    let mut item = None;
    for line in values(text).skip(1) {
        let payload = &line["payload"];
        match (line["type"].as_str(), payload["type"].as_str()) {
            (Some("event_msg"), Some("user_message")) => {
                events += 1;
                if opening.message.is_none() {
                    opening.message = payload["message"].as_str().filter(|said| !is_wrapped(said)).map(str::to_owned);
                }
            }
            (Some("event_msg"), Some("agent_message")) => events += 1,
            (Some("response_item"), Some("message")) => {
                let said = said(&payload["content"]);
                let counts = match payload["role"].as_str() {
                    Some("user") => said.is_some(),
                    role => role == Some("assistant"),
                };
                items += u32::from(counts);
                if item.is_none() && payload["role"] == "user" {
                    item = said;
                }
            }
            _ => {}
        }
    }
    opening.message = opening.message.or(item);
    opening.messages = if items > 0 { items } else { events };
    opening
}

fn is_wrapped(text: &str) -> bool {
    words::is_wrapped(text, WRAPPED)
}

/// What the user said in a message, without what stands there in the user's name.
fn said(content: &Value) -> Option<String> {
    let parts = content.as_array()?;
    let texts: Vec<&str> =
        parts.iter().filter_map(|part| part["text"].as_str()).filter(|text| !is_wrapped(text)).collect();
    (!texts.is_empty()).then(|| texts.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const META: &str =
        r#"{"timestamp":"t","type":"session_meta","payload":{"id":"019a1b2c-3d4e-7f00-8000-000000000001","cwd":"/w"}}"#;

    #[test]
    fn instructions_are_not_what_the_user_said() {
        let text = [
            META,
            r##"{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"# AGENTS.md instructions for /w"}]}}"##,
            r#"{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"<environment_context>x"}]}}"#,
            r#"{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"port it"}]}}"#,
            r#"{"type":"event_msg","payload":{"type":"user_message","message":"port it"}}"#,
            r#"{"type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"yes"}]}}"#,
        ];
        let read = read(&text.join("\n"));
        assert_eq!((read.directory.as_deref(), read.message.as_deref()), (Some("/w"), Some("port it")));
        assert_eq!(read.messages, 2);
    }

    #[test]
    fn a_helpers_thread_is_a_part_and_a_cut_line_is_nothing() {
        let helper = META.replace(r#""cwd""#, r#""parent_thread_id":"019a1b2c-0000-7f00-8000-000000000001","cwd""#);
        assert!(read(&format!("{helper}\n")).is_part);
        assert_eq!(read(&META[..40]), Opening::default());
    }
}
