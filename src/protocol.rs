//! The words between a client and its server: greetings, frames and their encoding. Pure: bytes in, values out.
//! It opens no socket and knows no command. Descriptors travel beside the first frame (`os::socket`).
//!
//! Each end first sends its [`Greeting`], whose form never changes, then frames: a `u32` length (little-endian, of what
//! follows), one byte that says which kind, and that kind's fields in postcard. Kinds are numbered by their place in the
//! enum, so new ones go at its end; any other change of meaning needs a new [`PROTOCOL`].

use std::marker::PhantomData;

use serde::de::{DeserializeOwned, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The number of this protocol. Ends with different numbers understand each other's greeting and nothing else.
pub const PROTOCOL: u16 = 1;
/// The longest frame that is believed, in bytes. An end that announces a longer one is dropped.
pub const FRAME_LIMIT: usize = 16 << 20;
/// The most bytes of input or output put in one frame.
pub const PIECE_LIMIT: usize = 64 << 10;
/// The most entries of a list (arguments, environment) that are believed.
const LIST_LIMIT: usize = 100_000;

const MAGIC: [u8; 4] = [b'r', b'o', b'v', 0xff];
/// Magic, protocol, pid, length of the version.
const GREETING_HEAD: usize = 4 + 2 + 4 + 1;

/// Why a connection's bytes are not believed any further.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProtocolError {
    /// The first bytes are not a greeting of ours.
    #[error("the other end does not speak rove's protocol")]
    Stranger,
    /// The other end speaks another protocol number. Words say which is newer: [`mismatch`].
    #[error("protocol version mismatch")]
    Mismatch(Greeting),
    /// A frame is longer than is believed.
    #[error("a frame of {0} bytes is too long")]
    TooLong(u64),
    /// A frame that is none of ours.
    #[error("a frame makes no sense")]
    Nonsense,
}

/// What each end says first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Greeting {
    /// [`PROTOCOL`] of the sender.
    pub protocol: u16,
    /// The sender's process.
    pub pid: u32,
    /// The sender's product version, at most 255 bytes.
    pub version: String,
}

impl Greeting {
    /// The greeting of this program.
    pub fn ours(pid: u32) -> Greeting {
        Greeting { protocol: PROTOCOL, pid, version: env!("CARGO_PKG_VERSION").to_owned() }
    }

    /// The bytes to send before any frame.
    pub fn encode(&self) -> Vec<u8> {
        let version = &self.version.as_bytes()[..self.version.len().min(255)];
        let mut bytes = Vec::with_capacity(GREETING_HEAD + version.len());
        bytes.extend(MAGIC);
        bytes.extend(self.protocol.to_le_bytes());
        bytes.extend(self.pid.to_le_bytes());
        bytes.push(version.len() as u8);
        bytes.extend(version);
        bytes
    }

    /// Reads a greeting at the start of `bytes`, with its length. `None` when more bytes are needed.
    fn decode(bytes: &[u8]) -> Result<Option<(Greeting, usize)>, ProtocolError> {
        let seen = bytes.len().min(MAGIC.len());
        if bytes[..seen] != MAGIC[..seen] {
            return Err(ProtocolError::Stranger);
        }
        if bytes.len() < GREETING_HEAD {
            return Ok(None);
        }
        let end = GREETING_HEAD + usize::from(bytes[GREETING_HEAD - 1]);
        let Some(version) = bytes.get(GREETING_HEAD..end) else { return Ok(None) };
        let protocol = u16::from_le_bytes([bytes[4], bytes[5]]);
        let pid = u32::from_le_bytes([bytes[6], bytes[7], bytes[8], bytes[9]]);
        let version = String::from_utf8_lossy(version).chars().filter(|c| !c.is_control()).collect();
        Ok(Some((Greeting { protocol, pid, version }, end)))
    }
}

/// What a client says when the server's protocol is another: which of the two is newer and what to do.
pub fn mismatch(client: &Greeting, server: &Greeting) -> String {
    let numbers = format!("protocol version mismatch (client {}, server {})", client.protocol, server.protocol);
    if client.protocol > server.protocol {
        let (new, old) = (&client.version, &server.version);
        format!("{numbers}: rove {new} is newer than the server (rove {old}); run `rove daemon restart`")
    } else {
        let (old, new) = (&client.version, &server.version);
        format!(
            "{numbers}: the server (rove {new}) is newer than rove {old}; use the newer rove, or `rove daemon restart`"
        )
    }
}

/// A string of bytes: a path, an argument, a piece of input.
#[derive(Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bytes(pub Vec<u8>);

impl std::fmt::Debug for Bytes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "\"{}\"", self.0.escape_ascii())
    }
}

