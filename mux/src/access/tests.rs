use super::*;
use crate::fake::{Bench, hello};
use crate::{Effect, Face, Hello, Manner, PaneId};

/// What may be run by everybody who is let in, and what only by those who may write.
const READS: [&str; 3] = ["list-windows", "show-options -g prefix", "display-message -p hi"];
const WRITES: [&str; 9] = [
    "new-window",
    "send-keys -t %0 x",
    "set-option -g @x 1",
    "run-shell -b true",
    "set-buffer x",
    "rename-session other",
    "source-file /tmp/conf",
    "pipe-pane -t %0 cat",
    "split-window",
];

/// By which way a command comes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Path {
    Argv,
    ControlLine,
    Key,
    Hook,
    IfShellBody,
}

const PATHS: [Path; 5] = [Path::Argv, Path::ControlLine, Path::Key, Path::Hook, Path::IfShellBody];

/// A client of another user.
fn other(manner: Manner, size: Option<(u16, u16)>, words: &[&str], right: Right) -> Hello {
    let hello = hello(manner, size, words);
    let tty = if size.is_some() { "/dev/tty9".to_owned() } else { String::new() };
    Hello { uid: 65534, gid: 65534, pid: 900, tty, read_only: right == Right::Read, ..hello }
}

/// All that the commands of the test change.
fn seen(bench: &mut Bench) -> String {
    let typed = bench.typed(PaneId(0));
    let mux = &bench.mux;
    let jobs = bench.effects.iter().filter(|effect| matches!(effect, Effect::RunJob(_))).count();
    let names: Vec<&str> = mux.sessions.values().map(|session| session.name.as_str()).collect();
    let user = mux.globals.session.get("@x").is_some();
    let buffers = mux.buffers.iter().count();
    format!("{typed:?} {} {} {names:?} {user} {buffers} {jobs}", mux.windows.len(), mux.panes.len())
}

/// Whether a command of another user changed anything.
fn changes(path: Path, right: Right, command: &str) -> bool {
    let mut bench = Bench::new(Face::Tmux);
    bench.keep_jobs = true;
    bench.world.files.insert("/tmp/conf".into(), b"set -g @x 1".to_vec());
    bench.lines(&["new-session -d -s a", "server-access -a nobody"]);
    bench.run(&["bind-key", "-n", "F5", command]);
    bench.run(&["set-hook", "-g", "after-show-options", command]);
    let before = seen(&mut bench);
    let words: Vec<&str> = command.split(' ').collect();
    match path {
        Path::Argv => drop(bench.connect(other(Manner::Command, None, &words, right))),
        Path::Key => {
            let client = bench.connect(other(Manner::Command, Some((80, 24)), &["attach"], right));
            bench.keys(client, b"\x1b[15~");
        }
        _ => {
            let client = bench.connect(other(Manner::Control, None, &["attach"], right));
            let body = format!("if-shell -F 1 {{ {command} }}");
            let line = match path {
                Path::Hook => "show-options -g status",
                Path::IfShellBody => &body,
                _ => command,
            };
            bench.control_line(client, line);
        }
    }
    bench.mux.check();
    before != seen(&mut bench)
}

#[test]
fn a_reader_changes_nothing_by_any_path() {
    for path in PATHS {
        for command in WRITES {
            assert!(!changes(path, Right::Read, command), "{path:?}: {command}");
            // Else the test would see nothing.
            assert!(changes(path, Right::Write, command), "{path:?} of one who may write: {command}");
        }
        for command in READS {
            assert!(!changes(path, Right::Read, command), "{path:?}: {command}");
        }
    }
}

#[test]
fn a_reader_gets_what_it_reads() {
    let mut bench = Bench::new(Face::Tmux);
    bench.line("new-session -d -s a -n win");
    let mut run = |words: &[&str]| {
        let client = bench.connect(other(Manner::Command, None, words, Right::Read));
        bench.ran(client)
    };
    assert_eq!(run(&["display-message", "-p", "#{window_name}"]).stdout, "win\n");
    assert_eq!(run(&["show-options", "-g", "prefix"]).stdout, "prefix C-b\n");
    let refused = run(&["new-window"]);
    assert_eq!((refused.stderr.as_str(), refused.status), ("client is read-only\n", Some(1)));
}

