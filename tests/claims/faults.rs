//! What goes wrong with a disk, a version or a kill in the middle of a write, on the real program: nothing that lives ends for
//! it, and what was whole before is whole after. The same faults by the thousand are in the tests of `persist`.

use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use persist::record::{Record, SessionRecord};
use persist::{Key, Kind, RealDisk, Store, frame};
use rove::protocol::{Greeting, PROTOCOL};

use super::store::{STORE, frozen, payload, screen_file, session, text_of};
use crate::harness::{Home, Tty, long, process, wait_for, wait_some};

/// Numbers that are the same for the same seed (splitmix64).
struct Random(u64);

impl Random {
    fn new() -> Random {
        let seed = std::env::var("ROVE_SEED").ok().and_then(|text| text.parse().ok());
        let seed = seed.unwrap_or_else(|| uuid::Uuid::new_v4().as_u128() as u64);
        println!("ROVE_SEED={seed}");
        Random(seed)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound.max(1)
    }
}

/// Everything that a store holds, or the words for what it can't give.
fn problems(home: &Path) -> Vec<String> {
    let mut store = Store::look(Box::new(RealDisk::default()), home).checked(persist::record::check);
    let loaded = store.load().unwrap();
    let screens = loaded.screens.iter().filter_map(|key| store.read(key).1);
    loaded
        .problems
        .iter()
        .cloned()
        .chain(screens.collect::<Vec<_>>())
        .map(|it| format!("{} {}", it.file, it.what))
        .collect()
}

#[test]
fn f2_s77_a_kill_at_any_moment_of_a_freeze_leaves_a_whole_store() {
    let mut random = Random::new();
    let home = Home::rove();
    session(&home, "work", "while read line; do echo got $line; done");
    home.ok(&["new-window", "-d", "-t", "work:7", "exec cat"]);
    let rounds = if long() { 500 } else { 25 };
    let (mut slowest, mut newer) = (Duration::ZERO, 0);
    let start = Instant::now();
    for round in 0..rounds {
        let (before, after) = (format!("n{round}"), format!("n{}", round + 1));
        home.ok(&["rename-window", "-t", "work:7", &before]);
        wait_for("the generation before", || kept_name(&home).as_deref() == Some(&before));
        let (server, host) = (home.server(), home.host_of_server());
        // The trigger, and somewhere within the 50 ms after it the end of both.
        let mut trigger = home
            .command(home.program())
            .args(["rename-window", "-t", "work:7", &after, ";", "set-buffer", &after])
            .spawn()
            .unwrap();
        let wait = Duration::from_micros(random.below(50_000));
        let from = Instant::now();
        wait_for("the moment", || from.elapsed() >= wait);
        process::signal(server, process::Signal::KILL);
        process::signal(host, process::Signal::KILL);
        trigger.wait().unwrap();
        home.crash();
        assert_eq!(problems(&home.path("home")), Vec::<String>::new(), "round {round}");
        let found = kept_name(&home).unwrap_or_default();
        assert!(found == before || found == after, "round {round}: {found}");
        newer += u32::from(found == after);
        let from = Instant::now();
        assert_eq!(home.ok(&["ls", "-F", "#{session_name}"]), "work", "round {round}");
        slowest = slowest.max(from.elapsed());
        assert_eq!(home.format("work:7", "#{window_name}"), found, "round {round}");
        let strays: Vec<PathBuf> =
            home.files("home").into_iter().filter(|file| file.extension().is_some_and(|it| it == "tmp")).collect();
        assert!(strays.is_empty(), "round {round}: {strays:?}");
    }
    println!(
        "f2: {rounds} kills in {:?}, {newer} with the newer generation, the slowest start took {slowest:?}",
        start.elapsed()
    );
    assert!(slowest < Duration::from_secs(if long() { 2 } else { 1 }), "{slowest:?}");
}

/// The name of the second window in the record of the session: of the newest generation that is whole.
fn kept_name(home: &Home) -> Option<String> {
    let (bytes, _) = Store::look(Box::new(RealDisk::default()), &home.path("home")).read(&Key::session("work"));
    let record = SessionRecord::decode(&bytes?).ok()?;
    record.windows.iter().find(|link| link.index == 7).map(|link| link.window.name.clone())
}

