//! `rove __conversations`: reads the stores of all engines and tells what conversations there are, the newest first, a line
//! each. The server runs it as a job, so that a large store, a slow disk or a file that is not what it seems costs nobody
//! but this process. It changes nothing and sees no more than the beginning of a transcript.

// It reads files of the user's.
#![allow(clippy::disallowed_methods)]

use std::collections::{HashMap, HashSet};
use std::io::Write;
use std::time::UNIX_EPOCH;

use agents::conversations::{self, Conversation, HEAD_MAX, LISTED_MAX, Opening, READ_MAX, SECOND_MAX, Told};
use agents::engines::{Engine, Visibility};
use agents::store::Store;
use agents::{Answer, Probe};

use crate::os::facts;

/// The most transcripts of one engine that are sorted by their times.
const FOUND_MAX: usize = 100_000;

/// What to read.
#[derive(Debug, Default, PartialEq, Eq)]
struct Options {
    /// The process whose environment says where stores are.
    pid: Option<i32>,
    /// Only conversations of this directory.
    directory: Option<String>,
    /// Only conversations whose id begins so.
    id: Option<String>,
}

fn options(args: &[String]) -> Option<Options> {
    let mut options = Options::default();
    let mut words = args.iter();
    while let Some(word) = words.next() {
        let value = words.next()?.clone();
        match word.as_str() {
            "--pid" => options.pid = value.parse().ok(),
            "--directory" => options.directory = Some(value),
            "--id" => options.id = Some(value),
            _ => return None,
        }
    }
    Some(options)
}

/// Reads and tells, as `rove __conversations ARGUMENTS...` does. Gives the exit code.
pub fn run(args: &[String]) -> i32 {
    let Some(options) = options(args) else {
        eprintln!("usage: rove __conversations [--pid process] [--directory directory] [--id conversation]");
        return 2;
    };
    let mut output = std::io::stdout().lock();
    // Who does not listen any more needs nothing more.
    match tell(&options, &mut output) {
        Ok(()) => 0,
        Err(_) => 1,
    }
}

/// A transcript that was found.
struct Transcript {
    engine: &'static Engine,
    path: String,
    bytes: u64,
    changed_ms: u64,
}

fn tell(options: &Options, output: &mut dyn Write) -> std::io::Result<()> {
    let mut told = |told: Told| writeln!(output, "{}", told.line()).and_then(|()| output.flush());
    let mut transcripts = Vec::new();
    for engine in crate::engines::load().rows() {
        let why = match conversations::unlisted(engine) {
            None => {
                let compressed = find(engine, options, &mut transcripts);
                (compressed > 0).then(|| format!("{compressed} files of it are compressed"))
            }
            Some(why) => is_installed(engine, options.pid).then(|| why.to_owned()),
        };
        if let Some(why) = why.filter(|_| engine.visibility == Visibility::Listed && options.id.is_none()) {
            told(Told::Unlisted { product: engine.product.to_owned(), why })?;
        }
    }
    transcripts.sort_by(|a, b| b.changed_ms.cmp(&a.changed_ms).then_with(|| a.path.cmp(&b.path)));
    let (mut seen, mut listed) = (HashSet::new(), 0);
    let mut directories = Directories::default();
    for (at, transcript) in transcripts.iter().enumerate() {
        if listed == LISTED_MAX || at == READ_MAX {
            return told(Told::Cut);
        }
        let Some(row) = read(transcript, options, &mut directories) else { continue };
        if seen.insert((row.engine.clone(), row.id.clone())) {
            listed += 1;
            told(Told::Conversation(row))?;
        }
    }
    Ok(())
}

fn is_installed(engine: &Engine, pid: Option<i32>) -> bool {
    let names = engine.programs;
    matches!(facts::probe(pid, &Probe::Program { names }), Some(Answer::Program(Some(_))))
}

fn is_placed(pid: Option<i32>, store: &Store) -> bool {
    store.root.moved_by.iter().any(|(name, _)| facts::variable(pid, name).is_some())
}

/// Find the transcripts of an engine; gives how many can't be read as they are compressed.
fn find(engine: &'static Engine, options: &Options, transcripts: &mut Vec<Transcript>) -> usize {
    let Some(store) = &engine.store else { return 0 };
    // A stand-in has no place but the one it is given.
    if engine.visibility == Visibility::StandIn && !is_placed(options.pid, store) {
        return 0;
    }
    let mut compressed = 0;
    for pattern in store.transcripts {
        let id = options.id.as_ref().map_or("*".to_owned(), |id| format!("{id}*"));
        let pattern = pattern.replace("{session}", &id);
        for path in facts::below(store.root, options.pid, &pattern, FOUND_MAX).unwrap_or_default() {
            if path.ends_with(".zst") {
                compressed += 1;
                continue;
            }
            let Ok(metadata) = std::fs::metadata(&path) else { continue };
            if !metadata.is_file() || metadata.len() == 0 || store.session_of_transcript(&path, engine.ids).is_none() {
                continue;
            }
            let changed = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
            let changed_ms = changed.map_or(0, |time| time.as_millis() as u64);
            transcripts.push(Transcript { engine, path, bytes: metadata.len(), changed_ms });
        }
    }
    compressed
}

/// Directories with their symbolic links resolved, each looked up once.
#[derive(Default)]
struct Directories(HashMap<String, String>);

impl Directories {
    fn real(&mut self, path: &str) -> String {
        let real = |path: &str| std::fs::canonicalize(path).ok().map(|path| path.to_string_lossy().into_owned());
        self.0.entry(path.to_owned()).or_insert_with(|| real(path).unwrap_or_else(|| path.to_owned())).clone()
    }
}

/// The conversation of a transcript; `None` for one that is not wanted, or in which nothing was said.
fn read(transcript: &Transcript, options: &Options, directories: &mut Directories) -> Option<Conversation> {
    let Transcript { engine, path, bytes, changed_ms } = transcript;
    let id = engine.store?.session_of_transcript(path, engine.ids)?.to_owned();
    let (mut limit, mut opening) = (HEAD_MAX, open(engine, path, HEAD_MAX));
    if opening.message.is_none() && !opening.is_part && *bytes > HEAD_MAX as u64 {
        (limit, opening) = (SECOND_MAX, open(engine, path, SECOND_MAX));
    }
    if opening.is_part || opening.messages == 0 {
        return None;
    }
    let directory = directories.real(opening.directory.as_deref()?);
    let wanted = options.directory.as_ref().is_none_or(|wanted| *wanted == directory);
    let more = *bytes > limit as u64;
    wanted.then(|| Conversation::new(engine, &id, &opening, directory, more, *changed_ms))
}

fn open(engine: &Engine, path: &str, limit: usize) -> Opening {
    let bytes = facts::read_some(path, limit);
    // The last line may be cut, in the middle of a character too.
    conversations::read(engine, &String::from_utf8_lossy(&bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_read() {
        let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(options(&words("")), Some(Options::default()));
        let all = options(&words("--pid 7 --directory /w --id ab")).unwrap();
        assert_eq!(all, Options { pid: Some(7), directory: Some("/w".into()), id: Some("ab".into()) });
        assert_eq!(options(&words("--pid")), None);
        assert_eq!(options(&words("--other x")), None);
    }
}
