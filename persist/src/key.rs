//! Names of what is saved, and the file each has. No IO.

/// What a saved file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A [`crate::record::PaneRecord`].
    Pane,
    /// A frozen screen: the bytes of `term`'s snapshot.
    Screen,
    /// A [`crate::record::SessionRecord`].
    Session,
    /// The one [`crate::record::ServerRecord`].
    Server,
    /// A plain file in the home itself, unframed: JSON that others read too.
    Home,
}

impl Kind {
    /// The byte that stands for the kind in a frame.
    pub const fn tag(self) -> u8 {
        match self {
            Kind::Pane => b'P',
            Kind::Screen => b'S',
            Kind::Session => b'N',
            Kind::Server => b'V',
            Kind::Home => b'H',
        }
    }

    /// True when a key of this kind is never used again after a delete, as its name is a uuid.
    pub const fn dies_for_good(self) -> bool {
        matches!(self, Kind::Pane | Kind::Screen)
    }

    const fn extension(self) -> &'static str {
        match self {
            Kind::Pane => "pane",
            Kind::Screen => "screen",
            Kind::Session => "session",
            Kind::Server => "state",
            Kind::Home => "",
        }
    }
}

/// The name of one saved thing; at most one file (and the one before it) has it.
///
/// Ordered so that structure is written before screens.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key {
    kind: Kind,
    stem: String,
}

/// Longest stem of a file name, in bytes, so that all names made from it stay below the usual 255.
const STEM_MAX: usize = 160;

impl Key {
    /// The record of the pane with this uuid.
    pub fn pane(uuid: &str) -> Key {
        Key { kind: Kind::Pane, stem: stem(uuid) }
    }

    /// The frozen screen of the pane with this uuid.
    pub fn screen(uuid: &str) -> Key {
        Key { kind: Kind::Screen, stem: stem(uuid) }
    }

    /// A session by its name or id.
    pub fn session(name: &str) -> Key {
        Key { kind: Kind::Session, stem: stem(name) }
    }

    /// The state of the server.
    pub fn server() -> Key {
        Key { kind: Kind::Server, stem: "server".into() }
    }

    /// A plain file of the home directory, such as `pty-exits.json`.
    pub fn home(file: &str) -> Key {
        Key { kind: Kind::Home, stem: stem(file) }
    }

    /// What the file holds.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The file's name without its extension; for panes and screens the uuid.
    pub fn stem(&self) -> &str {
        &self.stem
    }

    /// The name of the newest generation.
    pub fn file_name(&self) -> String {
        match self.kind {
            Kind::Home => self.stem.clone(),
            kind => format!("{}.{}", self.stem, kind.extension()),
        }
    }

    /// The name of the generation before it.
    pub fn old_name(&self) -> String {
        self.file_name() + OLD
    }

    /// The name under which a newest generation that can't be used is put aside.
    pub fn bad_name(&self) -> String {
        self.file_name() + BAD
    }

    /// The key of a file of the store, of either generation; `None` for any other file.
    pub fn from_file_name(name: &str) -> Option<Key> {
        let name = name.strip_suffix(OLD).unwrap_or(name);
        let (stem, extension) = name.rsplit_once('.')?;
        let kind = [Kind::Pane, Kind::Screen, Kind::Session, Kind::Server]
            .into_iter()
            .find(|kind| kind.extension() == extension)?;
        let known = !stem.is_empty()
            && stem.len() <= STEM_MAX
            && stem.bytes().all(|byte| plain(byte) || byte == b'%')
            && (kind != Kind::Server || stem == "server");
        known.then(|| Key { kind, stem: stem.into() })
    }
}

/// Ending of a file of the generation before.
pub const OLD: &str = ".old";

/// Ending of a file that could not be used and was replaced.
pub const BAD: &str = ".bad";

/// Ending of a file that is being written.
pub const TEMPORARY: &str = ".tmp";

fn plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-_.".contains(&byte)
}

/// `name` with all but plain bytes as `%XX`. A long one is cut and told apart by a checksum of the whole;
/// a leading dot is encoded, since such names are temporary files or hidden.
fn stem(name: &str) -> String {
    let mut encoded = String::new();
    for (at, byte) in name.bytes().enumerate() {
        if plain(byte) && !(at == 0 && byte == b'.') {
            encoded.push(byte as char);
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    if encoded.is_empty() {
        return "%".into();
    }
    if encoded.len() > STEM_MAX {
        let sum = crc32fast::hash(name.as_bytes());
        encoded.truncate(STEM_MAX - 32);
        encoded.push_str(&format!("%%{sum:08X}{:016X}", name.len()));
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_names_stay_in_the_directory() {
        for name in ["../../etc/passwd", ".", "..", "a/b", "a\0b", "", ".hidden", "x.old", "日本", "%41", "a.tmp"] {
            let key = Key::session(name);
            let file = key.file_name();
            assert!(!file.contains('/') && !file.contains('\0') && !file.starts_with('.'), "{name:?} gives {file:?}");
            assert_eq!(Key::from_file_name(&file), Some(key.clone()), "{name:?}");
            assert_eq!(Key::from_file_name(&key.old_name()), Some(key), "{name:?}");
        }
    }

    #[test]
    fn different_names_have_different_files() {
        assert_ne!(Key::session("a%2Fb"), Key::session("a/b"));
        assert_ne!(Key::session(&"x".repeat(500)), Key::session(&"x".repeat(501)));
        let long = Key::session(&"é".repeat(5000));
        assert!(long.file_name().len() < 200);
        assert_eq!(Key::from_file_name(&long.file_name()), Some(long));
    }

    #[test]
    fn other_files_have_no_key() {
        for name in ["pane", ".pane", "x.panes", "other.state", "x y.pane", "server.state.bak"] {
            assert_eq!(Key::from_file_name(name), None, "{name}");
        }
        assert_eq!(Key::from_file_name("server.state"), Some(Key::server()));
    }
}
