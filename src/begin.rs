//! `rove __begin ENGINE ARGUMENTS...`: has an engine make a conversation, then becomes the engine on it. It runs in the pane, so that a slow
//! network is waited for there; the id is seen in the command line of what it becomes.

// It runs a program, writes a file and becomes another program.
#![allow(clippy::disallowed_methods)]

use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{SystemTime, UNIX_EPOCH};

use agents::launch::{self, Begin};
use agents::{Engine, Table};

/// Becomes the engine; comes back only when that failed.
pub fn run(args: &[String]) -> i32 {
    let table: Table = crate::engines::load();
    let Some((engine, rest)) = args.split_first().and_then(|(id, rest)| Some((table.find(id)?, rest))) else {
        eprintln!("rove: {} is for rove itself", launch::BEGIN);
        return 2;
    };
    let made = make(engine);
    if let Err(why) = &made {
        eprintln!("rove: {} made no conversation ({why}), so after a restart it will begin a new one", engine.product);
    }
    let argv = launch::on(engine, made.ok().as_deref(), rest);
    let error = Command::new(&argv[0]).args(&argv[1..]).exec();
    eprintln!("rove: {}: {}", argv[0], crate::os::words(&error));
    127
}

fn make(engine: &Engine) -> Result<String, String> {
    let cwd = std::env::current_dir().map_err(|error| crate::os::words(&error))?.to_string_lossy().into_owned();
    let now_ms = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis() as u64;
    let fresh = uuid::Uuid::new_v4().to_string();
    let begin = launch::begin(engine, &cwd, &fresh, now_ms).ok_or("it makes none beforehand")?;
    let file = (!begin.seed.is_empty()).then(|| Seed::write(&fresh, &begin.seed)).transpose()?;
    let path = file.as_ref().map_or_else(String::new, |file| file.0.display().to_string());
    let said = call(&begin, &path)?;
    begin.id.or_else(|| launch::begun(engine, &said)).ok_or_else(|| format!("it said: {}", said.trim()))
}

fn call(begin: &Begin, path: &str) -> Result<String, String> {
    let words: Vec<String> = begin.argv.iter().map(|word| word.replace("{file}", path)).collect();
    let output = Command::new(&words[0]).args(&words[1..]).stdin(Stdio::null()).output();
    let output = output.map_err(|error| crate::os::words(&error))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if output.status.success() {
        return Ok(text(&output.stdout));
    }
    let complaint = text(&output.stderr);
    let last = complaint.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("no word of why");
    Err(format!("{}: {}", output.status, last.trim()))
}

/// A file of one launch, removed when it was read.
struct Seed(PathBuf);

impl Seed {
    fn write(name: &str, text: &str) -> Result<Seed, String> {
        let path: PathBuf = std::env::temp_dir().join(format!("rove-begin-{name}.json"));
        let failed = |error: std::io::Error| format!("{}: {}", Path::display(&path), crate::os::words(&error));
        std::fs::write(&path, text).map_err(failed)?;
        Ok(Seed(path))
    }
}

impl Drop for Seed {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}
