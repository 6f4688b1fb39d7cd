//! Facts of processes, files, users and time.

// Reads files, directories and the clock's zone.
#![allow(clippy::disallowed_methods)]

use agents::detect::Process;
use agents::identity::Candidate;
use agents::probe::{FILES_MAX, FileFact, StateFact, TEXT_MAX};
use agents::store::Root;
use agents::{Answer, Probe};
use mux::format::Local;
use std::collections::HashMap;
use std::ffi::CStr;
use std::io::{self, Read, Write};
use std::os::fd::BorrowedFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// Most bytes of a file that a command reads.
const FILE_LIMIT: u64 = 256 << 20;

/// The process that leads the foreground group of a terminal.
pub fn foreground(master: BorrowedFd<'_>) -> Option<i32> {
    rustix::termios::tcgetpgrp(master).ok().map(|pid| pid.as_raw_nonzero().get())
}

/// The name of a process's program: the last part of its first argument, else what the system calls it.
pub fn command_name(pid: i32) -> Option<String> {
    let line = std::fs::read(format!("/proc/{pid}/cmdline")).ok()?;
    let first = line.split(|byte| *byte == 0).next().unwrap_or_default();
    if first.is_empty() {
        return std::fs::read_to_string(format!("/proc/{pid}/comm")).ok().map(|name| name.trim_end().to_owned());
    }
    Some(mux::alert::default_name(&String::from_utf8_lossy(first)))
}

/// A process's directory.
pub fn directory(pid: i32) -> Option<String> {
    let path = std::fs::read_link(format!("/proc/{pid}/cwd")).ok()?;
    Some(path.to_string_lossy().into_owned())
}

/// The name of this host.
pub fn host_name() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

/// A random number from the system.
pub fn random() -> u128 {
    uuid::Uuid::new_v4().as_u128()
}

/// True for a file that can be executed.
pub fn is_program(path: &str) -> bool {
    std::fs::metadata(path).is_ok_and(|it| it.is_file() && it.permissions().mode() & 0o111 != 0)
}

/// Where a program is, by the PATH of the environment it is to have.
pub fn program_path(name: &str, environment: &[(String, String)]) -> String {
    if name.contains('/') {
        return name.to_owned();
    }
    let path = environment.iter().find(|(variable, _)| variable == "PATH").map_or("/usr/bin:/bin", |(_, path)| path);
    let found = path.split(':').map(|directory| format!("{directory}/{name}")).find(|path| is_program(path));
    found.unwrap_or_else(|| name.to_owned())
}

/// Where a program is on this search path; a name with a `/` is looked for as it is.
pub fn program_on(path: &str, name: &str) -> Option<String> {
    if name.contains('/') {
        return is_program(name).then(|| name.to_owned());
    }
    path.split(':').map(|directory| format!("{directory}/{name}")).find(|path| is_program(path))
}

/// A whole file. Not one that would block (a FIFO without writers) or never end.
pub fn read_file(path: &str) -> io::Result<Vec<u8>> {
    let file = std::fs::OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK).open(path)?;
    let kind = file.metadata()?.file_type();
    if kind.is_dir() {
        return Err(io::Error::from_raw_os_error(libc::EISDIR));
    }
    if kind.is_fifo() {
        rustix::io::ioctl_fionbio(&file, false)?;
    }
    let mut bytes = Vec::new();
    file.take(FILE_LIMIT).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Write a file, whole; a full disk is an error, and the old content stays when the new one can't be written.
pub fn write_file(path: &str, data: &[u8], append: bool) -> io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    let mut file = if append {
        options.append(true).create(true).mode(0o600).open(path)?
    } else {
        options.write(true).create(true).truncate(true).mode(0o600).open(path)?
    };
    let written = file.write_all(data);
    if written.is_err() && !append {
        // Nothing is better than a file that looks whole and is not.
        let _ = std::fs::remove_file(path);
    }
    written
}

/// Paths that match a glob pattern, sorted. A pattern without `*`, `?` and `[` is that path, if it exists.
pub fn glob(pattern: &str) -> Vec<String> {
    glob_some(pattern, FILES_MAX)
}