/// A server whose store is a disk of 1 MiB that only it and the keeper of its namespace see.
struct SmallDisk {
    home: Home,
    keeper: Child,
    server: u32,
}

impl SmallDisk {
    /// `None` where the system lets nobody mount.
    fn mount() -> Option<SmallDisk> {
        let home = Home::rove();
        let store = home.path(STORE);
        fs::create_dir_all(&store).unwrap();
        let script = format!(
            "mount -t tmpfs -o size=1m,mode=700 tmpfs '{}' || exit 7; {} new-session -d -s work -x 80 -y 24 cat || exit 8; echo ready; read line",
            store.display(),
            home.call()
        );
        let mut command = home.command("unshare");
        command.args(["-Urm", "--propagation", "private", "/bin/sh", "-c", &script]);
        let mut keeper = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().ok()?;
        let mut said = [0; 5];
        if keeper.stdout.take().unwrap().read_exact(&mut said).is_err() || &said != b"ready" {
            let _ = keeper.wait();
            return None;
        }
        let server = home.server();
        Some(SmallDisk { home, keeper, server })
    }

    /// The store as the server sees it.
    fn home_of_server(&self) -> PathBuf {
        PathBuf::from(format!("/proc/{}/root{}", self.server, self.home.path("home").display()))
    }

    fn store(&self) -> PathBuf {
        self.home_of_server().join("pty-sessions")
    }

    /// Fills the disk so that this many bytes are left.
    fn fill(&self, left: u64) {
        let mut file = fs::File::create(self.store().join("filler")).unwrap();
        while file.write_all(&[0; 4096]).is_ok() {}
        let length = file.metadata().unwrap().len();
        file.set_len(length.saturating_sub(left.next_multiple_of(4096))).unwrap();
    }

    fn free(&self) {
        fs::remove_file(self.store().join("filler")).unwrap();
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        drop(self.keeper.stdin.take());
        let _ = self.keeper.wait();
    }
}

#[test]
fn f3_a_full_disk_is_said_once_costs_nothing_and_is_made_good() {
    let Some(disk) = SmallDisk::mount() else {
        println!("f3: nobody may mount here; the same by failing calls is in the tests of persist");
        return;
    };
    let mut random = Random::new();
    let home = &disk.home;
    let mut tty = Tty::open(home, &["attach", "work"], 80, 25);
    tty.wait_until("the session", |screen| screen.alternate);
    let pane = home.pane_pid("work");
    let name = |file: &Path| {
        let record = SessionRecord::decode(&payload(Kind::Session, &file.join("work.session"))?).ok()?;
        Some(record.windows[0].window.name.clone())
    };
    let rounds = if long() { 20 } else { 4 };
    for round in 0..rounds {
        let (before, after) = (format!("before-{round}"), format!("after-{round}"));
        home.ok(&["rename-window", "-t", "work", &before]);
        wait_for("the generation before", || name(&disk.store()).as_deref() == Some(&before));
        // At most the first file of a write fits.
        disk.fill(random.below(2) * 4096);
        // Something that does not fit, however the room is shared out.
        home.ok(&["set-buffer", "-b", "large", &"x".repeat(60_000)]);
        home.ok(&["rename-window", "-t", "work", &after]);
        let error =
            wait_some("the words", || Some(home.format("work", "#{freeze_error}")).filter(|text| !text.is_empty()));
        assert!(
            error.starts_with("sessions are not being kept on disk: ") && error.contains("No space left on device"),
            "{error}"
        );
        tty.wait_text("not being kept on disk");
        let doctor = home.run(&["doctor"]);
        assert_eq!(doctor.code, 1);
        assert!(doctor.stdout.contains(&format!("BAD  disk: {error}")), "{}", doctor.stdout);
        assert_eq!(problems(&disk.home_of_server()), Vec::<String>::new(), "what is there is whole");
        assert!(name(&disk.store()).is_some_and(|name| name == before || name == after));
        let typed = format!("typed-{round}");
        tty.type_keys(&format!("{typed}\r"));
        tty.wait_until("an answer of the program", |screen| screen.text().matches(&typed).count() >= 2);
        disk.free();
        home.ok(&["set-buffer", "-b", "small", &format!("{round}")]);
        wait_for("the newer generation", || name(&disk.store()).as_deref() == Some(&after));
        wait_for("the end of the trouble", || home.format("work", "#{freeze_error}").is_empty());
        tty.wait_text("kept on disk again");
        assert!(!home.run(&["doctor"]).stdout.contains("BAD  disk"));
        let log = home.ok(&["show-messages"]);
        assert_eq!(log.matches("not being kept on disk").count(), round + 1, "once an episode: {log}");
    }
    assert_eq!((home.server(), home.pane_pid("work")), (disk.server, pane));
    println!("f3: {rounds} times full");
}

