//! Too much, too long, too many: the server lives and its memory stays bounded. `ROVE_LONG=1` takes ten times as much.

use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::harness::{Control, Home, long, observe_for, process, wait_for};

/// What the server may have grown by in these tests, in kB: a history of 2000 lines, a ring, and room for the allocator.
const GROWTH_KB: u64 = 64 * 1024;

fn megabytes() -> u64 {
    if long() { 100 } else { 10 }
}

fn home_with(face: fn() -> Home) -> Home {
    let home = face();
    home.ok(&["new-session", "-d", "-s", "main", "-x", "80", "-y", "24"]);
    home.wait_screen("main", "$");
    home
}

/// Runs a shell line in a fresh pane until it says that it is done; gives the server's growth in kB.
fn flood(home: &Home, line: &str) -> u64 {
    let (server, start) = (home.server(), Instant::now());
    let before = process::rss_kb(server);
    let done = home.path("work/done");
    let _ = std::fs::remove_file(&done);
    home.ok(&["respawn-pane", "-k", "-t", "main", &format!("{line}; touch {}; exec sleep 1000", done.display())]);
    let ended = |limit: Duration| {
        let start = Instant::now();
        while !done.exists() && start.elapsed() < limit {
            assert!(process::alive(server), "the server ended");
            home.ok(&["display-message", "-p", "alive"]);
        }
        done.exists()
    };
    assert!(ended(Duration::from_secs(200)), "{line} is not done");
    home.ok(&["display-message", "-p", "alive"]);
    assert_eq!(home.server(), server);
    let grown = process::rss_kb(server).saturating_sub(before);
    println!(
        "{line}: {:?}, the server grew by {grown} kB, at most it had {} kB",
        start.elapsed(),
        process::peak_rss_kb(server)
    );
    grown
}

#[test]
fn f10_random_bytes_leave_the_server_alive_and_small() {
    let home = home_with(Home::tmux);
    let answers = home.path("work/answers");
    let reader = format!(
        "stty raw -echo; exec 3<&0; cat <&3 >{} & head -c {}000000 /dev/urandom",
        answers.display(),
        megabytes()
    );
    let grown = flood(&home, &reader);
    assert!(grown < GROWTH_KB, "{grown} kB");
    let answered = std::fs::metadata(&answers).map_or(0, |data| data.len());
    println!("{answered} bytes of answers");
    assert!(answered < megabytes() * 10_000, "at most a hundredth is answered: {answered}");
    home.ok(&["capture-pane", "-p", "-e", "-S", "-", "-t", "main"]);
    home.ok(&["respawn-pane", "-k", "-t", "main"]);
    home.wait_screen("main", "$");
}

#[test]
fn f11_a_line_without_an_end_leaves_the_server_alive_and_small() {
    let home = home_with(Home::tmux);
    let grown = flood(&home, &format!("head -c {}000000 /dev/zero | tr '\\0' x", megabytes()));
    assert!(grown < GROWTH_KB, "{grown} kB");
    let start = Instant::now();
    home.ok(&["resize-window", "-t", "main", "-x", "133", "-y", "40"]);
    println!("a resize took {:?}", start.elapsed());
    assert!(start.elapsed() < Duration::from_secs(3));
}

#[test]
fn f11_many_marks_links_and_a_long_title() {
    let home = home_with(Home::tmux);
    let file = home.path("work/bytes");
    let mut bytes = b"e".to_vec();
    (0..200_000).for_each(|_| bytes.extend("\u{301}".as_bytes()));
    (0..20_000)
        .for_each(|number| bytes.extend(format!("\u{1b}]8;;http://host/{number}\u{7}x\u{1b}]8;;\u{7}").into_bytes()));
    bytes.extend(b"\x1b]2;");
    bytes.extend(vec![b't'; 65_000]);
    bytes.extend(b"\x07\x1b[999999999;999999999H\x1b[99999999999999L\x1b[4294967295b\x1b[2147483647S\x1bP");
    bytes.extend(vec![b'q'; 3_000_000]);
    bytes.extend(b"\x1b\\ end");
    std::fs::write(&file, bytes).unwrap();
    let grown = flood(&home, &format!("cat {}", file.display()));
    assert!(grown < GROWTH_KB, "{grown} kB");
    assert!(home.format("main", "#{pane_title}").len() <= 70_000);
}