/// The same, at most so many.
fn glob_some(pattern: &str, most: usize) -> Vec<String> {
    let mut found = vec![PathBuf::from("/")];
    for part in pattern.split('/').filter(|part| !part.is_empty()) {
        let mut next = Vec::new();
        for base in found {
            if !part.contains(['*', '?', '[', '\\']) {
                let path = base.join(part);
                if path.symlink_metadata().is_ok() {
                    next.push(path);
                }
                continue;
            }
            let Ok(entries) = std::fs::read_dir(&base) else { continue };
            for entry in entries.flatten() {
                let name = entry.file_name().to_string_lossy().into_owned();
                let hidden = name.starts_with('.') && !part.starts_with('.');
                if !hidden && mux::fnmatch::fnmatch(part, &name, false) {
                    next.push(entry.path());
                }
            }
        }
        next.truncate(most);
        found = next;
    }
    let mut paths: Vec<String> = found.into_iter().map(|path| path.to_string_lossy().into_owned()).collect();
    paths.sort();
    paths
}

/// The home directory of a user; of this one for `None`, which is `$HOME` if that is set.
pub fn home(user: Option<&str>) -> Option<String> {
    if user.is_none()
        && let Some(home) = std::env::var("HOME").ok().filter(|home| !home.is_empty())
    {
        return Some(home);
    }
    let entry = match user {
        Some(name) => password(|fields| fields.first() == Some(&name)),
        None => {
            let uid = rustix::process::getuid().as_raw().to_string();
            password(|fields| fields.get(2) == Some(&uid.as_str()))
        }
    };
    entry.map(|entry| entry.1)
}

/// The name of a user id.
pub fn user_name(uid: u32) -> Option<String> {
    let uid = uid.to_string();
    password(|fields| fields.get(2) == Some(&uid.as_str())).map(|entry| entry.0)
}

/// The number of a user.
pub fn user_id(name: &str) -> Option<u32> {
    lines_of("/etc/passwd", |fields| fields.first() == Some(&name)).and_then(|fields| fields.get(2)?.parse().ok())
}

/// The name of a group.
pub fn group_name(gid: u32) -> Option<String> {
    let gid = gid.to_string();
    lines_of("/etc/group", |fields| fields.get(2) == Some(&gid.as_str())).and_then(|fields| fields.first().cloned())
}

/// The number of a group.
pub fn group_id(name: &str) -> Option<u32> {
    lines_of("/etc/group", |fields| fields.first() == Some(&name)).and_then(|fields| fields.get(2)?.parse().ok())
}

/// The fields of the first line that passes.
fn lines_of(path: &str, test: impl Fn(&[&str]) -> bool) -> Option<Vec<String>> {
    let text = std::fs::read_to_string(path).ok()?;
    text.lines().find_map(|line| {
        let fields: Vec<&str> = line.split(':').collect();
        test(&fields).then(|| fields.into_iter().map(str::to_owned).collect())
    })
}

/// The user's login shell.
pub fn login_shell() -> Option<String> {
    let uid = rustix::process::getuid().as_raw().to_string();
    password(|fields| fields.get(2) == Some(&uid.as_str())).map(|entry| entry.2).filter(|shell| is_program(shell))
}

/// Name, home and shell of the first line of the password file that passes.
fn password(test: impl Fn(&[&str]) -> bool) -> Option<(String, String, String)> {
    let text = std::fs::read_to_string("/etc/passwd").ok()?;
    text.lines().find_map(|line| {
        let fields: Vec<&str> = line.split(':').collect();
        let entry =
            || Some(((*fields.first()?).to_owned(), (*fields.get(5)?).to_owned(), (*fields.get(6)?).to_owned()));
        if test(&fields) { entry() } else { None }
    })
}

