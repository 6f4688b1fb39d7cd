//! Other users of the machine: none, readers and writers, by their real user ids.

use crate::harness::{Home, Tty, wait_for};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Output, Stdio};

/// The user called nobody.
const NOBODY: u32 = 65534;

/// A server of ours at a socket that everybody may connect to, and a program that everybody may run.
struct Shared {
    home: Home,
    folder: PathBuf,
}

impl Shared {
    /// `None`, with a word about it, where this process can't become another user.
    fn new() -> Option<Shared> {
        if !rustix::process::getuid().is_root() {
            eprintln!(
                "not run: only root can be another user; the tests in mux/src/access do the same with a made-up one"
            );
            return None;
        }
        let home = Home::tmux();
        let folder =
            std::env::temp_dir().join(format!("rove-users-{}", &uuid::Uuid::new_v4().simple().to_string()[..8]));
        std::fs::create_dir(&folder).unwrap();
        let open = |path: &PathBuf, mode| std::fs::set_permissions(path, PermissionsExt::from_mode(mode)).unwrap();
        open(&folder, 0o755);
        let shared = Shared { home, folder };
        std::fs::copy(shared.home.program(), shared.program()).unwrap();
        open(&shared.program(), 0o755);
        shared.ours(&["new-session", "-d", "-s", "main", "-n", "win", "-x", "80", "-y", "24", "cat"]);
        open(&shared.socket(), 0o666);
        Some(shared)
    }

    fn socket(&self) -> PathBuf {
        self.folder.join("socket")
    }

    fn program(&self) -> PathBuf {
        self.folder.join("tmux")
    }

    fn ours(&self, words: &[&str]) -> String {
        let socket = self.socket().display().to_string();
        self.home.ok(&[&["-S", &socket], words].concat())
    }

    /// A call of the other user, with something on its standard input.
    fn theirs(&self, words: &[&str], stdin: &str) -> (i32, String, String) {
        let mut command = std::process::Command::new(self.program());
        command.env_clear().env("PATH", "/usr/bin:/bin").env("TERM", "xterm-256color").env("LANG", "C.UTF-8");
        command.arg("-S").arg(self.socket()).args(words).current_dir("/").uid(NOBODY).gid(NOBODY);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // Who is turned away may be gone before it could read.
        let _ = std::io::Write::write_all(&mut child.stdin.take().expect("piped"), stdin.as_bytes());
        let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).trim_end().to_owned();
        (status.code().unwrap_or(-1), text(stdout), text(stderr))
    }

    fn windows(&self) -> usize {
        self.ours(&["list-windows", "-t", "main"]).lines().count()
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        let socket = self.socket().display().to_string();
        self.home.run(&["-S", &socket, "kill-server"]);
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Commands that change something, and what shows that they did.
const WRITES: [(&[&str], &str); 7] = [
    (&["set-option", "-g", "@x", "1"], "#{@x}"),
    (&["rename-window", "-t", "%0", "theirs"], "#{window_name}"),
    (&["rename-session", "-t", "$0", "theirs"], "#{session_name}"),
    (&["set-environment", "-g", "WRITTEN", "1"], "#{WRITTEN}"),
    (&["send-keys", "-t", "%0", "typed"], "#{cursor_x}"),
    (&["split-window", "-d", "-t", "%0", "cat"], "#{window_panes}"),
    (&["if-shell", "-F", "1", "set-option -g @y 1"], "#{@y}"),
];

#[test]
fn who_is_not_let_in_gets_nothing() {
    let Some(shared) = Shared::new() else { return };
    for words in [&["list-sessions"][..], &["new-window"], &["attach-session"], &["kill-server"]] {
        let (code, stdout, stderr) = shared.theirs(words, "");
        assert_eq!((code, stdout.as_str(), stderr.as_str()), (1, "", "access not allowed"), "{words:?}");
    }
    let (code, stdout, _) = shared.theirs(&["-C", "attach"], "new-window\n");
    assert_eq!((code, stdout.as_str()), (1, "%exit access not allowed"));
    assert_eq!(shared.windows(), 1);
}

#[test]
fn a_reader_reads_and_a_writer_writes() {
    let Some(shared) = Shared::new() else { return };
    shared.ours(&["set-hook", "-g", "after-show-options", "set-option -g @hooked 1"]);
    shared.ours(&["server-access", "-r", "nobody"]);
    assert!(shared.ours(&["server-access", "-l"]).contains("nobody (R)"));
    let seen = |format: &str| shared.ours(&["display-message", "-p", "-t", "%0", format]);
    for (words, format) in WRITES {
        let before = seen(format);
        let refused = shared.theirs(words, "");
        assert_eq!((refused.0, refused.2.as_str()), (1, "client is read-only"), "{words:?}");
        let line = words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" ");
        let lines = shared.theirs(&["-C", "attach", "-t", "main"], &format!("{line}\nif-shell -F 1 {{ {line} }}\n"));
        assert!(lines.1.contains("client is read-only") && lines.1.contains("%error"), "{lines:?}");
        assert_eq!(seen(format), before, "{words:?}");
    }
    shared.theirs(&["show-options", "-g", "prefix"], "");
    assert_eq!(seen("#{@hooked}"), "");
    for (words, wanted) in [
        (&["list-windows", "-F", "#{window_name}"][..], "win"),
        (&["show-options", "-g", "prefix"], "prefix C-b"),
        (&["display-message", "-p", "#{session_name}#(touch /tmp/never)"], "main"),
        (&["capture-pane", "-p", "-t", "main:0"], ""),
    ] {
        assert_eq!(shared.theirs(words, ""), (0, wanted.to_owned(), String::new()), "{words:?}");
    }
    assert!(!std::path::Path::new("/tmp/never").exists());
    shared.ours(&["server-access", "-w", "nobody"]);
    for (words, format) in WRITES {
        let before = shared.ours(&["display-message", "-p", "-t", "%0", format]);
        assert_eq!(shared.theirs(words, ""), (0, String::new(), String::new()), "{words:?}");
        wait_for("the change to be seen", || shared.ours(&["display-message", "-p", "-t", "%0", format]) != before);
    }
}

#[test]
fn a_reader_sees_the_screen_and_its_keys_go_nowhere() {
    let Some(shared) = Shared::new() else { return };
    if !std::path::Path::new("/usr/bin/setpriv").exists() {
        eprintln!("not run: there is no setpriv to become another user in a terminal with");
        return;
    }
    shared.ours(&["server-access", "-r", "nobody"]);
    shared.ours(&["bind-key", "-n", "F5", "new-window"]);
    shared.ours(&["send-keys", "-t", "main:0", "what is seen"]);
    let mut tty = Tty::open_shell(&shared.home, 80, 24);
    let become_nobody = format!("/usr/bin/setpriv --reuid {NOBODY} --regid {NOBODY} --clear-groups");
    let call = format!("{} -S {}", shared.program().display(), shared.socket().display());
    tty.type_keys(&format!("{become_nobody} {call} attach; echo left $?\r"));
    tty.wait_text("what is seen");
    tty.type_keys("typed\x1b[15~\x02c\x02:kill-server\r\x02%");
    // The keys have been taken when the last of them has done its work.
    tty.type_keys("\x02d");
    tty.wait_text("left 0");
    assert_eq!((shared.windows(), shared.ours(&["list-panes", "-t", "main"]).lines().count()), (1, 1));
    assert!(!shared.ours(&["capture-pane", "-p", "-t", "main:0"]).contains("typed"));
    shared.ours(&["server-access", "-d", "nobody"]);
    assert_eq!(shared.theirs(&["list-sessions"], "").2, "access not allowed");
}
