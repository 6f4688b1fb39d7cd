//! Where sockets and homes are, for both faces, and whether a socket's directory can be trusted. Makes those directories
//! and opens nothing.

// It looks at the file system's directories; the environment comes in.
#![allow(clippy::disallowed_methods)]

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

/// The longest path that fits a socket's address, in bytes.
pub const SOCKET_PATH_LIMIT: usize = 107;

/// The name a program was called by decides which it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Face {
    /// tmux 3.7c.
    Tmux,
    /// rove.
    Rove,
}

/// Reads the environment.
pub type Env<'a> = &'a dyn Fn(&str) -> Option<OsString>;

/// A server's socket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SocketPath {
    /// Where it is.
    pub path: PathBuf,
    /// It is in a directory that was made or checked here, so nobody else put things there.
    pub private: bool,
}

/// Why there is no place for a socket. Texts are tmux's.
#[derive(Debug, thiserror::Error)]
pub enum PathError {
    /// Neither of the directories exists.
    #[error("no suitable socket path")]
    Nowhere,
    /// mkdir failed.
    #[error("couldn't create directory {} ({})", .0.display(), super::words(.1))]
    Create(PathBuf, io::Error),
    /// lstat failed.
    #[error("couldn't read directory {} ({})", .0.display(), super::words(.1))]
    Read(PathBuf, io::Error),
    /// It is a file, or a link.
    #[error("{} is not a directory", .0.display())]
    NotDirectory(PathBuf),
    /// It is somebody else's, or others may write in it.
    #[error("directory {} has unsafe permissions", .0.display())]
    Unsafe(PathBuf),
}

/// Finds the socket: `-S`, else `-L`, else the server this process runs in, else `default`.
pub fn socket(
    face: Face,
    path: Option<&OsStr>,
    label: Option<&OsStr>,
    env: Env<'_>,
    uid: u32,
) -> Result<SocketPath, PathError> {
    if let Some(path) = path {
        return Ok(SocketPath { path: path.into(), private: false });
    }
    if label.is_none()
        && let Some(path) = surrounding(face, env, uid)
    {
        return Ok(SocketPath { path, private: false });
    }
    let label = label.unwrap_or(OsStr::new("default"));
    let path = match face {
        Face::Tmux => tmux_directory(env, uid)?.join(label),
        Face::Rove => rove_directory(label, env, uid)?.join(label),
    };
    Ok(SocketPath { path, private: true })
}

/// The socket of the server whose pane this process is in. As tmux that is `TMUX`; as rove only if that server is
/// rove's: it has set `ROVE` to the same, or its socket is in one of rove's directories.
fn surrounding(face: Face, env: Env<'_>, uid: u32) -> Option<PathBuf> {
    let first = |name: &str| {
        let value = env(name)?.into_vec();
        let field = value.split(|byte| *byte == b',').next()?;
        (!field.is_empty()).then(|| PathBuf::from(OsStr::from_bytes(field)))
    };
    match face {
        Face::Tmux => first("TMUX"),
        Face::Rove => first("ROVE").filter(|path| path.is_absolute()).or_else(|| {
            let path = first("TMUX")?;
            let directory = path.parent()?;
            rove_directories(env, uid).iter().any(|it| it == directory).then_some(path)
        }),
    }
}

/// `$TMUX_TMPDIR/tmux-UID` or `/tmp/tmux-UID`.
fn tmux_directory(env: Env<'_>, uid: u32) -> Result<PathBuf, PathError> {
    let own = env("TMUX_TMPDIR").map(PathBuf::from);
    let bases = own.into_iter().chain([PathBuf::from("/tmp/")]);
    let base = bases.filter_map(|base| base.canonicalize().ok()).next().ok_or(PathError::Nowhere)?;
    // As tmux does, which lets a group in that somebody has opened the directory to by hand.
    private_directory(base.join(format!("tmux-{uid}")), uid, 0o007)
}

fn rove_directory(label: &OsStr, env: Env<'_>, uid: u32) -> Result<PathBuf, PathError> {
    let fits = |directory: &Path| directory.join(label).as_os_str().len() <= SOCKET_PATH_LIMIT;
    let candidates = rove_directories(env, uid);
    let chosen = candidates.iter().find(|directory| fits(directory)).or(candidates.last()).ok_or(PathError::Nowhere)?;
    private_directory(chosen.clone(), uid, 0o077)
}