#[test]
fn f3_trouble_that_began_with_nobody_there_is_told_to_the_next_who_comes() {
    let home = Home::rove();
    session(&home, "work", "exec cat");
    wait_for("a record", || home.path(STORE).join("work.session").exists());
    fs::rename(home.path(STORE), home.path("away")).unwrap();
    fs::write(home.path(STORE), "in the way").unwrap();
    home.ok(&["rename-window", "-t", "work", "other"]);
    wait_for("the words", || !home.format("work", "#{freeze_error}").is_empty());
    let mut tty = Tty::open(&home, &["attach", "work"], 80, 25);
    tty.wait_text("not being kept on disk");
    fs::remove_file(home.path(STORE)).unwrap();
    fs::rename(home.path("away"), home.path(STORE)).unwrap();
    home.ok(&["rename-window", "-t", "work", "another"]);
    tty.wait_text("kept on disk again");
}

#[test]
fn f4_whatever_stands_in_the_place_of_a_file_the_one_before_is_used_soon_and_in_little_memory() {
    let home = Home::rove();
    session(&home, "work", "exec cat");
    let newest = home.path(STORE).join("work.session");
    wait_for("the first generation", || newest.exists());
    home.ok(&["set-option", "-t", "work", "@x", "1"]);
    wait_for("two generations", || home.path(STORE).join("work.session.old").exists());
    home.ok(&["daemon", "stop"]);
    home.wait_empty();
    let good = fs::read(&newest).unwrap();
    let plain = {
        let server = {
            home.ok(&["ls"]);
            home.server()
        };
        let peak = process::peak_rss_kb(server);
        home.ok(&["daemon", "stop"]);
        home.wait_empty();
        peak
    };
    let mut length = good.clone();
    length[8..16].copy_from_slice(&(64u64 << 30).to_le_bytes());
    let version =
        frame::encode(Kind::Session, &[&9u16.to_le_bytes()[..], &good[frame::HEADER + 2..]].concat()).unwrap();
    type Spoil = Box<dyn Fn(&Path)>;
    let put = |bytes: Vec<u8>| -> Spoil { Box::new(move |file| fs::write(file, &bytes).unwrap()) };
    let spoils: Vec<(&str, Spoil)> = vec![
        ("is empty", put(Vec::new())),
        ("is cut short", put(good[..good.len() / 2].to_vec())),
        ("is not a rove file", put(vec![0xff; 5000])),
        ("is too large", put(length)),
        ("was written by a newer rove", put(version)),
        ("is too large", Box::new(|file| fs::File::create(file).unwrap().set_len(64 << 30).unwrap())),
        ("is a symbolic link", Box::new(|file| symlink("/dev/zero", file).unwrap())),
        ("is not a regular file", Box::new(|file| fs::create_dir(file).unwrap())),
        (
            "is not a regular file",
            Box::new(|file| assert!(std::process::Command::new("mkfifo").arg(file).status().unwrap().success())),
        ),
        (
            "may not be read (its mode)",
            Box::new(|file| {
                fs::write(file, "x").unwrap();
                fs::set_permissions(file, fs::Permissions::from_mode(0o000)).unwrap();
            }),
        ),
        // Only root can give a file away.
        (
            "belongs to another user",
            Box::new(|file| {
                fs::write(file, "x").unwrap();
                let _ = std::os::unix::fs::chown(file, Some(65_534), None);
            }),
        ),
    ];
    let own = rustix::process::geteuid().is_root();
    for (words, spoil) in spoils.iter().filter(|(words, _)| own || *words != "belongs to another user") {
        let aside = home.path(STORE).join("work.session.bad");
        for file in [&newest, &aside] {
            let _ = fs::remove_dir(file).or_else(|_| fs::remove_file(file));
        }
        spoil(&newest);
        let from = Instant::now();
        let doctor = home.run(&["doctor"]);
        let looked = from.elapsed();
        let wanted = format!("BAD  kept: work.session {words}");
        let said = doctor
            .stdout
            .lines()
            .find(|line| line.starts_with(&wanted))
            .unwrap_or_else(|| panic!("{words}: {}", doctor.stdout));
        assert!(said.ends_with("; work.session.old is used"), "{said}");
        assert!(doctor.stdout.contains("session work, 1 windows"), "{}", doctor.stdout);
        let from = Instant::now();
        assert!(home.ok(&["ls"]).starts_with("work: "), "{words}");
        let started = from.elapsed();
        assert!(
            looked < Duration::from_secs(1) && started < Duration::from_secs(1),
            "{words}: {looked:?}, {started:?}"
        );
        let more = process::peak_rss_kb(home.server()).saturating_sub(plain);
        assert!(more < 64 << 10, "{words}: {more} kB");
        home.ok(&["daemon", "stop"]);
        home.wait_empty();
    }
}