/// A time in the server's zone.
pub fn local(unix: i64) -> Local {
    // SAFETY: both point to live values of the right types; `localtime_r` writes only the second.
    let parts = unsafe {
        let mut parts: libc::tm = std::mem::zeroed();
        if libc::localtime_r(&unix, &mut parts).is_null() {
            return Local::utc(unix);
        }
        parts
    };
    let zone = if parts.tm_zone.is_null() {
        String::new()
    } else {
        // SAFETY: `localtime_r` points it at a name of the C library that lives as long as the process.
        unsafe { CStr::from_ptr(parts.tm_zone) }.to_string_lossy().into_owned()
    };
    Local { offset: parts.tm_gmtoff as i32, zone, ..Local::utc(unix + parts.tm_gmtoff) }
}

/// The answer to an engine's probe about a pane whose child is `pid`.
pub fn probe(pid: Option<i32>, probe: &Probe) -> Option<Answer> {
    match probe {
        Probe::Program { names } => {
            let environment = pid.map(environment_of).unwrap_or_default();
            let path = environment.get("PATH").cloned().or_else(|| std::env::var("PATH").ok())?;
            Some(Answer::Program(names.iter().find_map(|name| program_on(&path, name))))
        }
        Probe::OwnProgram => {
            std::env::current_exe().ok().map(|path| Answer::Program(Some(path.to_string_lossy().into_owned())))
        }
        Probe::Files { root, pattern } => {
            let paths = below(*root, pid, pattern, FILES_MAX)?;
            let fact = |path: String| {
                std::fs::metadata(&path).ok().filter(|it| it.is_file()).map(|it| FileFact { path, bytes: it.len() })
            };
            Some(Answer::Files(paths.into_iter().filter_map(fact).collect()))
        }
        Probe::Lock { root, path } => {
            let path = below(*root, pid, path, FILES_MAX)?.pop();
            Some(Answer::Locked(path.is_some_and(|path| is_locked(Path::new(&path)))))
        }
        Probe::States { root, pattern } => {
            let state = |path: String| {
                let text = String::from_utf8_lossy(&read_some(&path, TEXT_MAX)).into_owned();
                let pid: Option<i32> = Path::new(&path).file_stem().and_then(|stem| stem.to_str()?.parse().ok());
                let comm = pid.and_then(|pid| std::fs::read_to_string(format!("/proc/{pid}/comm")).ok());
                StateFact {
                    text,
                    comm: comm.map(|comm| comm.trim_end().to_owned()),
                    started_ms: pid.and_then(|pid| started_ms(pid.unsigned_abs())).unwrap_or(0),
                }
            };
            Some(Answer::States(below(*root, pid, pattern, FILES_MAX)?.into_iter().map(state).collect()))
        }
        Probe::Heads { root, pattern, since_ms } => {
            let recent = |path: &String| {
                let changed = std::fs::metadata(path).and_then(|it| it.modified()).ok();
                let ms = changed
                    .and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok())
                    .map(|time| time.as_millis() as u64);
                ms.is_some_and(|ms| ms >= *since_ms)
            };
            let heads = below(*root, pid, pattern, FILES_MAX)?.into_iter().filter(recent).map(head).collect();
            Some(Answer::Heads(heads))
        }
        Probe::Holds { root, pattern, text } => {
            let paths = below(*root, pid, pattern, FILES_MAX)?;
            Some(Answer::Holds(paths.iter().any(|path| holds(Path::new(path), text.as_bytes()))))
        }
        Probe::Processes => Some(Answer::Processes(processes_below(pid?))),
        Probe::Ancestors { pid } => {
            let above = std::iter::successors(parent(*pid), |pid| parent(*pid));
            Some(Answer::Ancestors(above.take_while(|pid| *pid > 1).take(ANCESTORS_MAX).collect()))
        }
        Probe::Texts { root, pattern } => Some(Answer::Texts(texts(below(*root, pid, pattern, FILES_MAX)?))),
        Probe::TextsIn { directory, pattern } => Some(Answer::Texts(texts(glob(&format!("{directory}/{pattern}"))))),
        Probe::OwnDirectory { path } => Some(Answer::OwnDirectory(is_own_directory(Path::new(path)))),
        Probe::Everyone => Some(Answer::Everyone(everyone())),
    }
}

/// Most processes that are looked at above one.
const ANCESTORS_MAX: usize = 256;