/// Where rove's sockets may be, best first.
fn rove_directories(env: Env<'_>, uid: u32) -> Vec<PathBuf> {
    let absolute = |name: &str| env(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let temporary = absolute("TMPDIR").filter(|path| path.is_dir()).unwrap_or_else(|| PathBuf::from("/tmp"));
    if let Some(home) = own_home(env) {
        let short = temporary.join(format!("rove-{uid}-{:016x}", hash(home.as_os_str().as_bytes())));
        return vec![home.join("run"), short];
    }
    let runtime = absolute("XDG_RUNTIME_DIR").filter(|path| path.metadata().is_ok_and(|it| it.uid() == uid));
    let runtime = runtime.map(|path| path.join("rove"));
    runtime.into_iter().chain([temporary.join(format!("rove-{uid}"))]).collect()
}

/// `ROVE_HOME_DIR`, made absolute by the caller's shell or not believed.
fn own_home(env: Env<'_>) -> Option<PathBuf> {
    env("ROVE_HOME_DIR").filter(|home| !home.is_empty()).map(PathBuf::from).filter(|home| home.is_absolute())
}

/// Where rove keeps what lasts: `ROVE_HOME_DIR`, else `~/.rove`. `None` without a home.
pub fn rove_home(env: Env<'_>) -> Option<PathBuf> {
    own_home(env).or_else(|| Some(PathBuf::from(env("HOME").filter(|home| !home.is_empty())?).join(".rove")))
}

/// FNV-1a.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Makes a directory with mode 0700 unless it is there, and makes sure that it is one, ours, and has none of the
/// `forbidden` permissions. Never follows a link at its end.
pub fn private_directory(path: PathBuf, uid: u32, forbidden: u32) -> Result<PathBuf, PathError> {
    let found = match path.symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            make_private(&path, uid)?;
            path.symlink_metadata()
        }
        result => result,
    };
    match found {
        Err(error) => Err(PathError::Read(path, error)),
        Ok(it) if !it.is_dir() => Err(PathError::NotDirectory(path)),
        Ok(it) if it.uid() != uid || it.mode() & forbidden != 0 => Err(PathError::Unsafe(path)),
        Ok(_) => Ok(path),
    }
}

fn make_private(path: &Path, uid: u32) -> Result<(), PathError> {
    let mut builder = std::fs::DirBuilder::new();
    let builder = builder.mode(0o700);
    match builder.create(path) {
        // The home of rove itself, on its first start.
        Err(error) if error.kind() == io::ErrorKind::NotFound && path.ends_with("run") => {
            let home = path.parent().ok_or(PathError::Nowhere)?;
            private_directory(home.to_owned(), uid, 0o022)?;
            builder.create(path).map_err(|error| PathError::Create(path.to_owned(), error))
        }
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(PathError::Create(path.to_owned(), error)),
        _ => Ok(()),
    }
}

/// The directory a process is in, by the name its shell uses for it if `PWD` is that directory, else by the system's.
pub fn working_directory(env: Env<'_>) -> Option<PathBuf> {
    let here = Path::new(".").metadata().ok();
    let same = |path: &PathBuf| {
        let there = path.metadata().ok();
        here.as_ref()
            .zip(there.as_ref())
            .is_some_and(|(here, there)| (here.dev(), here.ino()) == (there.dev(), there.ino()))
    };
    let named = env("PWD").map(PathBuf::from).filter(|path| path.is_absolute() && same(path));
    named.or_else(|| std::env::current_dir().ok())
}

#[cfg(test)]
mod tests {
    use std::fs::Permissions;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    fn uid() -> u32 {
        rustix::process::getuid().as_raw()
    }