#[test]
fn f22_what_a_newer_version_wrote_is_refused_with_words_and_left_alone() {
    let home = Home::rove();
    for name in ["work", "other"] {
        session(&home, name, "exec cat");
    }
    wait_for("the records", || {
        home.path(STORE).join("other.session").exists() && home.path(STORE).join("work.session").exists()
    });
    let file = home.path(STORE).join(Key::pane(&home.format("other", "#{pane_uuid}")).file_name());
    wait_for("the pane's", || file.exists());
    home.ok(&["daemon", "stop"]);
    home.wait_empty();
    let mut bytes = payload(Kind::Pane, &file).unwrap();
    bytes[..2].copy_from_slice(&9u16.to_le_bytes());
    let newer = frame::encode(Kind::Pane, &bytes).unwrap();
    fs::write(&file, &newer).unwrap();
    let _ = fs::remove_file(file.with_extension("pane.old"));
    let name = file.file_name().unwrap().to_string_lossy().into_owned();
    let words = format!("{name} was written by a newer rove (pane record version 9, this one reads up to 1)");
    assert!(home.run(&["doctor"]).stdout.contains(&words));
    let mut tty = Tty::open(&home, &["attach", "work"], 160, 25);
    tty.wait_text(&words);
    tty.type_keys("q");
    home.ok(&["daemon", "stop"]);
    home.wait_empty();
    assert_eq!(fs::read(&file).unwrap(), newer, "a newer rove finds it again");
}

/// What is said to who comes with a greeting of this protocol number.
fn greet(socket: &Path, protocol: u16) -> Vec<u8> {
    let mut stream = UnixStream::connect(socket).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    let greeting = Greeting { protocol, version: "9.9.9".to_owned(), ..Greeting::ours(1) };
    stream.write_all(&greeting.encode()).unwrap();
    let mut said = Vec::new();
    let _ = stream.read_to_end(&mut said);
    said
}

#[test]
fn f22_client_and_server_of_different_versions_say_so_and_nothing_ends() {
    let home = Home::rove();
    session(&home, "work", "exec cat");
    let (server, pane) = (home.server(), home.pane_pid("work"));
    let socket = home.path("home/run/default");
    for protocol in [PROTOCOL - 1, PROTOCOL + 1, u16::MAX] {
        let said = greet(&socket, protocol);
        assert!(said.starts_with(&Greeting::ours(server).encode()), "it is told which server this is: {said:?}");
    }
    assert_eq!((home.server(), home.pane_pid("work")), (server, pane));
    // The reverse: our client at a server of another version.
    for (protocol, words) in [
        (PROTOCOL + 1, "is newer than rove"),
        (PROTOCOL - 1, "is newer than the server (rove 9.9.9); run `rove daemon restart`"),
    ] {
        let other = Home::rove();
        let socket = other.path("home/run/default");
        fs::create_dir(other.path("home/run")).unwrap();
        fs::set_permissions(other.path("home/run"), fs::Permissions::from_mode(0o700)).unwrap();
        let listener = UnixListener::bind(&socket).unwrap();
        let greeting = Greeting { protocol, version: "9.9.9".to_owned(), ..Greeting::ours(1) }.encode();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                stream.write_all(&greeting).unwrap();
                let _ = stream.read(&mut [0; 4096]);
            }
        });
        let call = other.run(&["list-sessions"]);
        assert_eq!(call.code, 1);
        let numbers = format!("protocol version mismatch (client {PROTOCOL}, server {protocol})");
        assert!(call.stderr.contains(&numbers) && call.stderr.contains(words), "{}", call.stderr);
        let doctor = other.run(&["doctor"]);
        assert!(
            doctor.code == 1 && doctor.stdout.contains("BAD  server: protocol version mismatch"),
            "{}",
            doctor.stdout
        );
    }
}

