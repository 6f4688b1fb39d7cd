//! Where an engine keeps its files: roots, and patterns of the paths below them. Opens nothing.
//!
//! A pattern is a relative path in which `*` stands for any run of characters inside one component, `{session}` for a conversation's id, and
//! `{pid}` for a process id.

use crate::session;

/// The directory of an engine's files: `$env` when that is set and not empty, else `$HOME/below_home`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Root {
    /// The variable of the pane's environment which moves it.
    pub env: &'static str,
    /// The path below the user's home where it is else; empty when there is no such place.
    pub below_home: &'static str,
}

/// What the first line of a transcript tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Head {
    /// Nothing of use.
    Plain,
    /// A `session_meta` object with id, parent and directory.
    SessionMeta,
}

/// The files of one engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Store {
    /// Where they are.
    pub root: Root,
    /// The transcript of one conversation; a plain one before a compressed one.
    pub transcripts: &'static [&'static str],
    /// A lock that the engine holds on a conversation while it has it open.
    pub lock: Option<&'static str>,
    /// A file a running process keeps about itself, JSON with its present conversation.
    pub state: Option<&'static str>,
    /// What a transcript begins with.
    pub head: Head,
}

impl Store {
    /// The id in the name of a transcript at `path` (absolute or not).
    pub fn session_of_transcript<'a>(&self, path: &'a str) -> Option<&'a str> {
        self.transcripts.iter().find_map(|pattern| session_in(pattern, path))
    }

    /// The id in the name of a lock at `path`.
    pub fn session_of_lock<'a>(&self, path: &'a str) -> Option<&'a str> {
        session_in(self.lock?, path)
    }
}

/// `pattern` with the id filled in. `None` when the id is not fit for a file name.
pub fn for_session(pattern: &str, id: &str) -> Option<String> {
    session::is_safe(id).then(|| pattern.replace("{session}", id))
}

/// `pattern` with every id standing for any.
pub fn for_any(pattern: &str) -> String {
    pattern.replace("{session}", "*").replace("{pid}", "*")
}

/// The id that stands where `pattern` says `{session}`, when the last components of `path` match it. An id there is a UUID.
pub fn session_in<'a>(pattern: &str, path: &'a str) -> Option<&'a str> {
    let mut found = None;
    let mut components = path.rsplit('/');
    for part in pattern.rsplit('/') {
        let component = components.next()?;
        if let Some((before, after)) = part.split_once("{session}") {
            found = Some(middle(before, after, component)?);
        } else if !matches(part, component) {
            return None;
        }
    }
    // The root itself must be above: a path that is only the pattern's own components is a foreign one.
    components.next()?;
    found
}

/// The UUID between `before` (may begin with literals and hold one `*`) and the literal `after`.
fn middle<'a>(before: &str, after: &str, component: &'a str) -> Option<&'a str> {
    let rest = component.strip_suffix(after)?;
    let start = rest.len().checked_sub(36)?;
    let id = rest.get(start..)?;
    (session::is_uuid(id) && matches(before, &rest[..start])).then_some(id)
}

/// Whether `text` matches `pattern`, in which each `*` stands for any run of characters.
fn matches(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(first) = parts.next() else { return text.is_empty() };
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    let mut parts = parts.peekable();
    if parts.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return rest.ends_with(part);
        }
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "019a1b2c-3d4e-7f00-8000-000000000001";

    #[test]
    fn stars_stay_inside_a_component() {
        assert!(matches("rollout-*-", "rollout-2026-"));
        assert!(matches("*", ""));
        assert!(matches("a*b*c", "a1b2c"));
        assert!(!matches("a*b", "a1c"));
        assert!(!matches("ab*ba", "aba"));
        assert_eq!(session_in("projects/*/{session}.jsonl", &format!("/r/projects/-w/{ID}.jsonl")), Some(ID));
        assert_eq!(session_in("projects/*/{session}.jsonl", &format!("/r/projects/a/b/{ID}.jsonl")), None);
        assert_eq!(session_in("projects/*/{session}.jsonl", &format!("projects/a/{ID}.jsonl")), None);
    }

    #[test]
    fn an_id_with_a_path_in_it_never_gets_into_a_pattern() {
        assert_eq!(for_session("projects/*/{session}.jsonl", "../../etc/passwd"), None);
        assert_eq!(for_session("a/{session}.x", "s_1").as_deref(), Some("a/s_1.x"));
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_bad_input_and_not_a_panic(pattern in "[a*/{}session.é-]{0,30}", path in "\\PC{0,80}") {
            if let Some(id) = session_in(&pattern, &path) {
                proptest::prop_assert!(session::is_uuid(id));
            }
        }
    }
}
