//! Where an engine keeps its files: roots, and patterns of the paths below them. Opens nothing.
//!
//! A pattern is a path in which `*` stands for any run of characters inside one component, `{session}` for a conversation's id,
//! `{session:8}` for its first eight characters, `{cwd}` for the agent's directory, and `{pid}` for a process id.

use crate::engines::Ids;
use crate::session;

/// The directory of an engine's files: where the first variable that is set and not empty says, else `$HOME/below_home`. A pattern that
/// begins with `/` stands below no root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Root {
    /// The variables of the pane's environment which move it, each with the path below its value, which may be empty.
    pub moved_by: &'static [(&'static str, &'static str)],
    /// The path below the user's home where it is else.
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
    /// Files with many conversations in each, in which an id stands as it is.
    pub databases: &'static [&'static str],
    /// A lock that the engine holds on a conversation while it has it open.
    pub lock: Option<&'static str>,
    /// A file a running process keeps about itself, JSON with its present conversation.
    pub state: Option<&'static str>,
    /// What a transcript begins with.
    pub head: Head,
}

impl Store {
    /// The id in the name of a transcript at `path` (absolute or not).
    pub fn session_of_transcript<'a>(&self, path: &'a str, ids: Ids) -> Option<&'a str> {
        self.transcripts.iter().find_map(|pattern| session_in(pattern, path, ids))
    }

    /// The id in the name of a lock at `path`.
    pub fn session_of_lock<'a>(&self, path: &'a str, ids: Ids) -> Option<&'a str> {
        session_in(self.lock?, path, ids)
    }
}

/// `pattern` with the id and the directory filled in. `None` when the id is not fit for a file name.
pub fn for_session(pattern: &str, id: &str, cwd: &str) -> Option<String> {
    let first = id.get(..8).unwrap_or(id);
    let filled = || pattern.replace("{session}", id).replace("{session:8}", first).replace("{cwd}", &literal(cwd));
    session::is_safe(id).then(filled)
}

/// `pattern` with every id standing for any.
pub fn for_any(pattern: &str, cwd: &str) -> String {
    ["{session}", "{session:8}", "{pid}"]
        .iter()
        .fold(pattern.to_owned(), |pattern, place| pattern.replace(place, "*"))
        .replace("{cwd}", &literal(cwd))
}

/// A path as a pattern that only it matches.
fn literal(path: &str) -> String {
    path.chars().flat_map(|c| ['\\', c].into_iter().skip(usize::from(!matches!(c, '*' | '?' | '[' | '\\')))).collect()
}

/// The id that stands where `pattern` says `{session}`, when the last components of `path` match it.
pub fn session_in<'a>(pattern: &str, path: &'a str, ids: Ids) -> Option<&'a str> {
    let mut found = None;
    let mut components = path.rsplit('/');
    // The agent's directory may be any, and has any number of components.
    let own = pattern.strip_prefix("{cwd}/").unwrap_or(pattern.trim_start_matches('/'));
    for part in own.rsplit('/') {
        let component = components.next()?;
        if let Some((before, after)) = part.split_once("{session}") {
            found = Some(middle(before, after, component, ids)?);
        } else if !matches(part, component) {
            return None;
        }
    }
    // The root itself must be above: a path that is only the pattern's own components is a foreign one.
    components.next()?;
    found
}

/// The id between `before` and `after`, both of which may hold a `*`. A UUID is found wherever it stands; another id must have literals
/// or the ends of the component at both sides.
fn middle<'a>(before: &str, after: &str, component: &'a str, ids: Ids) -> Option<&'a str> {
    if ids == Ids::Uuid {
        let rest = component.strip_suffix(after)?;
        let start = rest.len().checked_sub(36)?;
        let id = rest.get(start..)?;
        return (session::is_uuid(id) && matches(before, &rest[..start])).then_some(id);
    }
    let id = component.strip_prefix(before)?.strip_suffix(after)?;
    ids.fits(id).then_some(id)
}

/// Whether `text` matches `pattern`, in which each `*` stands for any run of characters.
pub(crate) fn matches(pattern: &str, text: &str) -> bool {
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
        assert_eq!(
            session_in("projects/*/{session}.jsonl", &format!("/r/projects/-w/{ID}.jsonl"), Ids::Uuid),
            Some(ID)
        );
        assert_eq!(session_in("projects/*/{session}.jsonl", &format!("/r/projects/a/b/{ID}.jsonl"), Ids::Uuid), None);
        assert_eq!(session_in("projects/*/{session}.jsonl", &format!("projects/a/{ID}.jsonl"), Ids::Uuid), None);
    }

    #[test]
    fn an_id_of_another_shape_stands_between_literals() {
        let found = |pattern, path| session_in(pattern, path, Ids::Word);
        assert_eq!(found("s/{session}/log", "/r/s/fix-1/log"), Some("fix-1"));
        assert_eq!(found("/abs/s/chat-{session}.md", "/abs/s/chat-a_1.md"), Some("a_1"));
        assert_eq!(found("s/chat-{session}.md", "/r/s/talk-a.md"), None);
        assert_eq!(found("s/{session}.md", "/r/s/..md"), None);
        assert_eq!(session_in("s/{session}", "/r/s/ses_1", Ids::Prefixed("ses_")), Some("ses_1"));
        assert_eq!(session_in("s/{session}", "/r/s/other", Ids::Prefixed("ses_")), None);
        assert_eq!(found("{cwd}/.h.{session}.md", "/w/any/.h.x.md"), Some("x"));
    }

    #[test]
    fn an_id_with_a_path_in_it_never_gets_into_a_pattern() {
        assert_eq!(for_session("projects/*/{session}.jsonl", "../../etc/passwd", "/w"), None);
        assert_eq!(for_session("a/{session}.x", "s_1", "/w").as_deref(), Some("a/s_1.x"));
        assert_eq!(for_session("a-{session:8}.x", ID, "/w").as_deref(), Some("a-019a1b2c.x"));
        assert_eq!(for_session("{cwd}/{session}", "s", "/w [1]*").as_deref(), Some(r"/w \[1]\*/s"));
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_bad_input_and_not_a_panic(pattern in "[a*/{}session.é-]{0,30}", path in "\\PC{0,80}") {
            for ids in [Ids::Uuid, Ids::Word, Ids::Prefixed("T-")] {
                if let Some(id) = session_in(&pattern, &path, ids) {
                    proptest::prop_assert!(ids.fits(id));
                }
            }
        }
    }
}