#[test]
fn f9_random_control_lines_are_each_answered_and_nothing_else() {
    let home = home_with(Home::tmux);
    let mut control = Control::open(&home, &["attach", "-t", "main"]);
    let server = home.server();
    let before = process::rss_kb(server);
    let mut input = control.take_input();
    let mut random = Random(0x5eed);
    let writer = std::thread::spawn(move || {
        for _ in 0..10_000 {
            let length = random.below(60) + 1;
            let mut line: Vec<u8> =
                (0..length).map(|_| random.byte()).filter(|byte| !matches!(byte, 0 | b'\n')).collect();
            // The lines must not end the client or the server by luck, and no shell is started.
            line.insert(0, b'z');
            line.push(b'\n');
            input.write_all(&line).unwrap();
        }
        input.write_all(b"display-message -p the-end\n").unwrap();
        input
    });
    let start = Instant::now();
    let mut blocks = 0_u32;
    while !control.block().lines.iter().any(|line| line.contains("the-end")) {
        blocks += 1;
    }
    let _input = writer.join().unwrap();
    let grown = process::rss_kb(server).saturating_sub(before);
    println!("{blocks} blocks in {:?}, the server grew by {grown} kB", start.elapsed());
    assert!(blocks > 1000 && grown < GROWTH_KB);
    assert_eq!(home.server(), server);
}

#[test]
fn f9_deep_and_long_command_lines_are_refused_or_done() {
    let home = home_with(Home::tmux);
    let server = home.server();
    let lines = [
        "{".repeat(100_000),
        format!("display-message -p {}", "x".repeat(1_000_000)),
        "display-message -p a ; ".repeat(20_000),
        format!("display-message -p '{}'", "#{?".repeat(50_000)),
        format!("display-message -p '{}'", "#{E:".repeat(50_000)),
        format!("if-shell -F 1 {}", "{ if-shell -F 1 ".repeat(5_000)),
        "%if 1\n".repeat(5_000),
    ];
    for line in lines {
        let file = home.path("work/line.conf");
        std::fs::write(&file, &line).unwrap();
        let call = home.run(&["source-file", &file.display().to_string()]);
        assert!(matches!(call.code, 0 | 1), "{:?}: {}", &line[..30], call.code);
        assert_eq!(home.ok(&["display-message", "-p", "#{pid}"]), server.to_string(), "{:?}", &line[..30]);
    }
}

#[test]
fn f5_without_free_descriptors_the_server_says_so_and_lives() {
    let home = Home::tmux();
    let call = home.shell("ulimit -n 64; $T new-session -d -s main -x 80 -y 24 cat");
    assert_eq!(call.code, 0, "{call:?}");
    let server = home.server();
    let mut made = 1;
    let refused = loop {
        let call = home.run(&["new-window", "-d", "-t", "main", "cat"]);
        if call.code != 0 {
            break call;
        }
        made += 1;
        assert!(made < 200, "no limit was felt");
    };
    println!("{made} windows, then: {}", refused.stderr);
    assert!(refused.stderr.contains("create window failed"), "{refused:?}");
    assert_eq!(home.ok(&["list-windows", "-t", "main"]).lines().count(), made, "nothing half-made");
    for _ in 0..3 {
        home.ok(&["kill-window", "-t", "main:1"]);
        home.ok(&["new-window", "-d", "-t", "main:1", "cat"]);
    }
    assert_eq!(home.server(), server);
}

/// The sockets of a home.
fn sockets(home: &Home) -> Vec<PathBuf> {
    use std::os::unix::fs::FileTypeExt;
    let mut found = Vec::new();
    let mut directories = ["run", "sockets", "home"].map(|part| home.path(part)).to_vec();
    while let Some(directory) = directories.pop() {
        for entry in std::fs::read_dir(&directory).into_iter().flatten().flatten() {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => directories.push(entry.path()),
                Ok(kind) if kind.is_socket() => found.push(entry.path()),
                _ => {}
            }
        }
    }
    found
}

/// Sends bytes and waits until the other side hangs up or `time` is over, reading what it says.
fn throw(socket: &Path, bytes: &[u8], time: Duration) {
    let Ok(mut stream) = UnixStream::connect(socket) else { return };
    stream.set_read_timeout(Some(time)).unwrap();
    stream.set_write_timeout(Some(time)).unwrap();
    // Refusing early is right too.
    let _ = stream.write_all(bytes);
    let mut answer = [0; 4096];
    while let Ok(1..) = stream.read(&mut answer) {}
}