/// A server with the owner's client and one of a reader.
fn with_reader() -> (Bench, ClientId, ClientId) {
    let mut bench = Bench::new(Face::Tmux);
    let owner = bench.terminal((80, 24), &["new-session", "-s", "a"]);
    bench.lines(&["new-window -d -t a:1", "new-session -d -s b", "server-access -r nobody"]);
    let reader = bench.connect(other(Manner::Control, None, &["attach", "-t", "a"], Right::Read));
    (bench, owner, reader)
}

#[test]
fn flags_and_targets_that_reach_others_are_refused() {
    let (mut bench, owner, reader) = with_reader();
    let name = bench.mux.clients[&owner].name.clone();
    bench.keep_jobs = true;
    for line in [
        "detach-client -a".to_owned(),
        "detach-client -s a".to_owned(),
        format!("detach-client -t {name}"),
        format!("detach-client -E 'touch /tmp/x' -t {name}"),
        format!("switch-client -r -c {name}"),
        format!("switch-client -t b -c {name}"),
        format!("refresh-client -t {name} -f read-only"),
        format!("display-message -c {name} hello"),
        "refresh-client -r %0:1".to_owned(),
        "refresh-client -f !read-only".to_owned(),
        "attach-session -d -t a".to_owned(),
        "attach-session -c /etc -t a".to_owned(),
        "capture-pane".to_owned(),
        "switch-client -t a:1".to_owned(),
        "attach-session -t a:1".to_owned(),
        "display-message -p '#(touch /tmp/x)'".to_owned(),
        "list-windows -F '#(touch /tmp/x)'".to_owned(),
        "switch-client -r".to_owned(),
    ] {
        bench.control_line(reader, &line);
        bench.mux.check();
        let (own, other) = (&bench.mux.clients[&owner], &bench.mux.clients[&reader]);
        assert!(own.session.is_some() && !own.leaving && own.message.is_none(), "{line}");
        assert_eq!(own.session, bench.mux.session_named("a"), "{line}");
        assert!(!own.flags.contains(ClientFlags::READ_ONLY) && other.flags.contains(ClientFlags::READ_ONLY), "{line}");
        assert_eq!(bench.mux.sessions[&own.session.expect("a session")].current, 0, "{line}");
        assert_eq!(bench.mux.buffers.iter().count(), 0, "{line}");
        assert!(!bench.effects.iter().any(|effect| matches!(effect, Effect::RunJob(_))), "{line}");
    }
    assert_eq!(bench.format("a:", "#{session_path}"), "/tmp");
    bench.control_line(reader, "switch-client -t b");
    assert_eq!(bench.mux.clients[&reader].session, bench.mux.session_named("b"));
    bench.control_line(reader, "detach-client");
    assert!(!bench.mux.clients.contains_key(&reader));
}

#[test]
fn what_a_reader_types_and_pastes_reaches_no_program() {
    let mut bench = Bench::new(Face::Tmux);
    bench.lines(&["new-session -d -s a", "server-access -r nobody"]);
    let client = bench.connect(other(Manner::Command, Some((80, 24)), &["attach"], Right::Read));
    bench.typed(PaneId(0));
    bench.keys(client, b"x\x1b[200~pasted\x1b[201~\x02:");
    assert_eq!((bench.typed(PaneId(0)), bench.mux.clients[&client].prompt.is_some()), (Vec::new(), false));
    bench.keys(client, b"\x02d");
    assert!(!bench.mux.clients.contains_key(&client));
}

