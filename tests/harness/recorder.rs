//! Plays a script with one control client and writes down what happened, as the recordings of tmux were made.
//!
//! A script has one step a line: `argv WORDS`, `env K=V`, `conf LINE`, `start` (on pipes), `startpty`, `send TEXT` (with a line end), `raw TEXT`,
//! `run WORDS` (another call), `sh LINE` (with $T, $SOCK, $DIR), `wait REGEX` (at most 5 s), `sleep SECONDS`, `eof`, `killclient SIGNAL`,
//! `exitwait`.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use regex::{Captures, Regex};

use super::wait::poll;
use super::{Home, process, pty};

/// How long what follows a line may take before the next step, as in the recordings.
const SETTLE: Duration = Duration::from_millis(50);

/// How long another call may take.
const CALL_LIMIT: Duration = Duration::from_secs(15);

/// Plays a script and gives the transcript.
pub fn record(script: &str) -> String {
    let mut recorder = Recorder::new();
    for line in script.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (step, argument) = line.split_once(' ').unwrap_or((line, ""));
        recorder.step(step, argument);
    }
    recorder.transcript()
}

struct Recorder {
    home: Home,
    directory: PathBuf,
    argv: Vec<String>,
    child: Option<Child>,
    input: Option<Box<dyn Write>>,
    output: Arc<Mutex<Vec<u8>>>,
    /// Whether the output is read.
    reads: Arc<(Mutex<bool>, Condvar)>,
    matched: usize,
    log: Vec<(usize, String)>,
}

impl Recorder {
    fn new() -> Recorder {
        let mut home = Home::tmux();
        let directory = home.path("work");
        let path = directory.display().to_string();
        std::fs::write(directory.join("conf"), "").unwrap();
        for (name, value) in [("HOME", path.as_str()), ("TERM", "screen"), ("TMUX_TMPDIR", &path)] {
            home.set(name, value);
        }
        let argv = words("-C new -x80 -y24 cat");
        let output = Arc::default();
        let reads = Arc::new((Mutex::new(true), Condvar::new()));
        Recorder { home, directory, argv, child: None, input: None, output, reads, matched: 0, log: Vec::new() }
    }

    fn base(&self) -> Vec<String> {
        let part = |name: &str| self.directory.join(name).display().to_string();
        vec!["-S".to_owned(), part("s"), "-f".to_owned(), part("conf")]
    }

    fn note(&mut self, text: String) {
        let at = self.output.lock().unwrap().len();
        self.log.push((at, text));
    }

    fn step(&mut self, step: &str, argument: &str) {
        let trimmed = argument.trim_start();
        match step {
            "argv" => self.argv = words(trimmed),
            "env" => {
                let (name, value) = trimmed.split_once('=').unwrap();
                self.home.set(name, value);
            }
            "conf" => {
                let mut file = OpenOptions::new().append(true).open(self.directory.join("conf")).unwrap();
                writeln!(file, "{trimmed}").unwrap();
            }
            "start" => self.start(),
            "startpty" => self.start_on_a_pty(),
            "send" => self.send(format!("> {argument}"), &[unescaped(argument), b"\n".to_vec()].concat()),
            "raw" => self.send(format!(">> {argument}"), &unescaped(argument)),
            "run" => self.call(trimmed),
            "sh" => self.shell(trimmed),
            "wait" => self.wait(trimmed),
            "sleep" => std::thread::sleep(Duration::from_secs_f64(trimmed.parse().unwrap())),
            "eof" => {
                self.note("EOF".to_owned());
                self.input = None;
            }
            "killclient" => {
                let signal = match trimmed {
                    "SIGTERM" => process::Signal::TERM,
                    "SIGHUP" => process::Signal::HUP,
                    "SIGKILL" => process::Signal::KILL,
                    other => panic!("no such signal: {other}"),
                };
                process::signal(self.child.as_ref().unwrap().id(), signal);
                self.note(format!("KILL {trimmed}"));
            }
            "stopread" => self.read_on(false),
            "contread" => self.read_on(true),
            "exitwait" => self.wait_exit(),
            other => panic!("no such step: {other}"),
        }
    }

    fn start(&mut self) {
        self.note(format!("START {}", self.argv.join(" ")));
        let (reader, writer) = std::io::pipe().unwrap();
        let mut command = self.home.command(self.home.program());
        command.args(self.base()).args(&self.argv).stdin(Stdio::piped());
        command.stdout(writer.try_clone().unwrap()).stderr(writer);
        let mut child = command.spawn().unwrap();
        self.input = Some(Box::new(child.stdin.take().expect("piped")));
        self.child = Some(child);
        self.read(reader);
    }