    /// A directory of this test's own, gone at its end.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str) -> Scratch {
            let path = std::env::temp_dir().join(format!("rove-paths-{}-{name}", std::process::id()));
            let _ = std::fs::remove_dir_all(&path);
            std::fs::DirBuilder::new().mode(0o700).create(&path).unwrap();
            Scratch(path.canonicalize().unwrap())
        }
        fn join(&self, name: &str) -> PathBuf {
            self.0.join(name)
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    fn find(face: Face, label: Option<&str>, variables: &[(&str, &Path)]) -> Result<SocketPath, PathError> {
        let env =
            |name: &str| variables.iter().find(|(it, _)| *it == name).map(|(_, value)| value.as_os_str().to_owned());
        socket(face, None, label.map(OsStr::new), &env, uid())
    }

    #[test]
    fn as_tmux() {
        let scratch = Scratch::new("tmux");
        let directory = scratch.join(&format!("tmux-{}", uid()));
        let set: (&str, &Path) = ("TMUX_TMPDIR", &scratch.0);
        let found = find(Face::Tmux, None, &[set]).unwrap();
        assert_eq!(found, SocketPath { path: directory.join("default"), private: true });
        assert_eq!(directory.metadata().unwrap().mode() & 0o777, 0o700);
        assert_eq!(find(Face::Tmux, Some("work"), &[set]).unwrap().path, directory.join("work"));
        // TMUX counts, unless a name is given or it is empty.
        let inside: (&str, &Path) = ("TMUX", Path::new("/somewhere/s,12,0"));
        assert_eq!(find(Face::Tmux, None, &[set, inside]).unwrap().path, Path::new("/somewhere/s"));
        assert_eq!(find(Face::Tmux, Some("x"), &[set, inside]).unwrap().path, directory.join("x"));
        for empty in ["", ",12,0"] {
            assert_eq!(
                find(Face::Tmux, None, &[set, ("TMUX", Path::new(empty))]).unwrap().path,
                directory.join("default")
            );
        }
    }

    #[test]
    fn a_missing_tmpdir_gives_slash_tmp() {
        let found =
            find(Face::Tmux, Some("rove-paths-test"), &[("TMUX_TMPDIR", Path::new("/does/not/exist"))]).unwrap();
        assert_eq!(found.path, Path::new(&format!("/tmp/tmux-{}/rove-paths-test", uid())));
    }

    #[test]
    fn as_rove() {
        let scratch = Scratch::new("rove");
        let runtime: (&str, &Path) = ("XDG_RUNTIME_DIR", &scratch.0);
        assert_eq!(find(Face::Rove, None, &[runtime]).unwrap().path, scratch.join("rove/default"));
        let temporary: (&str, &Path) = ("TMPDIR", &scratch.0);
        let directory = scratch.join(&format!("rove-{}", uid()));
        assert_eq!(find(Face::Rove, None, &[temporary]).unwrap().path, directory.join("default"));
        let home = scratch.join("home");
        assert_eq!(find(Face::Rove, Some("a"), &[("ROVE_HOME_DIR", &home)]).unwrap().path, home.join("run/a"));
        // A home too deep for a socket's address.
        let deep = scratch.join(&"deep".repeat(30));
        let found = find(Face::Rove, None, &[("ROVE_HOME_DIR", &deep), temporary]).unwrap().path;
        assert!(found.starts_with(&scratch.0) && !found.starts_with(&deep) && found.ends_with("default"), "{found:?}");
    }

    #[test]
    fn rove_in_a_pane_of_tmux_is_not_inside_rove() {
        let scratch = Scratch::new("nested");
        let temporary: (&str, &Path) = ("TMPDIR", &scratch.0);
        let own = scratch.join(&format!("rove-{}", uid()));
        let tmux: (&str, &Path) = ("TMUX", Path::new("/tmp/tmux-0/default,3,0"));
        assert_eq!(find(Face::Rove, None, &[temporary, tmux]).unwrap().path, own.join("default"));
        let inside = own.join("other,3,0");
        assert_eq!(find(Face::Rove, None, &[temporary, ("TMUX", &inside)]).unwrap().path, own.join("other"));
        let rove: (&str, &Path) = ("ROVE", Path::new("/a/socket,3,0"));
        assert_eq!(find(Face::Rove, None, &[temporary, tmux, rove]).unwrap().path, Path::new("/a/socket"));
        assert_eq!(find(Face::Rove, None, &[temporary, ("ROVE", Path::new("1"))]).unwrap().path, own.join("default"));
    }

    #[test]
    fn directories_that_cannot_be_trusted() {
        let scratch = Scratch::new("unsafe");
        let directory = scratch.join(&format!("tmux-{}", uid()));
        let error = || find(Face::Tmux, None, &[("TMUX_TMPDIR", &scratch.0)]).unwrap_err().to_string();
        std::fs::write(&directory, "").unwrap();
        assert_eq!(error(), format!("{} is not a directory", directory.display()));
        std::fs::remove_file(&directory).unwrap();
        symlink("/tmp", &directory).unwrap();
        assert_eq!(error(), format!("{} is not a directory", directory.display()));
        std::fs::remove_file(&directory).unwrap();
        std::fs::create_dir(&directory).unwrap();
        std::fs::set_permissions(&directory, Permissions::from_mode(0o777)).unwrap();
        assert_eq!(error(), format!("directory {} has unsafe permissions", directory.display()));
        // tmux lets a group in; rove does not.
        std::fs::set_permissions(&directory, Permissions::from_mode(0o770)).unwrap();
        assert!(find(Face::Tmux, None, &[("TMUX_TMPDIR", &scratch.0)]).is_ok());
        let rove = private_directory(directory.clone(), uid(), 0o077).unwrap_err().to_string();
        assert_eq!(rove, format!("directory {} has unsafe permissions", directory.display()));
        let foreign = private_directory(directory.clone(), uid() + 1, 0).unwrap_err();
        assert!(matches!(foreign, PathError::Unsafe(_)));
        let nowhere = private_directory(scratch.join("a/b"), uid(), 0o077).unwrap_err().to_string();
        let path = scratch.join("a/b");
        assert_eq!(nowhere, format!("couldn't create directory {} (No such file or directory)", path.display()));
    }

    #[test]
    fn the_shells_name_of_a_directory_counts_only_if_it_is_that_directory() {
        let scratch = Scratch::new("pwd");
        let link = scratch.join("link");
        symlink(std::env::current_dir().unwrap(), &link).unwrap();
        let ask = |value: &Path| working_directory(&|name| (name == "PWD").then(|| value.as_os_str().to_owned()));
        assert_eq!(ask(&link), Some(link.clone()));
        assert_eq!(ask(&scratch.0), Some(std::env::current_dir().unwrap()));
        assert_eq!(ask(Path::new(".")), Some(std::env::current_dir().unwrap()));
    }

    #[test]
    fn homes() {
        let home = |variables: &'static [(&str, &str)]| {
            rove_home(&|name| variables.iter().find(|it| it.0 == name).map(|it| it.1.into()))
        };
        assert_eq!(home(&[("HOME", "/home/u")]), Some("/home/u/.rove".into()));
        assert_eq!(home(&[("HOME", "/home/u"), ("ROVE_HOME_DIR", "/r")]), Some("/r".into()));
        assert_eq!(home(&[]), None);
    }
}