#[test]
fn f22_a_successor_that_does_not_come_is_followed_by_the_program_of_before() {
    let home = Home::rove();
    session(&home, "work", "exec cat");
    let (server, pane) = (home.server(), home.pane_pid("work"));
    let mut tty = Tty::open(&home, &["attach", "work"], 80, 25);
    tty.wait_until("the session", |screen| screen.alternate);
    for (name, body) in [("ends", "exit 3"), ("speaks-another", "echo protocol version mismatch >&2; exit 1")] {
        let program = home.path("bin").join(name);
        fs::write(&program, format!("#!/bin/sh\necho {name} >> {}\n{body}\n", home.path("work/tried").display()))
            .unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        home.ok(&["restart-server", &program.display().to_string()]);
        wait_for("the attempt", || fs::read_to_string(home.path("work/tried")).is_ok_and(|text| text.contains(name)));
        wait_for("a server", || home.run(&["has-session", "-t", "work"]).code == 0);
        assert_ne!(home.server(), server);
        assert_eq!(home.pane_pid("work"), pane);
        tty.type_keys(&format!("after-{name}\r"));
        tty.wait_until("the program's answer", |screen| screen.text().matches(&format!("after-{name}")).count() >= 2);
    }
    assert_eq!(fs::read_to_string(home.path("work/tried")).unwrap().lines().count(), 2, "each is tried once");
}

/// Replaces what the server before leaves to the next by `change` of it.
fn next_server_finds(home: &Home, change: impl FnOnce(&mut Vec<u8>)) {
    let (server, host) = (home.server(), home.host_of_server());
    process::signal(host, process::Signal::STOP);
    process::kill(server);
    let files = fs::read_dir(format!("/proc/{host}/fd")).unwrap().flatten();
    let state = files
        .map(|entry| entry.path())
        .find(|path| fs::read_link(path).is_ok_and(|name| name.to_string_lossy().contains("memfd:rove state")))
        .expect("the host's memory of the model");
    let file = fs::OpenOptions::new().read(true).write(true).open(state).unwrap();
    let mut memory = host::StateMemory::open(file.into()).unwrap();
    let mut bytes = memory.read().unwrap().to_vec();
    change(&mut bytes);
    memory.write(&bytes).unwrap();
    process::signal(host, process::Signal::CONT);
}

#[test]
fn f22_a_model_that_can_not_be_read_ends_no_live_pane() {
    let home = Home::rove();
    session(&home, "work", "echo walrus; exec cat");
    home.ok(&["split-window", "-d", "-h", "-t", "work", "echo marmot; exec cat"]);
    home.ok(&["rename-window", "-t", "work", "mine"]);
    session(&home, "other", "echo tapir; exec cat");
    // Named by hand, as a name of its own would change from sh to cat at any moment.
    home.ok(&["rename-window", "-t", "other", "theirs"]);
    let panes = ["work:0.0", "work:0.1", "other:0.0"];
    for (pane, word) in panes.iter().zip(["walrus", "marmot", "tapir"]) {
        home.wait_screen(pane, word);
        wait_for("the screen on disk", || !home.files_with(STORE, word).is_empty());
    }
    let seen = |home: &Home| {
        panes.map(|pane| {
            (home.format(pane, "#{pane_id} #{pane_pid} #{window_layout} #{window_name}"), home.history(pane))
        })
    };
    let before = seen(&home);
    // This was printed after the disk had it, and is in no file.
    home.ok(&["send-keys", "-t", "work:0.0", "newest", "Enter"]);
    home.wait_screen("work:0.0", "newest\nnewest");
    next_server_finds(&home, |bytes| bytes[..2].copy_from_slice(&9u16.to_le_bytes()));
    wait_for("a server", || home.run(&["has-session", "-t", "work"]).code == 0);
    let after = seen(&home);
    assert_eq!(before.each_ref().map(|it| &it.0), after.each_ref().map(|it| &it.0), "each where the disk knows it");
    assert!(after[0].1.contains("newest\nnewest"), "{}", after[0].1);
    assert_eq!(
        before[1..].iter().map(|it| &it.1).collect::<Vec<_>>(),
        after[1..].iter().map(|it| &it.1).collect::<Vec<_>>()
    );
    let mut tty = Tty::open(&home, &["attach", "other"], 200, 25);
    tty.wait_text(&format!(
        "was written by a newer rove (state version 9, this one reads up to {}); 3 running programs go on",
        persist::state::VERSION
    ));
    tty.type_keys("q");
    tty.wait_text("tapir");
    home.ok(&["send-keys", "-t", "work:0.0", "later", "Enter"]);
    home.wait_screen("work:0.0", "later\nlater");
}

