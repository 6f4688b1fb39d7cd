//! Claude Code's own files, as observed on 2.1.332 and 2.0.76.
//!
//! A transcript is `projects/<directory, spelled in a way of its own>/<id>.jsonl`: it is looked for by id, the middle is never computed. It
//! appears with the first message. 2.0 leaves a file of 0 bytes some seconds after its start, with which both pinning and resuming that id
//! fail; `resume` knows that trap. `/clear` goes on under a new id in the same process, which `sessions/<pid>.json` (since 2.1) tells.

use serde::Deserialize;

/// What a process says about itself in `sessions/<pid>.json`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct State {
    /// The process.
    pub pid: u32,
    /// The conversation it has now.
    pub session_id: String,
    /// When it began, in milliseconds since 1970. The file outlives a `kill -9`, so a process with that id may be another one.
    #[serde(default)]
    pub started_at: u64,
    /// `idle`, `busy` or `waiting`.
    #[serde(default)]
    pub status: Option<String>,
}

impl State {
    /// Whether it was written by the process with its id that began at `started_ms`, and not by one before that had the same id.
    pub fn is_of(&self, started_ms: u64) -> bool {
        // The clock of `/proc` counts in hundredths since boot, and boot is known to the second.
        const SLACK_MS: u64 = 2000;
        self.started_at.saturating_add(SLACK_MS) >= started_ms
    }
}

/// Reads a state file. `None` when it is not one or names no proper conversation.
pub fn state(text: &str) -> Option<State> {
    let state: State = serde_json::from_str(text).ok()?;
    crate::session::is_uuid(&state.session_id).then_some(state)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_file_reads() {
        let text = r#"{"pid":71,"sessionId":"5e1f7e57-0000-4000-8000-000000000001","cwd":"/w","startedAt":1764500000000,"status":"waiting","waitingFor":"permission prompt"}"#;
        let read = state(text).unwrap();
        assert_eq!((read.pid, read.started_at, read.status.as_deref()), (71, 1_764_500_000_000, Some("waiting")));
        assert_eq!(state(r#"{"pid":71,"sessionId":"../x"}"#), None);
        assert_eq!(state("{\"pid\":71,"), None);
    }
}
