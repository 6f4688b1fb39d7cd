//! Codex's own files, as observed on 0.171 and 0.104.
//!
//! A thread's rollout is `sessions/YYYY/MM/DD/rollout-<start>-<id>.jsonl` (or `.jsonl.zst`), the id a UUID of version 7. It appears with the
//! first message; since 0.171 `thread-writer-locks/<id>.lock` is held from the start. Both stay open while the process lives.

use serde::Deserialize;

use super::Meta;
use crate::session;

/// The name of a rollout file, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RolloutName<'a> {
    /// When the thread began, `YYYY-MM-DDTHH-MM-SS` in the time of the place.
    pub started: &'a str,
    /// The conversation.
    pub id: &'a str,
    /// Whether the file is compressed.
    pub compressed: bool,
}

/// Takes the name of a rollout apart; `path` may have directories before it.
pub fn rollout_name(path: &str) -> Option<RolloutName<'_>> {
    let name = path.rsplit('/').next()?.strip_prefix("rollout-")?;
    let (stem, compressed) = match name.strip_suffix(".jsonl.zst") {
        Some(stem) => (stem, true),
        None => (name.strip_suffix(".jsonl")?, false),
    };
    let (started, rest) = (stem.get(..19)?, stem.get(19..)?);
    let id = rest.strip_prefix('-')?;
    let is_stamp = started.bytes().enumerate().all(|(at, byte)| match at {
        4 | 7 | 13 | 16 => byte == b'-',
        10 => byte == b'T',
        _ => byte.is_ascii_digit(),
    });
    (is_stamp && session::is_uuid(id)).then_some(RolloutName { started, id, compressed })
}

#[derive(Deserialize)]
struct Line {
    #[serde(rename = "type")]
    kind: String,
    payload: Payload,
}

#[derive(Deserialize)]
struct Payload {
    id: String,
    session_id: Option<String>,
    parent_thread_id: Option<serde_json::Value>,
    cwd: String,
}

/// Reads the first line of a rollout, which is long (the model's instructions are in it): the whole line is needed.
///
/// A sub-agent's thread has a parent, or an id that isn't its session's, and is no conversation of a pane. `source` is of no use: it is
/// `vscode` for a pane's thread too when the daemon has it.
pub fn meta(first_line: &str) -> Option<Meta> {
    let line: Line = serde_json::from_str(first_line).ok()?;
    let Payload { id, session_id, parent_thread_id, cwd } = line.payload;
    let is_root =
        parent_thread_id.is_none_or(|parent| parent.is_null()) && session_id.is_none_or(|session| session == id);
    (line.kind == "session_meta" && is_root && session::is_uuid(&id)).then_some(Meta { id, cwd })
}

/// The id that was made last, by the time inside it.
pub fn newest<'a>(ids: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    ids.into_iter().filter(|id| session::uuid7_ms(id).is_some()).max()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ID: &str = "019a1b2c-3d4e-7f00-8000-000000000001";

    fn line(more: &str) -> String {
        format!(
            r#"{{"timestamp":"t","ordinal":0,"type":"session_meta","payload":{{"id":"{ID}","cwd":"/w","source":"vscode"{more}}}}}"#
        )
    }

    #[test]
    fn a_first_line_tells_id_and_directory() {
        let expected = Some(Meta { id: ID.into(), cwd: "/w".into() });
        assert_eq!(meta(&line("")), expected);
        assert_eq!(meta(&line(&format!(r#","session_id":"{ID}","parent_thread_id":null"#))), expected);
    }

    #[test]
    fn a_sub_agent_is_no_conversation_of_a_pane() {
        assert_eq!(meta(&line(r#","parent_thread_id":"019a1b2c-0000-7f00-8000-000000000001""#)), None);
        assert_eq!(meta(&line(r#","session_id":"019a1b2c-0000-7f00-8000-000000000001""#)), None);
        assert_eq!(meta(&line("").replace("session_meta", "turn_context")), None);
        assert_eq!(meta(&line("")[..60]), None);
    }

    #[test]
    fn the_newest_is_told_by_the_id_and_not_by_its_place() {
        let later = "019a1b2c-3d4f-7000-8000-000000000001";
        assert_eq!(newest([later, ID]), Some(later));
        assert_eq!(newest(["5e1f7e57-0000-4000-8000-000000000001"]), None);
    }

    proptest! {
        #[test]
        fn a_name_made_is_the_name_read(bytes in any::<u128>(), date in "20[0-9]{2}-[01][0-9]-[0-3][0-9]T[0-2][0-9]-[0-5][0-9]-[0-5][0-9]", compressed: bool, dir in "(/[a-z-]{0,9}){0,4}/") {
            let hex = format!("{bytes:032x}");
            let id = format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]);
            let path = format!("{dir}rollout-{date}-{id}.jsonl{}", if compressed { ".zst" } else { "" });
            prop_assert_eq!(rollout_name(&path), Some(RolloutName { started: &date, id: &id, compressed }));
        }

        #[test]
        fn any_other_name_is_none_and_no_panic(path in "\\PC{0,120}", line in "\\PC{0,200}") {
            prop_assert!(rollout_name(&path).is_none());
            prop_assert!(meta(&line).is_none());
        }
    }
}