impl std::ops::Deref for Bytes {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl From<&[u8]> for Bytes {
    fn from(bytes: &[u8]) -> Bytes {
        Bytes(bytes.to_vec())
    }
}

impl From<&str> for Bytes {
    fn from(text: &str) -> Bytes {
        Bytes(text.as_bytes().to_vec())
    }
}

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Bytes, D::Error> {
        struct Whole;
        impl Visitor<'_> for Whole {
            type Value = Bytes;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("bytes")
            }
            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Bytes, E> {
                Ok(Bytes(bytes.to_vec()))
            }
        }
        deserializer.deserialize_bytes(Whole)
    }
}

/// Reads a list without believing its length.
fn list<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Vec<T>, D::Error> {
    struct List<T>(PhantomData<T>);
    impl<'de, T: Deserialize<'de>> Visitor<'de> for List<T> {
        type Value = Vec<T>;
        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("a list")
        }
        fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<Vec<T>, A::Error> {
            let mut list = Vec::new();
            while let Some(entry) = entries.next_element()? {
                if list.len() == LIST_LIMIT {
                    return Err(serde::de::Error::custom("list too long"));
                }
                list.push(entry);
            }
            Ok(list)
        }
    }
    deserializer.deserialize_seq(List(PhantomData))
}

/// What kind of client this is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Manner {
    /// It runs a command, which may attach its terminal.
    Command,
    /// `-C`: lines on stdin, text on stdout.
    Control,
    /// `-CC`: the same on a terminal in raw mode; output starts with `ESC P 1000 p`.
    ControlTerminal,
    /// `-c`: it wants to know the shell, to run its own command in ([`How::Shell`]).
    Shell,
}

/// A terminal's size; all zero when there is none. Pixels are of the whole terminal, zero when unknown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names say it")]
pub struct WindowSize {
    pub cols: u16,
    pub rows: u16,
    pub xpixel: u16,
    pub ypixel: u16,
}

impl WindowSize {
    /// Columns and rows of a terminal. One that does not know its size counts as 80 by 24, as for tmux.
    pub fn cells(self) -> (u16, u16) {
        let or = |side: u16, usual: u16| if side == 0 { usual } else { side };
        (or(self.cols, 80), or(self.rows, 24))
    }
}

/// Which descriptors come beside a [`Hello`], in this order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Descriptors {
    /// Its stdin: of a command the terminal (read and written through this one descriptor), of a control client its lines.
    pub stdin: bool,
    /// Its stdout, of a control client only.
    pub stdout: bool,
}

impl Descriptors {
    /// How many there are.
    pub fn count(self) -> usize {
        usize::from(self.stdin) + usize::from(self.stdout)
    }
}

/// Who a client is and what it wants: its first frame.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hello {
    /// Which kind of client.
    pub manner: Manner,
    /// Called as rove, not as tmux.
    pub rove: bool,
    /// Its process.
    pub pid: u32,
    /// The path of the terminal on its stdin; empty when that is none.
    pub tty: Bytes,
    /// `TERM`.
    pub term: Bytes,
    /// Names given with `-T`, and `256` for `-2`, each as given (a list with `,` or `:`).
    #[serde(deserialize_with = "list")]
    pub features: Vec<Bytes>,
    /// Its terminal takes UTF-8 (`-u`, `TMUX` set, or the locale says so).
    pub utf8: bool,
    /// `-l`: a login shell is wanted.
    pub login: bool,
    /// The size of its terminal.
    pub size: WindowSize,
    /// Its directory, by the name its shell uses.
    pub cwd: Bytes,
    /// `NAME=value`.
    #[serde(deserialize_with = "list")]
    pub environment: Vec<Bytes>,
    /// The command and its arguments; empty: the server's default command.
    #[serde(deserialize_with = "list")]
    pub argv: Vec<Bytes>,
    /// Which descriptors come with this frame.
    pub descriptors: Descriptors,
    /// It was attached before the server went: the last [`ToClient::Session`] it got. No command runs then, and `-CC`
    /// does not start again with its escape.
    pub reattach: Option<String>,
}

/// Frames from a client.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum ToServer {
    /// The first frame, and only that.
    Hello(Box<Hello>),
    /// Its terminal has this size. The first after [`ToClient::Attached`] also says: the terminal is raw, take it.
    Resize(WindowSize),
    /// A piece of what was asked for with [`ToClient::ReadStdin`].
    Stdin(Bytes),
    /// Nothing more comes from stdin.
    StdinEof,
    /// It runs again after [`ToClient::Suspend`] or [`ToClient::Lock`], or after somebody stopped it, and its terminal is
    /// raw. May come twice for one stop. A [`ToServer::Resize`] follows.
    Resumed,
    /// It was told to go (SIGTERM, SIGHUP): leave the terminal and send [`ToClient::Exit`].
    Exiting,
}