    fn start_on_a_pty(&mut self) {
        self.note(format!("STARTPTY {}", self.argv.join(" ")));
        let (master, slave) = pty::open();
        let mut command: Command = self.home.command(pty::IN_A_TERMINAL);
        command.arg("--ctty").arg(self.home.program()).args(self.base()).args(&self.argv);
        self.child = Some(pty::spawn(command, slave));
        let reader: File = master.try_clone().unwrap();
        self.input = Some(Box::new(master));
        self.read(reader);
    }

    fn read(&self, mut from: impl Read + Send + 'static) {
        let (to, gate) = (Arc::clone(&self.output), Arc::clone(&self.reads));
        std::thread::spawn(move || {
            let mut buffer = [0; 65536];
            loop {
                drop(gate.1.wait_while(gate.0.lock().unwrap(), |reads| !*reads).unwrap());
                let Ok(count @ 1..) = from.read(&mut buffer) else { return };
                to.lock().unwrap().extend_from_slice(&buffer[..count]);
            }
        });
    }

    /// Reads on what the client writes, or lets it stand.
    fn read_on(&mut self, reads: bool) {
        *self.reads.0.lock().unwrap() = reads;
        self.reads.1.notify_all();
    }

    fn send(&mut self, note: String, bytes: &[u8]) {
        self.note(note);
        // A client that ended takes nothing any more, which the transcript will show.
        let _ = self.input.as_mut().expect("the client runs").write_all(bytes);
        std::thread::sleep(SETTLE);
    }

    fn call(&mut self, argument: &str) {
        let mut command = self.home.command(self.home.program());
        command.args(self.base()).args(words(argument));
        self.finish(command, format!("RUN {argument}"));
    }

    fn shell(&mut self, line: &str) {
        let call = [vec![self.home.program().display().to_string()], self.base()].concat().join(" ");
        let mut command = self.home.command("/bin/sh");
        command.args(["-c", line]).env("T", call);
        command.env("SOCK", self.directory.join("s")).env("DIR", &self.directory);
        self.finish(command, format!("SH {line}"));
    }

    fn finish(&mut self, mut command: Command, note: String) {
        // Into files, as a pipe may be held open by whatever it leaves behind.
        let files = ["stdout", "stderr"].map(|name| self.home.path(name));
        let [out, err] = files.each_ref().map(|path| File::create(path).unwrap());
        let mut child = command.stdin(Stdio::null()).stdout(out).stderr(err).spawn().unwrap();
        let status = poll(CALL_LIMIT, || child.try_wait().unwrap());
        let said: Vec<u8> = files.iter().flat_map(|path| std::fs::read(path).unwrap()).collect();
        let lines: String = shown(&said).lines().map(|line| format!("\nR| {line}")).collect();
        let Some(status) = status else {
            child.kill().unwrap();
            child.wait().unwrap();
            panic!("{note}: did not end, said:{lines}");
        };
        self.note(format!("{note} => rc={}{lines}", status.code().unwrap_or(-1)));
    }

    fn wait(&mut self, pattern: &str) {
        let regex = regex::bytes::RegexBuilder::new(pattern).multi_line(true).build().unwrap();
        let end = poll(Duration::from_secs(5), || {
            let output = self.output.lock().unwrap();
            regex.find_at(&output, self.matched).map(|found| found.end())
        });
        std::thread::sleep(SETTLE);
        match end {
            Some(end) => self.matched = end,
            None => self.note(format!("WAIT-TIMEOUT {pattern}")),
        }
    }

    fn wait_exit(&mut self) {
        let child = self.child.as_mut().expect("the client was started");
        let status = poll(Duration::from_secs(8), || child.try_wait().unwrap());
        match status {
            Some(status) => self.note(format!("EXIT rc={}", status.code().unwrap_or(-1))),
            None => self.note("EXIT-TIMEOUT".to_owned()),
        }
        self.settle();
    }

    /// Waits until nothing was said for a while, so that what follows an end is all there.
    fn settle(&self) {
        let mut last = usize::MAX;
        poll(Duration::from_secs(2), || {
            std::thread::sleep(SETTLE * 2);
            let now = self.output.lock().unwrap().len();
            let quiet = now == last;
            last = now;
            quiet.then_some(())
        });
    }