fn texts(paths: Vec<String>) -> Vec<String> {
    paths.iter().map(|path| String::from_utf8_lossy(&read_some(path, TEXT_MAX)).into_owned()).collect()
}

/// The directories below the home in which everything was made by this program.
const OWN_DIRECTORIES: [&str; 2] = ["scratch", "worktrees"];

fn is_own_directory(path: &Path) -> bool {
    let Some(home) = super::paths::rove_home(&|name| std::env::var_os(name)) else { return false };
    OWN_DIRECTORIES.iter().any(|own| {
        let own = std::fs::canonicalize(home.join(own));
        own.is_ok_and(|own| path != own && path.starts_with(own))
    })
}

/// A variable of a process's environment, or of this one's; `None` for an empty one too.
pub fn variable(pid: Option<i32>, name: &str) -> Option<String> {
    let own = pid.map(environment_of).and_then(|mut environment| environment.remove(name));
    own.or_else(|| std::env::var(name).ok()).filter(|value| !value.is_empty())
}

/// Paths below the root of an engine's files that match a pattern, at most so many.
pub fn below(root: Root, pid: Option<i32>, pattern: &str, most: usize) -> Option<Vec<String>> {
    if pattern.starts_with('/') {
        return Some(glob_some(pattern, most));
    }
    let moved = root.moved_by.iter().find_map(|(name, below)| Some(format!("{}/{below}", variable(pid, name)?)));
    let base = match moved {
        Some(base) => base,
        None => format!("{}/{}", variable(pid, "HOME")?, root.below_home),
    };
    Some(glob_some(&format!("{base}/{pattern}"), most))
}

/// Whether a file of any length holds a text that is not longer than a block.
pub fn holds(path: &Path, text: &[u8]) -> bool {
    const BLOCK: usize = 256 * 1024;
    let Ok(mut file) = std::fs::OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK).open(path) else {
        return false;
    };
    let mut bytes: Vec<u8> = Vec::with_capacity(2 * BLOCK);
    let finder = memchr::memmem::Finder::new(text);
    loop {
        match (&mut file).take(BLOCK as u64).read_to_end(&mut bytes) {
            Ok(1..) => {}
            Ok(0) | Err(_) => return false,
        }
        if finder.find(&bytes).is_some() {
            return true;
        }
        // It may begin in this block and end in the next.
        let kept = bytes.len().saturating_sub(text.len());
        bytes.drain(..kept);
    }
}

/// The environment a process was started with.
fn environment_of(pid: i32) -> HashMap<String, String> {
    let bytes = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    bytes
        .split(|byte| *byte == 0)
        .filter_map(|entry| {
            let at = entry.iter().position(|byte| *byte == b'=')?;
            Some((text(&entry[..at]), text(&entry[at + 1..])))
        })
        .collect()
}

fn is_locked(path: &Path) -> bool {
    let Ok(file) = std::fs::File::open(path) else { return false };
    match rustix::fs::flock(&file, rustix::fs::FlockOperation::NonBlockingLockShared) {
        Ok(()) => false,
        Err(error) => error == rustix::io::Errno::WOULDBLOCK,
    }
}

/// The beginning of a file; nothing of one that can't be read.
pub fn read_some(path: &str, limit: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Ok(file) = std::fs::OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK).open(path) {
        let _ = file.take(limit as u64).read_to_end(&mut bytes);
    }
    bytes
}

fn head(path: String) -> Candidate {
    let bytes = read_some(&path, TEXT_MAX);
    let line = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let first_line = String::from_utf8_lossy(line).into_owned();
    let cwd = serde_json::from_str::<serde_json::Value>(&first_line).ok().and_then(|value| {
        let payload = value.get("payload").unwrap_or(&value);
        payload.get("cwd")?.as_str().map(str::to_owned)
    });
    let real_cwd = cwd.and_then(|cwd| std::fs::canonicalize(cwd).ok()).map(|path| path.to_string_lossy().into_owned());
    let made = std::fs::metadata(&path).and_then(|it| it.created()).ok();
    let since = made.and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    Candidate { path, first_line, real_cwd, created_ms: since.map_or(0, |time| time.as_millis() as u64) }
}