#[test]
fn f8_nonsense_and_huge_lengths_in_frames_hurt_neither_server_nor_host() {
    let home = home_with(Home::rove);
    let (server, host, shell) = (home.server(), home.host_of("main"), home.pane_pid("main"));
    let before =
        (process::rss_kb(server), process::rss_kb(host), process::open_files(server), process::open_files(host));
    let sockets = sockets(&home);
    assert!(!sockets.is_empty());
    let mut random = Random(7);
    let mut attacks: Vec<Vec<u8>> = vec![
        vec![],
        vec![0xff, 0xff, 0xff, 0x7f],
        0x7fff_ffff_u32.to_le_bytes().to_vec(),
        0x7fff_ffff_u32.to_be_bytes().to_vec(),
        b"GET / HTTP/1.1\r\n\r\n".to_vec(),
    ];
    // A right greeting, or half of one, and then a frame of two gigabytes.
    let greeting =
        |protocol: u16| [&b"rov\xff"[..], &protocol.to_le_bytes(), &1_u32.to_le_bytes(), &[5], b"0.1.0"].concat();
    for protocol in [0, 1, 2, u16::MAX] {
        attacks.push(greeting(protocol));
        attacks.push([greeting(protocol), 0x8000_0000_u32.to_le_bytes().to_vec(), vec![0; 4096]].concat());
    }
    attacks.push(greeting(1)[..7].to_vec());
    attacks.extend((0..30).map(|_| (0..200).map(|_| random.byte()).collect()));
    for socket in &sockets {
        for attack in &attacks {
            throw(socket, attack, Duration::from_millis(30));
        }
    }
    assert_eq!((home.server(), home.host_of("main"), home.pane_pid("main")), (server, host, shell));
    assert!(process::alive(host) && process::alive(shell));
    let after = (process::rss_kb(server), process::rss_kb(host));
    println!("server {} to {} kB, host {} to {} kB", before.0, after.0, before.1, after.1);
    assert!(after.0 < before.0 + 16 * 1024 && after.1 < before.1 + 16 * 1024, "{after:?}");
    wait_for("all descriptors to be given back", || {
        process::open_files(server) <= before.2 && process::open_files(host) <= before.3
    });
    home.ok(&["send-keys", "-t", "main", "echo st''ill", "Enter"]);
    home.wait_screen("main", "still");
}

#[test]
fn f8_clients_killed_at_any_moment_leave_nothing_behind() {
    let home = home_with(Home::tmux);
    let server = home.server();
    home.ok(&["display-message", "-p", "x"]);
    let before = process::open_files(server);
    for round in 0..if long() { 1000 } else { 60 } {
        let mut command = home.command(home.program());
        let words: &[&str] = if round % 2 == 0 { &["list-sessions"] } else { &["-C", "attach", "-t", "main"] };
        command.args(home.words(words)).stdin(std::process::Stdio::piped());
        command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
        let mut child = command.spawn().unwrap();
        let start = Instant::now();
        while start.elapsed() < Duration::from_micros(round * 37 % 4000) {
            std::hint::spin_loop();
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    wait_for("no client", || home.ok(&["list-clients"]).is_empty());
    wait_for("all descriptors to be given back", || process::open_files(server) <= before + 1);
    assert_eq!(home.server(), server);
}

#[test]
fn f15_signals_do_not_end_the_panes() {
    let home = home_with(Home::tmux);
    let (server, shell) = (home.server(), home.pane_pid("main"));
    use process::Signal;
    for signal in [Signal::USR2, Signal::PIPE, Signal::CHILD, Signal::WINCH, Signal::USR1] {
        (0..20).for_each(|_| process::signal(server, signal));
        wait_for("an answer", || home.run(&["has-session", "-t", "main"]).code == 0);
    }
    process::signal(server, Signal::STOP);
    process::signal(server, Signal::CONT);
    assert_eq!((home.server(), home.pane_pid("main")), (server, shell));
}

#[test]
fn an_idle_server_does_nothing() {
    let home = home_with(Home::tmux);
    let server = home.server();
    let spent = || {
        let text = std::fs::read_to_string(format!("/proc/{server}/stat")).unwrap();
        let fields: Vec<String> = text.rsplit_once(')').unwrap().1.split_whitespace().map(str::to_owned).collect();
        fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
    };
    wait_for("quiet", || {
        let before = spent();
        observe_for(Duration::from_millis(300), "it lives", || process::alive(server));
        spent() == before
    });
    let before = spent();
    observe_for(Duration::from_secs(2), "it lives", || process::alive(server));
    let ticks = spent() - before;
    println!("{ticks} ticks of 10 ms in 2 s");
    assert!(ticks <= 2, "{ticks}");
}

/// Numbers that are the same in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    fn byte(&mut self) -> u8 {
        self.next().to_le_bytes()[0]
    }
}
