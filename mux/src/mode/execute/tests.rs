use super::*;
use crate::fake::Bench;
use crate::{Effect, Exit, Face, Input};

struct Server {
    bench: Bench,
}

impl Server {
    /// A server with a session whose pane shows two lines.
    fn new() -> Server {
        let mut server = Server { bench: Bench::new(Face::Tmux) };
        server.run("new-session -d -x 40 -y 10");
        let pane = server.pane();
        server.bench.output(pane, b"one two\r\nthree foo");
        server
    }

    fn pane(&self) -> PaneId {
        *self.bench.mux.panes.keys().next().expect("the session has a pane")
    }

    /// Runs a command line, words between blanks; what it printed, and every effect besides.
    fn run_all(&mut self, line: &str) -> (String, Vec<Effect>) {
        self.bench.effects.clear();
        let ran = self.bench.run(&line.split(' ').collect::<Vec<_>>());
        let printed = (ran.stdout + &ran.stderr).trim_end().to_owned();
        (printed, std::mem::take(&mut self.bench.effects))
    }

    fn run(&mut self, line: &str) -> String {
        self.run_all(line).0
    }

    fn format(&mut self, name: &str) -> String {
        self.run(&format!("display-message -p #{{{name}}}"))
    }
}

#[test]
fn a_selection_becomes_a_buffer_and_the_mode_ends() {
    let mut server = Server::new();
    assert_eq!(server.run("send-keys -X cursor-up"), "not in a mode");
    server.run("copy-mode");
    assert_eq!(server.format("pane_mode"), "copy-mode");
    for command in ["history-top", "start-of-line", "begin-selection", "next-word-end"] {
        assert_eq!(server.run(&format!("send-keys -X {command}")), "");
    }
    server.run("send-keys -X copy-selection-no-clear mine");
    server.run("send-keys -X append-selection-and-cancel");
    assert_eq!(server.run("show-buffer -b mine0"), "oneone");
    assert_eq!(server.format("pane_mode"), "");
}

#[test]
fn a_pipe_gets_the_text_on_its_input() {
    let mut server = Server::new();
    server.run("copy-mode");
    server.run("send-keys -X start-of-line");
    server.bench.keep_jobs = true;
    server.bench.mux.identity.cwd = "/srv".to_owned();
    let (_, effects) = server.run_all("send-keys -X copy-pipe-line-and-cancel cat#{pane_id}");
    let run = effects.iter().find_map(|effect| match effect {
        Effect::RunJob(job) => Some((job.id, job.command.clone(), job.cwd.clone())),
        _ => None,
    });
    let (job, command, cwd) = run.expect("the command is run");
    assert_eq!((command.as_str(), cwd.as_str()), ("cat%0", "/srv"), "where the server was started");
    let written: Vec<&[u8]> = effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::WriteJob(id, bytes) if *id == job => Some(bytes.as_slice()),
            _ => None,
        })
        .collect();
    assert_eq!(written, [&b"three foo"[..], b""]);
    server.bench.handle(Input::JobDone(job, Exit::Status(0)));
    assert_eq!(server.run("show-buffer"), "three foo");
}

#[test]
fn a_repeat_typed_before_counts_for_the_next_command() {
    let mut server = Server::new();
    server.run("copy-mode");
    server.run("send-keys -X start-of-line");
    server.run("send-keys -N 3");
    server.run("send-keys -X cursor-right");
    assert_eq!(server.format("copy_cursor_x"), "3");
    server.run("send-keys -X cursor-right");
    assert_eq!(server.format("copy_cursor_x"), "4");
    server.run("send-keys -N 2 -X cursor-right");
    assert_eq!(server.format("copy_cursor_x"), "6");
}

#[test]
fn a_pane_remembers_what_was_searched_for() {
    let mut server = Server::new();
    server.run("copy-mode");
    server.run("send-keys -FX search-backward #{l:fo+}");
    assert_eq!((server.format("search_match"), server.format("pane_search_string")), ("foo".into(), "fo+".into()));
    server.run("copy-mode -q");
    assert_eq!(server.format("pane_in_mode"), "0");
    server.run("copy-mode");
    server.run("send-keys -X search-again");
    assert_eq!(server.format("search_match"), "foo");
}

#[test]
fn a_mode_shows_another_panes_text() {
    let mut server = Server::new();
    server.run("split-window");
    let second = *server.bench.mux.panes.keys().last().expect("there are two panes");
    server.run(&format!("copy-mode -t {second} -s %0"));
    let line = server.run(&format!("display-message -p -t {second} #{{copy_cursor_line}}"));
    assert_eq!(line, "three foo");
    server.bench.output(PaneId(0), b" more");
    server.run(&format!("send-keys -t {second} -X refresh-from-pane"));
    let line = server.run(&format!("display-message -p -t {second} #{{copy_cursor_line}}"));
    assert_eq!(line, "three foo more");
}
