//! A stand-in that makes its own id, as Codex does. Nobody is told it: it shows only in what the process holds open, a lock and the rollout
//! `discovered/sessions/rollout-<start>-<id>.jsonl`, both from the first message on. `resume ID` goes on, `resume --last` with the newest one
//! of this directory. `/new` begins another one in the same process and `/resume ID` takes one up; what was open stays open. The program of
//! `-c notify=[...]` or `discovered/config.toml` is told of each turn, and before the first of a thread of which nobody knows. With a file
//! `closes` below its home it holds nothing open between two turns.

use std::ffi::CStr;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rustix::fs::{FlockOperation, flock};
use serde_json::{Value, json};
use uuid::Uuid;

use super::chat::Conversation;
use super::hooks;

struct Discovered {
    home: PathBuf,
    id: String,
    path: PathBuf,
    open: Option<(File, File)>,
    notify: Vec<String>,
    /// What was open before; it stays so.
    earlier: Vec<(File, File)>,
    is_titled: bool,
}

/// Begins or takes up a conversation; the error is what to say on stderr.
pub(super) fn begin(home: &Path, args: &[String]) -> Result<Box<dyn Conversation>, String> {
    let home = home.join("discovered");
    let (mut overrides, mut plain) = (Vec::new(), Vec::new());
    let mut words = args.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "-c" | "--config" => overrides.extend(words.next().cloned()),
            flag if flag.starts_with('-') && flag != "--last" => {}
            plain_word => plain.push(plain_word),
        }
    }
    let notify = hooks::notify(&overrides, &home.join("config.toml"));
    let mut begun = Discovered::new(&home, notify);
    match plain.as_slice() {
        ["resume", "--last", ..] => begun.take_up(&newest_here(&home).unwrap_or_default())?,
        ["resume", id, ..] => begun.take_up(id)?,
        ["resume"] => return Err("Error: stdin is not a terminal".to_owned()),
        _ => {}
    }
    Ok(Box::new(begun))
}

/// The conversation of this directory whose file was changed last.
fn newest_here(home: &Path) -> Option<String> {
    let here = std::env::current_dir().ok()?.to_string_lossy().into_owned();
    let files = std::fs::read_dir(home.join("sessions")).ok()?.flatten();
    let here = files.filter_map(|entry| {
        let text = std::fs::read_to_string(entry.path()).ok()?;
        let meta = agents::engine::codex::meta(text.lines().next()?)?;
        let changed = entry.metadata().ok()?.modified().ok()?;
        (meta.cwd == here).then_some((changed, meta.id))
    });
    here.max().map(|(_, id)| id)
}

/// The moment as `YYYY-MM-DDTHH-MM-SS`, in UTC.
fn stamp(since_1970: Duration) -> String {
    let seconds = since_1970.as_secs();
    let (day, second) = (seconds / 86_400, seconds % 86_400);
    // Days counted from 1 March of the year 0, in eras of 400 years, so that the leap day is the last of its year.
    let shifted = day + 719_468;
    let (era, of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * of_year + 2) / 153;
    let date = of_year - (153 * month + 2) / 5 + 1;
    let (year, month) =
        (era * 400 + year_of_era + u64::from(month >= 10), if month < 10 { month + 3 } else { month - 9 });
    format!("{year:04}-{month:02}-{date:02}T{:02}-{:02}-{:02}", second / 3600, second / 60 % 60, second % 60)
}

fn find(home: &Path, id: &str) -> Option<PathBuf> {
    let mut files = std::fs::read_dir(home.join("sessions")).ok()?.flatten().map(|entry| entry.path());
    files.find(|path| agents::engine::codex::rollout_name(&path.to_string_lossy()).is_some_and(|name| name.id == id))
}

impl Discovered {
    fn new(home: &Path, notify: Vec<String>) -> Discovered {
        let id = Uuid::now_v7().to_string();
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let path = home.join(format!("sessions/rollout-{}-{id}.jsonl", stamp(since)));
        let home = home.to_owned();
        Discovered { home, id, path, open: None, notify, earlier: Vec::new(), is_titled: false }
    }

    /// Goes on with a conversation that there is.
    fn take_up(&mut self, id: &str) -> Result<(), String> {
        let path = find(&self.home, id).ok_or(format!("ERROR: No saved session found with ID {id}."))?;
        let before = (std::mem::replace(&mut self.id, id.to_owned()), std::mem::replace(&mut self.path, path));
        self.earlier.extend(self.open.take());
        self.is_titled = true;
        match self.open() {
            Ok(_) => Ok(()),
            Err(error) => {
                (self.id, self.path) = before;
                self.open = self.earlier.pop();
                Err(match error.kind() {
                    std::io::ErrorKind::WouldBlock => "This conversation is open in another process.".to_owned(),
                    _ => error.to_string(),
                })
            }
        }
    }

    /// Takes the lock and opens the rollout; both stay open.
    fn open(&mut self) -> std::io::Result<&mut File> {
        if self.open.is_none() {
            let make = |path: &Path| {
                std::fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
                OpenOptions::new().append(true).create(true).mode(0o600).open(path)
            };
            let lock = make(&self.home.join(format!("locks/{}.lock", self.id)))?;
            flock(&lock, FlockOperation::NonBlockingLockExclusive)?;
            self.open = Some((lock, make(&self.path)?));
        }
        match &mut self.open {
            Some((_, rollout)) => Ok(rollout),
            None => Err(std::io::ErrorKind::NotFound.into()),
        }
    }
}

