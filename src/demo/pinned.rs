//! A stand-in that is given its id at launch, as Claude Code is: `--session-id U` begins, `--resume U` goes on. Its transcript
//! `pinned/projects/<directory>/<id>.jsonl` appears with the first message.

use std::ffi::CStr;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use serde_json::Value;
use uuid::Uuid;

use super::chat::Conversation;

struct Pinned {
    path: PathBuf,
    file: Option<File>,
}

/// Begins or takes up a conversation; the error is what to say on stderr.
pub(super) fn begin(home: &Path, args: &[String]) -> Result<Box<dyn Conversation>, String> {
    let value =
        |flag: &str| args.iter().position(|word| word == flag).map(|at| args.get(at + 1).map_or("", String::as_str));
    let projects = home.join("pinned/projects");
    let path = match (value("--resume"), value("--session-id")) {
        (Some(id), None) => {
            find(&projects, valid(id)?).ok_or(format!("No conversation found with session ID: {id}"))?
        }
        (None, id) => {
            let id = id.map(valid).transpose()?.map_or_else(|| Uuid::new_v4().to_string(), str::to_owned);
            let path = projects.join(directory()?).join(format!("{id}.jsonl"));
            if is_spoken_to(&path) {
                return Err(format!("Error: Session ID {id} is already in use."));
            }
            path
        }
        (Some(_), Some(_)) => return Err("Error: --session-id cannot be used with --continue or --resume.".to_owned()),
    };
    Ok(Box::new(Pinned { path, file: None }))
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
            None => {
                std::fs::create_dir_all(self.path.parent().unwrap_or(Path::new(".")))?;
                self.file.insert(OpenOptions::new().append(true).create(true).mode(0o600).open(&self.path)?)
            }
        };
        let mut line = line.clone();
        line["cwd"] = std::env::current_dir()?.to_string_lossy().into();
        file.write_all(format!("{line}\n").as_bytes())
    }

    fn transcript(&self) -> Option<&Path> {
        self.file.is_some().then_some(self.path.as_path())
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