#[test]
fn f22_without_a_disk_live_panes_of_an_unreadable_model_are_in_a_session_of_their_own() {
    let home = Home::tmux();
    session(&home, "work", "echo walrus; exec cat");
    home.ok(&["split-window", "-d", "-h", "-t", "work", "echo marmot; exec cat"]);
    home.wait_screen("work:0.0", "walrus");
    home.wait_screen("work:0.1", "marmot");
    let pids: Vec<u32> = ["work:0.0", "work:0.1"].map(|pane| home.pane_pid(pane)).to_vec();
    next_server_finds(&home, |bytes| bytes.truncate(7));
    wait_for("a server", || home.run(&["has-session", "-t", "recovered"]).code == 0);
    let found: Vec<u32> = home
        .ok(&["list-panes", "-s", "-t", "recovered", "-F", "#{pane_pid}"])
        .lines()
        .map(|pid| pid.parse().unwrap())
        .collect();
    assert_eq!(found, pids);
    home.wait_screen("recovered:0", "walrus");
    home.wait_screen("recovered:1", "marmot");
    home.ok(&["send-keys", "-t", "recovered:1", "alive", "Enter"]);
    home.wait_screen("recovered:1", "alive\nalive");
    let mut tty = Tty::open(&home, &["attach", "-t", "recovered"], 160, 25);
    tty.wait_text("holds no readable state; 2 running programs go on, 2 panes are in session recovered");
    // The server after that one knows them like any other.
    process::kill(home.server());
    wait_for("a server", || home.run(&["has-session", "-t", "recovered"]).code == 0);
    assert_eq!(home.pane_pid("recovered:1"), pids[1]);
}

/// The programs hear TERM a moment before the server does, as at a shutdown. How long that moment was.
fn shut_down(home: &Home) -> Duration {
    for name in ["one", "two", "three"] {
        session(home, name, "echo walrus; exec cat");
        home.wait_screen(name, "walrus");
    }
    let pids = ["one", "two", "three"].map(|name| home.pane_pid(name));
    let server = home.server();
    let start = Instant::now();
    pids.iter().for_each(|pid| process::signal(*pid, process::Signal::TERM));
    wait_for("the end of the programs", || !pids.iter().any(|pid| process::alive(*pid)));
    process::signal(server, process::Signal::TERM);
    let moment = start.elapsed();
    home.wait_empty();
    moment
}

#[test]
fn a_machine_that_shuts_down_closes_no_pane() {
    // On a busy machine this test may itself be too slow to be such a shutdown.
    let quick = (0..20).find_map(|_| {
        let home = Home::rove();
        (shut_down(&home) < Duration::from_millis(200)).then_some(home)
    });
    let home = quick.expect("a quick round");
    assert_eq!(home.ok(&["ls", "-F", "#{session_name}"]).lines().collect::<Vec<_>>(), ["one", "three", "two"]);
    let file = screen_file(&home, "one");
    assert!(text_of(&frozen(&file).unwrap(), false).contains("walrus"));
    // And one that is ended so by hand does close.
    session(&home, "four", "exec cat");
    process::signal(home.pane_pid("four"), process::Signal::TERM);
    wait_for("the end of its session", || home.run(&["has-session", "-t", "four"]).code == 1);
}