impl Conversation for Discovered {
    fn comm(&self) -> &'static CStr {
        c"rove-discovered"
    }

    fn prompt(&self) -> &'static str {
        "discovered>"
    }

    fn append(&mut self, line: &Value) -> std::io::Result<()> {
        let id = self.id.clone();
        let rollout = self.open()?;
        if rollout.metadata()?.len() == 0 {
            let cwd = std::env::current_dir()?;
            let payload = json!({ "id": id, "session_id": id, "cwd": cwd.to_string_lossy() });
            rollout.write_all(format!("{}\n", json!({ "type": "session_meta", "payload": payload })).as_bytes())?;
        }
        rollout.write_all(format!("{line}\n").as_bytes())
    }

    fn transcript(&self) -> Option<&Path> {
        self.path.exists().then_some(self.path.as_path())
    }

    fn turn_to(&mut self, line: &str) -> Option<String> {
        match line.split_once(' ') {
            None if line == "/new" => {
                let next = Discovered::new(&self.home, std::mem::take(&mut self.notify));
                let before = std::mem::replace(self, next);
                self.earlier = before.earlier;
                self.earlier.extend(before.open);
                Some("turned\n".to_owned())
            }
            Some(("/resume", id)) => {
                Some(self.take_up(id.trim()).map_or_else(|why| format!("{why}\n"), |()| "turned\n".to_owned()))
            }
            _ => None,
        }
    }

    fn turned(&mut self) {
        if self.home.join("closes").exists() {
            self.open = None;
        }
        if !std::mem::replace(&mut self.is_titled, true) {
            // A thread in which a title is made; it is never written.
            hooks::run_notify(&self.notify, &Uuid::now_v7().to_string());
        }
        hooks::run_notify(&self.notify, &self.id);
    }
}

#[cfg(test)]
mod tests {
    use super::super::chat::tests::{Place, say};
    use super::*;

    fn begun(home: &Path, line: &str) -> Result<Box<dyn Conversation>, String> {
        begin(home, &line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    fn id_of(conversation: &dyn Conversation) -> String {
        let path = conversation.transcript().unwrap().to_str().unwrap().to_owned();
        agents::find("discovered")
            .unwrap()
            .store
            .unwrap()
            .session_of_transcript(&path, agents::engines::Ids::Uuid)
            .unwrap()
            .to_owned()
    }

    #[test]
    fn nothing_shows_before_the_first_message_and_then_the_open_files_tell_the_id() {
        let place = Place::new();
        let mut first = begun(&place.0, "").unwrap();
        assert!(first.transcript().is_none() && !place.0.join("discovered").exists());
        say(first.as_mut(), "hello\n");
        let id = id_of(first.as_ref());
        let store = agents::find("discovered").unwrap().store.unwrap();
        let open: Vec<String> = std::fs::read_dir("/proc/self/fd")
            .unwrap()
            .flatten()
            .filter_map(|entry| Some(std::fs::read_link(entry.path()).ok()?.to_string_lossy().into_owned()))
            .collect();
        assert!(
            open.iter().any(|path| store.session_of_transcript(path, agents::engines::Ids::Uuid) == Some(id.as_str()))
        );
        assert!(open.iter().any(|path| store.session_of_lock(path, agents::engines::Ids::Uuid) == Some(id.as_str())));
        let text = std::fs::read_to_string(first.transcript().unwrap()).unwrap();
        let meta = agents::engine::codex::meta(text.lines().next().unwrap()).unwrap();
        assert_eq!((meta.id, meta.cwd), (id, std::env::current_dir().unwrap().to_string_lossy().into_owned()));
    }

    #[test]
    fn two_conversations_in_one_directory_stay_apart() {
        let place = Place::new();
        let (mut a, mut b) = (begun(&place.0, "").unwrap(), begun(&place.0, "").unwrap());
        say(b.as_mut(), "the codeword is MARMOT-2\n");
        say(a.as_mut(), "the codeword is WALRUS-1\n");
        let ids = [id_of(a.as_ref()), id_of(b.as_ref())];
        drop((a, b));
        for (id, word) in ids.iter().zip(["WALRUS-1", "MARMOT-2"]) {
            let mut again = begun(&place.0, &format!("resume --flag {id}")).unwrap();
            let (said, _) = say(again.as_mut(), "what is the codeword? nonce 7\n");
            assert_eq!(said, format!("discovered> The codeword is {word}.\ndiscovered> "));
        }
    }

    #[test]
    fn it_refuses_what_is_open_or_unknown() {
        let place = Place::new();
        let mut first = begun(&place.0, "").unwrap();
        say(first.as_mut(), "hello\n");
        let line = format!("resume {}", id_of(first.as_ref()));
        assert_eq!(begun(&place.0, &line).err().as_deref(), Some("This conversation is open in another process."));
        drop(first);
        assert!(begun(&place.0, &line).is_ok());
        assert_eq!(begun(&place.0, "resume x").err().as_deref(), Some("ERROR: No saved session found with ID x."));
    }

    #[test]
    fn a_stamp_is_the_date() {
        assert_eq!(stamp(Duration::from_secs(0)), "1970-01-01T00-00-00");
        assert_eq!(stamp(Duration::from_secs(951_827_696)), "2000-02-29T12-34-56");
        assert_eq!(stamp(Duration::from_secs(1_796_083_199)), "2026-11-30T23-59-59");
    }
}