/// What somebody opens on the client of another user, and what is typed there to make a new window.
const OPENED: [(&str, &[u8]); 6] = [
    ("display-menu -c NAME one a new-window", b"a"),
    ("display-menu -M -c NAME -x 0 -y 0 one a new-window", b"\x1b[<0;4;2M\x1b[<0;4;2m"),
    ("confirm-before -b -t NAME new-window", b"y"),
    ("command-prompt -b -t NAME", b"new-window\r"),
    ("command-prompt -b -1 -t NAME new-window", b"y"),
    ("display-panes -b -d 0 -t NAME new-window", b"0"),
];

#[test]
fn what_is_opened_on_a_reader_takes_no_keys_of_his() {
    let open = |right, line: &str| {
        let mut bench = Bench::new(Face::Tmux);
        bench.lines(&["new-session -d -s a", "server-access -a nobody", "set -g mouse on"]);
        let client = bench.connect(other(Manner::Command, Some((80, 24)), &["attach"], right));
        let name = bench.mux.clients[&client].name.clone();
        bench.line(&line.replace("NAME", &name));
        (bench, client)
    };
    for (line, keys) in OPENED {
        for (right, windows) in [(Right::Read, 1), (Right::Write, 2)] {
            let (mut bench, client) = open(right, line);
            bench.keys(client, keys);
            assert_eq!(bench.mux.windows.len(), windows, "{line} {right:?}");
            bench.mux.check();
            if right == Right::Read {
                let entry = &bench.mux.clients[&client];
                assert!(entry.overlay.is_some() || entry.prompt.is_some(), "{line}: it stays");
                // What he may do he still can.
                bench.keys(client, b"\x02d");
                assert!(!bench.mux.clients.contains_key(&client), "{line}");
            }
        }
    }
    for (right, typed) in [(Right::Read, &b""[..]), (Right::Write, b"xp")] {
        let (mut bench, client) = open(right, "display-popup -c NAME -w 20 -h 5 cat");
        let popup = *bench.mux.popups.keys().next().expect("a popup is open");
        bench.typed(popup);
        bench.keys(client, b"x\x1b[200~p\x1b[201~");
        assert_eq!(bench.typed(popup), typed, "{right:?}");
    }
}

#[test]
fn rights_are_felt_at_once() {
    let (mut bench, owner, reader) = with_reader();
    bench.line("server-access -w nobody");
    bench.control_line(reader, "new-window");
    assert_eq!(bench.mux.windows.len(), 4);
    bench.line("server-access -r nobody");
    bench.control_line(reader, "new-window");
    assert_eq!(bench.mux.windows.len(), 4);
    bench.line("server-access -d nobody");
    let told = Effect::EndClient(reader, Farewell::Control(Some(NOT_ALLOWED.into()), 1));
    assert!(bench.effects.contains(&told) && bench.mux.clients.contains_key(&owner));
}

#[test]
fn the_owner_and_root_need_no_entry_and_a_user_counts_more_than_his_group() {
    let mut bench = Bench::new(Face::Tmux);
    let right = |bench: &Bench, uid| bench.mux.right_of(uid, 65534);
    assert_eq!([1000, 0, 65534].map(|uid| right(&bench, uid)), [Some(Right::Write), Some(Right::Write), None]);
    bench.lines(&["new-session -d", "server-access -gr nogroup"]);
    assert_eq!(right(&bench, 7), Some(Right::Read));
    bench.line("server-access -a nobody");
    assert_eq!([7, 65534].map(|uid| right(&bench, uid)), [Some(Right::Read), Some(Right::Write)]);
    assert_eq!(bench.line("server-access -l"), "u (W)\nnobody (W)\nnogroup (G,R)");
    for (line, error) in [
        ("server-access", "missing user argument"),
        ("server-access u", "u owns the server, can't change access"),
        ("server-access -a none", "unknown user: none"),
        ("server-access -ag none", "unknown group: none"),
        ("server-access -a nobody", "user nobody is already added"),
        ("server-access -ad nobody", "-a and -d cannot be used together"),
        ("server-access -rw nobody", "-r and -w cannot be used together"),
        ("server-access -dg nogroup", ""),
        ("server-access -dg nogroup", "group nogroup not found"),
    ] {
        assert_eq!(bench.line(line), error, "{line}");
    }
}