    fn transcript(mut self) -> String {
        self.settle();
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
        let output = self.output.lock().unwrap().clone();
        let directory = self.directory.display().to_string();
        let mut steadier = Steadier { numbers: Vec::new(), directory };
        let (mut text, mut at) = (String::new(), 0);
        let end = (output.len(), String::new());
        for (offset, note) in self.log.iter().chain([&end]) {
            if *offset > at {
                text.push_str(steadier.output(&output[at..*offset]).trim_end_matches('\n'));
                text.push('\n');
                at = *offset;
            }
            if !note.is_empty() {
                let start = if note.starts_with('>') { "" } else { "=== " };
                text.push_str(&format!("{start}{}\n", steadier.note(note)));
            }
        }
        text
    }
}

/// Writes down what differs from run to run in words.
struct Steadier {
    numbers: Vec<String>,
    directory: String,
}

impl Steadier {
    fn note(&self, text: &str) -> String {
        let client = Regex::new(r"client-\d+").unwrap();
        client.replace_all(text, "client-PID").replace(&self.directory, "<DIR>")
    }

    fn output(&mut self, bytes: &[u8]) -> String {
        let text = shown(bytes).replace('\r', "<CR>").replace('\u{1b}', "<ESC>");
        let guard = Regex::new(r"(?m)^(<ESC>P1000p)?%(begin|end|error) \d+ (\d+) (\d)").unwrap();
        let text = guard.replace_all(&text, |found: &Captures<'_>| {
            let number = self.number(&found[3]);
            format!("{}%{} T {number} {}", found.get(1).map_or("", |start| start.as_str()), &found[2], &found[4])
        });
        let age = Regex::new(r"(%extended-output %\d+) \d+ :").unwrap();
        let text = age.replace_all(&text, "$1 AGE :").into_owned();
        self.note(&text)
    }

    fn number(&mut self, number: &str) -> String {
        let at = self.numbers.iter().position(|known| known == number).unwrap_or_else(|| {
            self.numbers.push(number.to_owned());
            self.numbers.len() - 1
        });
        format!("N{}", at + 1)
    }
}

/// Bytes as text, with what is not UTF-8 as `\xHH`.
fn shown(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}")));
    }
    text
}

/// A line split into words as a shell does; single and double quotes and backslashes count.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote, mut chars) = (Vec::new(), None::<String>, None, line.chars());
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, ' ') => words.extend(word.take()),
            (None, '\\') => word.get_or_insert_default().extend(chars.next()),
            (Some('"'), '\\') => match chars.next() {
                Some(next @ ('"' | '\\')) => word.get_or_insert_default().push(next),
                next => word.get_or_insert_default().extend(['\\'].into_iter().chain(next)),
            },
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// The bytes of a text with `\n`, `\r`, `\t`, `\\`, `\xHH` and `\ooo` taken as what they stand for.
fn unescaped(text: &str) -> Vec<u8> {
    let (bytes, mut at, mut out) = (text.as_bytes(), 0, Vec::new());
    let digits = |from: usize, count: usize, radix: u32| {
        let digits = text.get(from..from + count)?;
        u8::from_str_radix(digits, radix).ok()
    };
    while at < bytes.len() {
        let (value, length) = match (bytes[at], bytes.get(at + 1)) {
            (b'\\', Some(b'n')) => (b'\n', 2),
            (b'\\', Some(b'r')) => (b'\r', 2),
            (b'\\', Some(b't')) => (b'\t', 2),
            (b'\\', Some(b'\\')) => (b'\\', 2),
            (b'\\', Some(b'x')) => digits(at + 2, 2, 16).map_or((b'\\', 1), |value| (value, 4)),
            (b'\\', Some(b'0'..=b'3')) => digits(at + 1, 3, 8).map_or((b'\\', 1), |value| (value, 4)),
            (other, _) => (other, 1),
        };
        out.push(value);
        at += length;
    }
    out
}

#[test]
fn scripts_are_read_as_shells_and_python_do() {
    assert_eq!(words(r#"-C new "a b" 'c"d' e\ f "g\"\h" ''"#), ["-C", "new", "a b", "c\"d", "e f", "g\"\\h", ""]);
    assert_eq!(unescaped(r"a\r\n\x41\101\\é\z"), "a\r\nAA\\é\\z".as_bytes());
    assert_eq!(shown(b"a\xff\xc3\xa9"), "a\\xffé");
}
