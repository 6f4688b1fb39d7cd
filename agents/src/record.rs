//! What is remembered of an agent that was launched in a pane: small, precious, written before the launch.

use serde::{Deserialize, Serialize};

use crate::identity::How;

/// The record of a launched agent. Its presence says that this program launched it; a hand-typed engine has none and is never brought back.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct AgentRecord {
    /// The id of the engine's row. A row unknown to this version is kept as it is.
    pub engine: String,
    /// The conversation, when it is known.
    pub id: Option<String>,
    /// How it is known.
    pub how: Option<How>,
    /// The user's own flags, without a prompt.
    pub args: Vec<String>,
    /// What was launched last, whole.
    pub argv: Vec<String>,
    /// The directory, with its symbolic links resolved.
    pub cwd: String,
    /// When it was launched last, in milliseconds since 1970.
    pub launched_ms: u64,
    /// Conversations this pane had before, newest last; at most [`EARLIER_MAX`].
    pub earlier: Vec<String>,
    /// Launches in a row that failed, see [`AgentRecord::failed`].
    pub failures: u8,
    /// What a hook of the running engine told last.
    pub told: Option<Told>,
}

/// What a hook told of a running engine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Told {
    /// The conversation.
    pub session: String,
    /// What its process held open or said of itself just then. While that stays so the hook is the newer word; a change after it is newer still.
    pub besides: Option<String>,
}

/// How many earlier conversations a record keeps.
pub const EARLIER_MAX: usize = 32;

impl AgentRecord {
    /// The engine ended at once, or said that it can't have the conversation: the next plan is another one. Only this says so; an engine
    /// that was ended from outside, however soon, comes back to its conversation.
    pub fn failed(&mut self) {
        self.failures = self.failures.saturating_add(1);
    }

    /// Takes a conversation newly proven in a living process, and keeps the one it replaces. Says whether anything changed.
    pub fn learn(&mut self, id: &str, how: How) -> bool {
        let same = self.id.as_deref() == Some(id);
        let changed = !same || self.failures != 0;
        if !same {
            self.turn_to(Some(id.to_owned()));
            self.how = Some(how);
        }
        self.failures = 0;
        changed
    }

    /// Puts another conversation in the place of the present one, which goes to the earlier ones.
    pub(crate) fn turn_to(&mut self, id: Option<String>) {
        if self.id == id {
            return;
        }
        self.earlier.retain(|earlier| Some(earlier) != id.as_ref());
        if let Some(old) = std::mem::replace(&mut self.id, id) {
            self.earlier.retain(|earlier| *earlier != old);
            self.earlier.push(old);
            let surplus = self.earlier.len().saturating_sub(EARLIER_MAX);
            self.earlier.drain(..surplus);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rotated_id_is_kept_among_the_earlier_ones() {
        let mut record = AgentRecord { id: Some("a".into()), ..AgentRecord::default() };
        record.failed();
        assert!(record.learn("b", How::State));
        assert_eq!(record.failures, 0);
        assert!(!record.learn("b", How::State));
        assert_eq!((record.id.as_deref(), record.earlier.as_slice()), (Some("b"), &["a".to_owned()][..]));
        for number in 0..100 {
            record.learn(&format!("c{number}"), How::State);
        }
        assert_eq!(record.earlier.len(), EARLIER_MAX);
    }

    #[test]
    fn a_record_of_an_older_version_reads() {
        let record: AgentRecord = serde_json::from_str(r#"{"engine":"claude","id":"x","new_field":1}"#).unwrap();
        assert_eq!((record.engine.as_str(), record.id.as_deref(), record.failures), ("claude", Some("x"), 0));
        let back: AgentRecord = serde_json::from_str(&serde_json::to_string(&record).unwrap()).unwrap();
        assert_eq!(back, record);
    }
}