/// Every process that runs now.
fn pids() -> impl Iterator<Item = u32> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

/// Every process, as far as an engine is known by it.
fn everyone() -> Vec<Process> {
    let brief = |pid: u32| {
        let (comm, argv) = (comm(pid)?, argv(pid));
        Some(Process { pid, comm, argv, cwd: directory(pid.cast_signed()), ..Process::default() })
    };
    pids().filter_map(brief).collect()
}

/// A process and everything below it, parents before children.
fn processes_below(root: i32) -> Vec<Process> {
    let mut children: HashMap<u32, Vec<u32>> = HashMap::new();
    for pid in pids() {
        if let Some(parent) = parent(pid) {
            children.entry(parent).or_default().push(pid);
        }
    }
    let mut found = Vec::new();
    let mut next = vec![root.unsigned_abs()];
    while let Some(pid) = next.pop() {
        if let Some(process) = process(pid) {
            found.push(process);
        }
        next.extend(children.get(&pid).into_iter().flatten());
    }
    found
}

/// Fields of `/proc/PID/stat` behind the name, which may itself hold blanks and brackets.
fn stat(pid: u32) -> Option<Vec<String>> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    Some(text.rsplit_once(')')?.1.split_whitespace().map(str::to_owned).collect())
}

fn parent(pid: u32) -> Option<u32> {
    stat(pid)?.get(1)?.parse().ok()
}

fn comm(pid: u32) -> Option<String> {
    Some(std::fs::read_to_string(format!("/proc/{pid}/comm")).ok()?.trim_end().to_owned())
}

fn argv(pid: u32) -> Vec<String> {
    let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let words = line.strip_suffix(b"\0").unwrap_or(&line).split(|byte| *byte == 0);
    words.map(|word| String::from_utf8_lossy(word).into_owned()).collect()
}

fn process(pid: u32) -> Option<Process> {
    let stat = stat(pid)?;
    let links = std::fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten();
    let open = links.filter_map(|link| std::fs::read_link(link.path()).ok());
    let open_files = open
        .filter(|path| path.as_os_str().as_bytes().starts_with(b"/"))
        .map(|path| path.to_string_lossy().into_owned())
        .collect();
    Some(Process {
        pid,
        parent: stat.get(1)?.parse().ok()?,
        comm: comm(pid)?,
        argv: argv(pid),
        started_ms: started_ms(pid)?,
        cwd: directory(pid.cast_signed()),
        open_files,
    })
}

/// When a process began, in milliseconds since 1970.
fn started_ms(pid: u32) -> Option<u64> {
    let ticks: u64 = stat(pid)?.get(19)?.parse().ok()?;
    Some(boot_ms() + ticks * 10)
}

/// When the machine started, in milliseconds since 1970.
fn boot_ms() -> u64 {
    static BOOT: std::sync::LazyLock<u64> = std::sync::LazyLock::new(|| {
        let text = std::fs::read_to_string("/proc/stat").unwrap_or_default();
        let seconds: Option<u64> = text.lines().find_map(|line| line.strip_prefix("btime ")?.trim().parse().ok());
        seconds.unwrap_or(0) * 1000
    });
    *BOOT
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_is_found_below_itself() {
        let own = std::process::id() as i32;
        let found = processes_below(own);
        assert_eq!(found[0].pid, own as u32);
        assert!(!found[0].argv.is_empty() && found[0].started_ms > 0);
    }

    #[test]
    fn a_glob_finds_and_sorts() {
        let directory = std::env::temp_dir().join(format!("glob-{}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        for name in ["b.conf", "a.conf", ".c.conf", "d.txt"] {
            std::fs::write(directory.join(name), "").unwrap();
        }
        let base = directory.to_string_lossy().into_owned();
        assert_eq!(glob(&format!("{base}/*.conf")), [format!("{base}/a.conf"), format!("{base}/b.conf")]);
        assert_eq!(glob(&format!("{base}/none")), Vec::<String>::new());
        std::fs::remove_dir_all(&directory).unwrap();
    }
}
