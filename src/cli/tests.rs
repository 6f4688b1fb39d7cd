use super::*;

fn words(line: &str) -> Vec<OsString> {
    line.split(' ').filter(|word| !word.is_empty()).map(OsString::from).collect()
}

fn client(line: &str) -> Invocation {
    match parse(&words(line)) {
        Request::Client(invocation) => invocation,
        other => panic!("{line}: {other:?}"),
    }
}

fn argv(line: &str) -> String {
    let argv = client(line).argv;
    argv.iter().map(|word| word.to_str().unwrap()).collect::<Vec<_>>().join(" ")
}

#[test]
fn names_decide_the_face() {
    let faces = [
        ("tmux", Face::Tmux),
        ("-tmux", Face::Tmux),
        ("/usr/bin/tmux", Face::Tmux),
        ("/opt/tmux-3.7c", Face::Tmux),
        ("rove", Face::Rove),
        ("/home/tmux/bin/rove", Face::Rove),
        ("", Face::Rove),
    ];
    for (name, face) in faces {
        assert_eq!(face_of(OsStr::new(name)), face, "{name}");
    }
    assert_eq!(client("rove tmux ls").face, Face::Tmux);
    assert_eq!(client("/x/rove tmux -L a ls").label, Some("a".into()));
    assert!(client("-tmux").login);
}

#[test]
fn options_end_at_the_first_word() {
    assert_eq!(argv("tmux new -d -s x"), "new -d -s x");
    assert_eq!(argv("tmux -2u -- -L"), "-L");
    assert_eq!(argv("tmux -q - x"), "- x");
    assert_eq!(argv("tmux"), "");
    let all = client("tmux -2CCN -T a,b -Tc -f one -ftwo -L l -S s -luvvq ls -C");
    let expected = Invocation {
        manner: Manner::ControlTerminal,
        features: words("256 a,b c"),
        login: true,
        utf8: true,
        no_start: true,
        label: Some("l".into()),
        socket: Some("s".into()),
        config: words("one two"),
        verbosity: 2,
        argv: words("ls -C"),
        ..Invocation::new(Face::Tmux)
    };
    assert_eq!(all, expected);
    assert_eq!(client("tmux -C ls").manner, Manner::Control);
    assert_eq!(client("tmux -CCC ls").manner, Manner::ControlTerminal);
    assert!(client("tmux -D").foreground);
    let shell = client("tmux -c ls");
    assert_eq!((shell.manner, shell.shell_command), (Manner::Shell, Some("ls".into())));
}

#[test]
fn what_tmux_refuses() {
    let usage = "usage: tmux [-2CDhlNuVv] [-c shell-command] [-f file] [-L socket-name]\n            \
                 [-S socket-path] [-T features] [command [flags]]\n";
    let refused = [
        ("tmux -z", "tmux: unknown option -- z\n"),
        ("tmux -uz", "tmux: unknown option -- z\n"),
        ("tmux -L", "tmux: option requires an argument -- L\n"),
        ("tmux -d", ""),
        ("tmux -U", ""),
        ("tmux -c foo bar", ""),
        ("tmux -D foo", ""),
    ];
    for (line, first) in refused {
        assert_eq!(parse(&words(line)), Request::Refuse(format!("{first}{usage}"), 1), "{line}");
    }
    assert_eq!(parse(&words("tmux -h")), Request::Print(usage.to_owned()));
    assert_eq!(parse(&words("tmux -uV -z")), Request::Print("tmux 3.7c\n".to_owned()));
    assert_eq!(parse(&words("rove tmux -V")), Request::Print("tmux 3.7c\n".to_owned()));
}

#[test]
fn roves_own_words() {
    let rows = [
        ("rove ls -F x", "start-server ; list-sessions -F x"),
        ("rove new -s a", "new-session -s a"),
        ("rove kill a", "start-server ; kill-session -t a"),
        ("rove kill -a", "start-server ; kill-session -a"),
        ("rove kill", "start-server ; kill-session"),
        ("rove stop a", "start-server ; stop-session -t a"),
        ("rove routine list", "start-server ; routine list"),
        ("rove list-panes -a", "list-panes -a"),
        ("rove splitw -h", "splitw -h"),
        ("rove -L x -f y show -g", "show -g"),
    ];
    for (line, command) in rows {
        assert_eq!(argv(line), command, "{line}");
        assert_eq!(client(line).face, Face::Rove, "{line}");
    }
    let own = [
        ("rove", Own::Open, ""),
        ("rove -L x", Own::Open, ""),
        ("rove .", Own::Open, "."),
        ("rove ../a", Own::Open, "../a"),
        ("rove attach a", Own::Attach, "a"),
        ("rove daemon stop", Own::Daemon, "stop"),
        ("rove doctor", Own::Doctor, ""),
        ("rove demo --keep", Own::Demo, "--keep"),
        ("rove engines", Own::Engines, ""),
        ("rove exits --json", Own::Exits, "--json"),
        ("rove resume --list", Own::Resume, "--list"),
        ("rove reset --hard", Own::Reset, "--hard"),
    ];
    for (line, verb, rest) in own {
        let Request::Own(found, invocation) = parse(&words(line)) else { panic!("{line}") };
        assert_eq!((found, invocation.argv), (verb, words(rest)), "{line}");
    }
    assert_eq!(client("rove -C").manner, Manner::Control);
    assert!(client("rove -D").foreground);
    let Request::Refuse(text, 2) = parse(&words("rove -z")) else { panic!() };
    assert!(text.starts_with("rove: unknown option -- z\nusage: rove "), "{text}");
}

#[test]
fn help_names_every_verb() {
    for line in ["rove help", "rove --help", "rove -h"] {
        let Request::Print(text) = parse(&words(line)) else { panic!("{line}") };
        for verb in VERBS {
            assert!(text.contains(verb.about), "{line}: {}", verb.name);
        }
    }
    for verb in VERBS {
        let Request::Print(text) = parse(&words(&format!("rove help {}", verb.name))) else { panic!("{}", verb.name) };
        assert!(text.contains(verb.about) && text.contains(&format!("rove {}", verb.name)), "{text}");
    }
    assert!(matches!(parse(&words("rove daemon --help")), Request::Print(text) if text.contains("status|start")));
    assert!(matches!(parse(&words("rove help nonsense")), Request::Refuse(text, 2) if text.contains("nonsense")));
    for line in ["rove -V", "rove --version"] {
        assert_eq!(parse(&words(line)), Request::Print(format!("rove {}\n", env!("CARGO_PKG_VERSION"))));
    }
}

#[test]
fn the_table_is_in_order_and_complete() {
    assert!(VERBS.windows(2).all(|pair| pair[0].name < pair[1].name));
    assert!(VERBS.iter().all(|verb| !verb.about.is_empty()));
}

#[test]
fn what_a_server_is_told_comes_back() {
    let plain =
        ServerOptions { socket: "/tmp/a b".into(), face: Face::Tmux, config: vec![], verbosity: 0, foreground: false };
    let full = ServerOptions {
        socket: "/s".into(),
        face: Face::Rove,
        config: vec!["--socket".into(), "b".into()],
        verbosity: 3,
        foreground: true,
    };
    for options in [plain, full] {
        let arguments = options.arguments();
        assert_eq!(arguments[1], "__server");
        assert_eq!(ServerOptions::parse(&arguments[2..]), Some(options));
    }
    for line in ["", "--face tmux", "--socket", "--socket a --verbosity x", "--socket a more"] {
        assert_eq!(ServerOptions::parse(&words(line)), None, "{line}");
    }
}
