//! What an engine's store says of its conversations: which directory each is of and what it is about, read from the
//! beginning of its transcript. A reader for each engine whose transcripts can be read, in a file of its own.
//!
//! Opens nothing: the beginning of a file comes in as text, a row of a list goes out.

mod claude;
mod codex;
mod stand_in;
mod words;

use serde::{Deserialize, Serialize};

use crate::engines::Engine;

pub use words::clean;

/// The most bytes of a transcript that are read first; when nothing was said in them, [`SECOND_MAX`] are.
pub const HEAD_MAX: usize = 64 * 1024;
/// The most bytes of a transcript that are read at all.
pub const SECOND_MAX: usize = 256 * 1024;
/// The most conversations that are listed.
pub const LISTED_MAX: usize = 200;
/// The most transcripts that are looked into for them.
pub const READ_MAX: usize = 5000;
/// The most characters of a title.
const TITLE_MAX: usize = 200;
/// The most characters of a first message.
const OPENING_MAX: usize = 2000;

/// What the beginning of a transcript tells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opening {
    /// The directory the conversation is of, as the engine saw it.
    pub directory: Option<String>,
    /// The first message of the user that is the user's own.
    pub message: Option<String>,
    /// Messages of both sides.
    pub messages: u32,
    /// It is not a conversation of its own, but a part of another one.
    pub is_part: bool,
}

/// How the transcripts of one engine read.
#[derive(Clone, Copy)]
struct Reader {
    engine: &'static str,
    read: fn(&str) -> Opening,
}

/// The readers, by the engine's id.
static READERS: &[Reader] = &[
    Reader { engine: "claude", read: claude::read },
    Reader { engine: "codex", read: codex::read },
    Reader { engine: "discovered", read: stand_in::read },
    Reader { engine: "pinned", read: stand_in::read },
];

fn reader(engine: &Engine) -> Option<&'static Reader> {
    READERS.iter().find(|reader| reader.engine == engine.id)
}

/// Whether the conversations of an engine can be listed.
pub fn can_list(engine: &Engine) -> bool {
    engine.store.is_some() && reader(engine).is_some() && engine.resumes()
}

/// Why the conversations of an engine that is installed are not listed; `None` when they are.
pub fn unlisted(engine: &Engine) -> Option<&'static str> {
    match () {
        () if can_list(engine) => None,
        () if !engine.resumes() => Some("it has none to come back to"),
        () => Some("its files can't be read"),
    }
}

/// What the beginning of a transcript of an engine tells; `text` may end in the middle of a line, which counts for nothing.
pub fn read(engine: &Engine, text: &str) -> Opening {
    reader(engine).map(|reader| (reader.read)(text)).unwrap_or_default()
}

/// The lines of a transcript that are whole JSON values.
fn values(text: &str) -> impl Iterator<Item = serde_json::Value> + '_ {
    text.lines().filter_map(|line| serde_json::from_str(line).ok())
}

/// A conversation as a list shows it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conversation {
    /// The id of its engine.
    pub engine: String,
    /// Its own id.
    pub id: String,
    /// Its directory, with symbolic links resolved where it is still there.
    pub directory: String,
    /// The first words of the user.
    pub title: String,
    /// The first message of the user.
    pub opening: String,
    /// Messages of both sides, as far as they were counted.
    pub messages: u32,
    /// There are more.
    pub more: bool,
    /// When its file was last changed, in milliseconds since 1970.
    pub changed_ms: u64,
}

impl Conversation {
    /// The conversation `id` of an engine out of its opening; `directory` is the real one.
    pub fn new(
        engine: &Engine,
        id: &str,
        opening: &Opening,
        directory: String,
        more: bool,
        changed_ms: u64,
    ) -> Conversation {
        let message = opening.message.as_deref().unwrap_or_default();
        Conversation {
            engine: engine.id.to_owned(),
            id: id.to_owned(),
            directory,
            title: words::line(message, TITLE_MAX),
            opening: words::text(message, OPENING_MAX),
            messages: opening.messages,
            more,
            changed_ms,
        }
    }
}

/// One thing that is told while a store is read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Told {
    /// A conversation.
    Conversation(Conversation),
    /// An engine whose conversations are not listed, and why.
    Unlisted {
        /// Its name for people.
        product: String,
        /// Why.
        why: String,
    },
    /// There were more than are listed.
    Cut,
}

impl Told {
    /// As one line.
    pub fn line(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// From a line; `None` for what this version does not know.
    pub fn read(line: &str) -> Option<Told> {
        serde_json::from_str(line).ok()
    }
}

/// Conversations as a JSON array, each with the pane that is on it.
pub fn json<'a>(conversations: impl Iterator<Item = (&'a Conversation, Option<String>)>) -> String {
    let value = |(conversation, pane): (&Conversation, Option<String>)| {
        let mut value = serde_json::to_value(conversation).unwrap_or_default();
        value["pane"] = pane.map_or(serde_json::Value::Null, serde_json::Value::String);
        value
    };
    serde_json::to_string_pretty(&conversations.map(value).collect::<Vec<_>>()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::{ENGINES, find};
    use proptest::prelude::*;

    #[test]
    fn every_reader_is_of_an_engine_and_every_other_engine_says_why_not() {
        for reader in READERS {
            assert!(can_list(find(reader.engine).unwrap()), "{}", reader.engine);
        }
        for engine in ENGINES {
            assert_eq!(unlisted(engine).is_none(), can_list(engine), "{}", engine.id);
        }
    }

    #[test]
    fn what_is_told_reads_again() {
        let opening = Opening { message: Some("fix\nit".into()), messages: 2, ..Opening::default() };
        let row = Conversation::new(find("claude").unwrap(), "x", &opening, "/w".into(), true, 5);
        assert_eq!((row.title.as_str(), row.opening.as_str()), ("fix it", "fix\nit"));
        for told in [Told::Conversation(row), Told::Cut, Told::Unlisted { product: "X".into(), why: "y".into() }] {
            assert_eq!(Told::read(&told.line()), Some(told.clone()));
        }
        assert_eq!(Told::read("{\"later\":1}"), None);
    }

    proptest! {
        #[test]
        fn any_text_is_read_without_a_panic(text in "\\PC{0,300}", lines in prop::collection::vec("[{}\"a-z:,\\[\\]]{0,40}", 0..8)) {
            for engine in ENGINES {
                read(engine, &text);
                read(engine, &lines.join("\n"));
            }
        }
    }
}
