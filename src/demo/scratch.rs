//! The scratch directory of one demo: everything it makes lies in it, and nothing that was started for it outlives it.

use std::fs;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{process, wait};
use crate::os::facts;

/// The directory, removed with all processes that know of it when this value goes, whatever happens.
pub(super) struct Scratch {
    root: PathBuf,
    keep: bool,
}

impl Scratch {
    pub(super) fn new() -> Result<Scratch, String> {
        let name = format!("rove-demo-{}", &uuid::Uuid::new_v4().simple().to_string()[..8]);
        let root = std::env::temp_dir().join(name);
        let make = |path: &Path| {
            let made = fs::DirBuilder::new().mode(0o700).create(path);
            made.map_err(|error| format!("cannot make {}: {error}", path.display()))
        };
        make(&root)?;
        let scratch = Scratch { root: root.canonicalize().unwrap_or(root), keep: false };
        for part in ["home", "run", "project", "engines", "user"] {
            make(&scratch.root.join(part))?;
        }
        Ok(scratch)
    }

    /// A part of it: `home` (the program's), `run` (sockets), `project`, `engines` (the stand-ins' transcripts), `user` (their HOME).
    pub(super) fn part(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    /// The entry of the environment by which its processes are known.
    pub(super) fn mark(&self) -> String {
        format!("ROVE_HOME_DIR={}", self.part("home").display())
    }

    /// Leaves the directory where it is, and says where.
    pub(super) fn keep(&mut self) -> &Path {
        self.keep = true;
        &self.root
    }

    /// Ends every process that belongs to it. The second look is for those that were born during the first.
    fn end_processes(&self) {
        let mark = self.mark();
        for _ in 0..100 {
            let left = process::with_environment(&mark);
            if left.is_empty() {
                return;
            }
            left.into_iter().for_each(process::kill);
            // An interruption must not stop the clearing, so its word is not heeded here.
            let _ = wait::pause(Duration::from_millis(20));
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        self.end_processes();
        if !self.keep {
            let _ = fs::remove_dir_all(&self.root);
        }
    }
}

/// The files below `root` in which `word` stands, but for those below one of `except`.
pub(super) fn files_with(root: &Path, word: &str, except: &[PathBuf]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut directories = vec![root.to_path_buf()];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(&directory).into_iter().flatten().flatten() {
            let path = entry.path();
            if except.iter().any(|except| path.starts_with(except)) {
                continue;
            }
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => directories.push(path),
                Ok(kind) if kind.is_file() && facts::holds(&path, word.as_bytes()) => found.push(path),
                _ => {}
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_word_is_found_wherever_it_stands_but_where_it_may() {
        let scratch = Scratch::new().unwrap();
        let root = scratch.part("project");
        fs::create_dir_all(root.join("a/b")).unwrap();
        fs::write(root.join("a/b/one"), "x WALRUS-1 y").unwrap();
        fs::write(root.join("two"), "WALRUS").unwrap();
        fs::write(root.join("across"), [&vec![b'.'; 64 * 1024 - 3], &b"WALRUS-2"[..]].concat()).unwrap();
        assert_eq!(files_with(&root, "WALRUS-2", &[]), [root.join("across")]);
        assert_eq!(files_with(&root, "WALRUS-1", &[]), [root.join("a/b/one")]);
        assert_eq!(files_with(&root, "WALRUS-1", &[root.join("a")]), [] as [PathBuf; 0]);
        assert_eq!(fs::metadata(&scratch.root).unwrap().permissions().mode() & 0o777, 0o700);
    }

    #[test]
    fn nothing_of_it_is_left() {
        let scratch = Scratch::new().unwrap();
        let (mark, root) = (scratch.mark(), scratch.root.clone());
        let (name, value) = mark.split_once('=').unwrap();
        let mut child = std::process::Command::new("sleep").arg("600").env(name, value).spawn().unwrap();
        wait::until("the child", Duration::from_secs(10), || {
            Ok((!process::with_environment(&mark).is_empty()).then_some(()))
        })
        .unwrap();
        drop(scratch);
        assert!(!child.wait().unwrap().success());
        assert!(process::with_environment(&mark).is_empty() && !root.exists());
    }
}
