//! A stand-in that is given its id at launch, as Claude Code is: `--session-id U` begins, `--resume U` goes on. Its transcript
//! `pinned/projects/<directory>/<id>.jsonl` appears with the first message. `/clear` goes on under another id, `/resume U` takes another one
//! up; hooks of `--settings JSON` and of `pinned/settings.json` are told of each.
//!
//! Below its home stand what it is like: with `old` it leaves an empty transcript at its start, with which its id is neither pinned nor
//! resumed again, and finds a conversation only in its own directory; with `asks` it asks whether it may work in a directory, once for each;
//! `refuses` holds what it says before it ends with 1.

use std::ffi::CStr;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use serde_json::Value;
use uuid::Uuid;

use super::chat::Conversation;
use super::hooks;

struct Pinned {
    home: PathBuf,
    path: PathBuf,
    file: Option<File>,
    source: &'static str,
    hooks: Vec<String>,
}

/// Begins or takes up a conversation; the error is what to say on stderr.
pub(super) fn begin(home: &Path, args: &[String]) -> Result<Box<dyn Conversation>, String> {
    let home = home.join("pinned");
    if let Ok(words) = std::fs::read_to_string(home.join("refuses")) {
        return Err(words);
    }
    ask_for_trust(&home)?;
    let value =
        |flag: &str| args.iter().position(|word| word == flag).map(|at| args.get(at + 1).map_or("", String::as_str));
    let (path, source) = match (value("--resume"), value("--session-id")) {
        (Some(id), None) => (resumable(&home, id)?, "resume"),
        (None, id) => {
            let id = id.map(valid).transpose()?.map_or_else(|| Uuid::new_v4().to_string(), str::to_owned);
            let path = transcript_of(&home, &id)?;
            if is_old(&home) && path.exists() || is_spoken_to(&path) {
                return Err(format!("Error: Session ID {id} is already in use."));
            }
            (path, "startup")
        }
        (Some(_), Some(_)) => return Err("Error: --session-id cannot be used with --continue or --resume.".to_owned()),
    };
    if is_old(&home) {
        make(&path).map_err(|error| error.to_string())?;
    }
    let given =
        value("--settings").map(serde_json::from_str).transpose().map_err(|error| format!("--settings: {error}"))?;
    let own = std::fs::read_to_string(home.join("settings.json")).ok();
    let own = own.and_then(|text| serde_json::from_str(&text).ok());
    let hooks = hooks::session_start(&own.into_iter().chain(given).collect::<Vec<Value>>());
    Ok(Box::new(Pinned { home, path, file: None, source, hooks }))
}

fn is_old(home: &Path) -> bool {
    home.join("old").exists()
}

/// Asks once for each directory, where that is asked for; `yes` is remembered, anything else ends it.
fn ask_for_trust(home: &Path) -> Result<(), String> {
    let trusted = home.join("trusted");
    let directory = directory()?;
    let known = || std::fs::read_to_string(&trusted).unwrap_or_default().lines().any(|line| line == directory);
    if !home.join("asks").exists() || std::env::var_os("CLAUDE_CODE_SANDBOXED").is_some() || known() {
        return Ok(());
    }
    println!("Do you trust the files in this folder? yes or no");
    let mut answer = String::new();
    // An end of the input is no yes.
    let _ = std::io::stdin().lock().read_line(&mut answer);
    if answer.trim() != "yes" {
        return Err(String::new());
    }
    let file = OpenOptions::new().append(true).create(true).open(&trusted);
    file.and_then(|mut file| writeln!(file, "{directory}")).map_err(|error| error.to_string())
}

fn transcript_of(home: &Path, id: &str) -> Result<PathBuf, String> {
    Ok(home.join("projects").join(directory()?).join(format!("{id}.jsonl")))
}

/// The transcript of a conversation that can be taken up.
fn resumable(home: &Path, id: &str) -> Result<PathBuf, String> {
    let none = || format!("No conversation found with session ID: {id}");
    let path = find(&home.join("projects"), valid(id)?).ok_or_else(none)?;
    if is_old(home) && path != transcript_of(home, id)? {
        return Err(none());
    }
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let reads = text.lines().any(|line| serde_json::from_str::<Value>(line).is_ok());
    reads.then_some(path).ok_or_else(|| "SyntaxError: the transcript does not read".to_owned())
}

fn make(path: &Path) -> std::io::Result<File> {
    std::fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
    OpenOptions::new().append(true).create(true).mode(0o600).open(path)
}

fn valid(id: &str) -> Result<&str, String> {
    agents::session::is_uuid(id).then_some(id).ok_or("Error: Invalid session ID. Must be a valid UUID.".to_owned())
}

