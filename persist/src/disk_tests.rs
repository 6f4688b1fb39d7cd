//! The store on a real directory: modes, and files that are not ours.

use super::RealDisk;
use crate::frame;
use crate::key::{Key, Kind};
use crate::store::{DIRECTORY, Entry, Store, StoreError};
use std::fs;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};

const ALWAYS: &dyn Fn() -> bool = &|| true;

/// A directory of its own for a test on the real disk, removed at the end.
struct Home(PathBuf);

impl Home {
    fn new(name: &str) -> Home {
        let path = std::env::temp_dir().join(format!("persist-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        Home(path)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(DIRECTORY).join(name)
    }

    fn open(&self) -> Result<Store, StoreError> {
        Store::open(Box::new(RealDisk::default()), &self.0, 0)
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn the_real_disk_keeps_values_and_modes() {
    let home = Home::new("modes");
    let mut store = home.open().unwrap();
    store.write(&Key::pane("p"), b"one", ALWAYS).unwrap();
    store.write(&Key::pane("p"), b"two", ALWAYS).unwrap();
    store.write(&crate::exits::key(), b"[]\n", ALWAYS).unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o7777;
    assert_eq!(mode(&home.file("")), 0o700);
    assert_eq!((mode(&home.file("p.pane")), mode(&home.file("p.pane.old"))), (0o600, 0o600));
    assert_eq!(fs::read(home.0.join("pty-exits.json")).unwrap(), b"[]\n");
    let mut again = home.open().unwrap();
    assert_eq!(again.load().unwrap().entries, [Entry { key: Key::pane("p"), payload: b"two".to_vec() }]);
    again.delete(&Key::pane("p")).unwrap();
    assert_eq!(fs::read_dir(home.file("")).unwrap().count(), 0);
}

#[test]
fn what_is_no_file_of_ours_is_refused_without_hanging() {
    let home = Home::new("hostile");
    let mut store = home.open().unwrap();
    let good = frame::encode(Kind::Pane, b"good").unwrap();
    fs::write(home.file("good.pane"), &good).unwrap();
    symlink(home.file("good.pane"), home.file("link.pane")).unwrap();
    fs::DirBuilder::new().mode(0o700).create(home.file("directory.pane")).unwrap();
    rustix::fs::mknodat(rustix::fs::CWD, home.file("fifo.pane"), rustix::fs::FileType::Fifo, rustix::fs::Mode::RUSR, 0)
        .unwrap();
    fs::write(home.file("mode.pane"), &good).unwrap();
    fs::set_permissions(home.file("mode.pane"), fs::Permissions::from_mode(0o000)).unwrap();
    let huge = fs::File::create(home.file("huge.pane")).unwrap();
    huge.set_len(64 << 30).unwrap();
    fs::write(home.file("owner.pane"), &good).unwrap();
    // Only root can give a file away.
    let given = std::os::unix::fs::chown(home.file("owner.pane"), Some(65_534), None).is_ok();
    let loaded = store.load().unwrap();
    let mut expected = vec![
        ("directory.pane", "is not a regular file"),
        ("fifo.pane", "is not a regular file"),
        ("huge.pane", "is too large"),
        ("link.pane", "is a symbolic link"),
        ("mode.pane", "may not be read (its mode)"),
    ];
    if given {
        expected.push(("owner.pane", "belongs to another user"));
    }
    let said: Vec<(&str, &str)> = loaded.problems.iter().map(|one| (&*one.file, &*one.what)).collect();
    assert_eq!(said, expected);
    assert_eq!(loaded.entries.len(), if given { 1 } else { 2 });
}

#[test]
fn a_directory_that_is_not_ours_is_refused() {
    let home = Home::new("directory");
    let directory = || home.0.join(DIRECTORY);
    fs::create_dir(&home.0).unwrap();
    symlink("/tmp", directory()).unwrap();
    let error = home.open().err().unwrap().to_string();
    assert!(error.ends_with("pty-sessions: is not a directory"), "{error}");
    fs::remove_file(directory()).unwrap();
    fs::DirBuilder::new().mode(0o777).create(directory()).unwrap();
    home.open().unwrap();
    assert_eq!(fs::metadata(directory()).unwrap().permissions().mode() & 0o777, 0o700);
}