/// Frames from a server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum ToClient {
    /// To the client's stdout.
    Stdout(Bytes),
    /// To the client's stderr.
    Stderr(Bytes),
    /// Send stdin, in pieces, to its end.
    ReadStdin,
    /// The server wants the terminal. The client makes it raw and answers with [`ToServer::Resize`].
    Attached(Attached),
    /// What to name in [`Hello::reattach`]; sent at attach and when the session changes.
    Session(String),
    /// The terminal is left: stop as on `^Z`.
    Suspend,
    /// The terminal is left: run this in a shell, then send [`ToServer::Resumed`].
    Lock(String),
    /// The end. The terminal, if it was taken, has been left before this.
    Exit(Exit),
    /// This server goes and another comes: connect again and say [`Hello`] with `reattach`. The terminal is not left.
    Restarting,
}

/// What a client has to know while its terminal is the server's.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attached {
    /// What gives the terminal back, should the server be unable to.
    pub leave: Bytes,
    /// Another server will take over when this one dies: try for a while.
    pub comes_back: bool,
}

/// How a client ends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exit {
    /// Its exit status.
    pub code: i32,
    /// The reason, in words: `[message]` when attached, `%exit message` in control mode, else a line on stderr.
    pub message: Option<String>,
    /// What it does.
    pub how: How,
    /// A control client reads on until an empty line or the end (flag `wait-exit`).
    pub wait_exit: bool,
}

/// What a client does at its end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum How {
    /// The command is done; when attached: `[exited]`.
    Done,
    /// `[detached (from session NAME)]`.
    Detached(String),
    /// The same, and SIGHUP to the parent.
    DetachedKill(String),
    /// Become `shell -c command`.
    Exec {
        /// The command.
        command: String,
        /// The program that runs it.
        shell: String,
    },
    /// The answer to [`Manner::Shell`]: become `shell -c` with the client's own command.
    Shell(String),
    /// `[server exited]`, status 1.
    ServerExited,
}

impl Exit {
    /// An end with this status and nothing more.
    pub fn done(code: i32) -> Exit {
        Exit { code, message: None, how: How::Done, wait_exit: false }
    }
}

/// The bytes of a frame.
pub fn encode<M: Serialize>(message: &M) -> Vec<u8> {
    let mut bytes = vec![0; 4];
    bytes = postcard::to_extend(message, bytes).expect("writing to memory cannot fail, and all our types have lengths");
    let length = (bytes.len() - 4) as u32;
    bytes[..4].copy_from_slice(&length.to_le_bytes());
    bytes
}

/// Turns the bytes of one connection, in any pieces, into its greeting and frames of type `M`.
///
/// Call [`Decoder::next`] until it gives `None` after each [`Decoder::push`], so that what is kept stays bounded by one
/// frame. After an error the connection is to be dropped.
#[derive(Debug)]
pub struct Decoder<M> {
    bytes: Vec<u8>,
    start: usize,
    greeting: Option<Greeting>,
    frames: PhantomData<fn() -> M>,
}

impl<M> Default for Decoder<M> {
    fn default() -> Decoder<M> {
        Decoder { bytes: Vec::new(), start: 0, greeting: None, frames: PhantomData }
    }
}

impl<M: DeserializeOwned> Decoder<M> {
    /// Adds bytes that came.
    pub fn push(&mut self, bytes: &[u8]) {
        if self.start == self.bytes.len() {
            self.bytes.clear();
            self.start = 0;
        } else if self.start > PIECE_LIMIT {
            self.bytes.drain(..self.start);
            self.start = 0;
        }
        self.bytes.extend_from_slice(bytes);
    }

    /// The other end's greeting, once it has come and been accepted.
    pub fn greeting(&self) -> Option<&Greeting> {
        self.greeting.as_ref()
    }

    /// The next whole frame.
    #[expect(clippy::should_implement_trait, reason = "an iterator could not say that more may come")]
    pub fn next(&mut self) -> Result<Option<M>, ProtocolError> {
        if self.greeting.is_none() && !self.greet()? {
            return Ok(None);
        }
        let rest = &self.bytes[self.start..];
        let Some((head, rest)) = rest.split_first_chunk::<4>() else { return Ok(None) };
        let length = u32::from_le_bytes(*head) as usize;
        if length > FRAME_LIMIT {
            return Err(ProtocolError::TooLong(length as u64));
        }
        let Some(payload) = rest.get(..length) else { return Ok(None) };
        let (message, left) = postcard::take_from_bytes(payload).map_err(|_| ProtocolError::Nonsense)?;
        if !left.is_empty() {
            return Err(ProtocolError::Nonsense);
        }
        self.start += 4 + length;
        Ok(Some(message))
    }

    fn greet(&mut self) -> Result<bool, ProtocolError> {
        let Some((greeting, length)) = Greeting::decode(&self.bytes[self.start..])? else { return Ok(false) };
        if greeting.protocol != PROTOCOL {
            return Err(ProtocolError::Mismatch(greeting));
        }
        self.start += length;
        self.greeting = Some(greeting);
        Ok(true)
    }
}

#[cfg(test)]
mod tests;