/// The working directory as one path component.
fn directory() -> Result<String, String> {
    let path = std::env::current_dir().map_err(|error| error.to_string())?;
    Ok(path.to_string_lossy().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).take(200).collect())
}

fn is_spoken_to(path: &Path) -> bool {
    path.metadata().is_ok_and(|data| data.len() > 0)
}

fn find(projects: &Path, id: &str) -> Option<PathBuf> {
    let directories = std::fs::read_dir(projects).ok()?;
    directories.flatten().map(|entry| entry.path().join(format!("{id}.jsonl"))).find(|path| is_spoken_to(path))
}

impl Conversation for Pinned {
    fn comm(&self) -> &'static CStr {
        c"rove-pinned"
    }

    fn prompt(&self) -> &'static str {
        "pinned>"
    }

    fn append(&mut self, line: &Value) -> std::io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            None => self.file.insert(make(&self.path)?),
        };
        let mut line = line.clone();
        line["cwd"] = std::env::current_dir()?.to_string_lossy().into();
        file.write_all(format!("{line}\n").as_bytes())
    }

    fn transcript(&self) -> Option<&Path> {
        self.file.is_some().then_some(self.path.as_path())
    }

    fn greet(&mut self) -> String {
        let id = self.path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
        hooks::run_session_start(&self.hooks, &id, self.source)
    }

    fn turn_to(&mut self, line: &str) -> Option<String> {
        let turned = match line.split_once(' ') {
            None if line == "/clear" => transcript_of(&self.home, &Uuid::new_v4().to_string()),
            Some(("/resume", id)) => resumable(&self.home, id.trim()),
            _ => return None,
        };
        match turned {
            Ok(path) => {
                *self = Pinned {
                    home: self.home.clone(),
                    path,
                    file: None,
                    source: if line == "/clear" { "clear" } else { "resume" },
                    hooks: std::mem::take(&mut self.hooks),
                };
                Some(format!("{}turned\n", self.greet()))
            }
            Err(why) => Some(format!("{why}\n")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::chat::tests::{Place, say};
    use super::*;

    const ID: &str = "5e1f7e57-0000-4000-8000-000000000001";

    fn begun(home: &Path, line: &str) -> Result<Box<dyn Conversation>, String> {
        begin(home, &line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn a_conversation_comes_back_from_its_transcript_alone() {
        let place = Place::new();
        let mut first = begun(&place.0, &format!("--session-id {ID}")).unwrap();
        assert!(first.transcript().is_none());
        assert_eq!(say(first.as_mut(), "the codeword is WALRUS-1234.\n"), ("pinned> noted\npinned> ".to_owned(), 0));
        drop(first);
        let mut again = begun(&place.0, &format!("--resume {ID}")).unwrap();
        assert_eq!(
            say(again.as_mut(), "what is the codeword?\n/exit 3\n"),
            ("pinned> The codeword is WALRUS-1234.\npinned> ".to_owned(), 3)
        );
        std::fs::remove_dir_all(place.0.join("pinned")).unwrap();
        let mut blank = begun(&place.0, &format!("--session-id {ID}")).unwrap();
        assert_eq!(say(blank.as_mut(), "what is the codeword?\n").0, "pinned> I was told no codeword.\npinned> ");
    }

    #[test]
    fn it_refuses_as_the_engine_it_stands_for() {
        let place = Place::new();
        let refusal = |line: &str| begun(&place.0, line).err();
        assert_eq!(refusal(&format!("--resume {ID}")), Some(format!("No conversation found with session ID: {ID}")));
        assert_eq!(refusal("--session-id x"), Some("Error: Invalid session ID. Must be a valid UUID.".to_owned()));
        say(begun(&place.0, &format!("--session-id {ID}")).unwrap().as_mut(), "");
        assert_eq!(refusal(&format!("--session-id {ID}")), None, "never spoken to, so not in use");
        say(begun(&place.0, &format!("--session-id {ID}")).unwrap().as_mut(), "hello\n");
        assert_eq!(refusal(&format!("--session-id {ID}")), Some(format!("Error: Session ID {ID} is already in use.")));
    }

    #[test]
    fn its_transcript_is_where_its_row_says() {
        let place = Place::new();
        let mut first = begun(&place.0, &format!("--session-id {ID}")).unwrap();
        say(first.as_mut(), "hello\n");
        let path = first.transcript().unwrap().to_str().unwrap();
        assert_eq!(
            agents::find("pinned").unwrap().store.unwrap().session_of_transcript(path, agents::engines::Ids::Uuid),
            Some(ID)
        );
        assert!(agents::find("pinned").unwrap().is_ready(first.prompt()));
    }
}
