//! Control transcripts recorded from tmux, replayed on our program. `fixtures/transcripts/NAME.steps` is the script, `NAME.norm` what tmux 3.7c
//! said (and `master-3.8/NAME.norm` what its next version says, which counts as right too). Where we differ on purpose `ours/NAME.norm` is
//! what we say, and docs/CONTROL.md why.
//!
//! Loose on what may move, strict on the rest: within one step answers must be equal and in order, notifications the same set, output is
//! joined for each pane, `%window-renamed` may come at any time, and how much memory a history takes is our own affair.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use regex::Regex;

use crate::harness::recorder;

/// The recordings that are replayed.
const NAMES: &[&str] = &[
    "01-basic-lifecycle",
    "02-errors",
    "03-output-escaping",
    "04-cc-pty",
    "06-flow-control",
    "07-subscriptions",
    "09-injection",
    "10-config-error",
    "11-exits",
    "12-server-killed",
    "13-client-sigterm",
    "14-readonly-and-hooks",
    "15-iterm2-startup",
    "16-too-far-behind",
    "18-big-output",
    "19-readonly-attach",
    "21-not-utf8",
    "22-command-prompt-hang",
];

fn fixture(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/transcripts").join(name)
}

/// One step: what was done, the answers in order, the notifications sorted.
#[derive(Debug, Default, PartialEq, Eq)]
struct Step {
    heading: String,
    answers: Vec<String>,
    notifications: Vec<String>,
}

/// Takes out what changes from run to run: clock, command numbers, pids, names of terminals.
struct Steadier {
    guard: Regex,
    tty: Regex,
    clock: Regex,
    escaped: Regex,
    history: Regex,
    day: Regex,
    notification: Regex,
}

impl Steadier {
    fn new() -> Steadier {
        let regex = |pattern: &str| Regex::new(pattern).unwrap();
        Steadier {
            guard: regex(r"%(begin|end|error) (?:T|\d+) (?:N?\d+)"),
            tty: regex(r"/dev/pts/\d+"),
            clock: regex(r"^(R\| )?\d\d:\d\d: "),
            escaped: regex(r"(?:\\x[89a-f][0-9a-f])+"),
            // %e of strftime in a text that was meant to look like the protocol's.
            day: regex(r"^((?:%message msg )?)[ \d]\d(nd |xit )"),
            history: regex(r"(\[history \d+/\d+), \d+ bytes\]"),
            notification: regex(r"^%([a-z-]+)( |$)"),
        }
    }

    fn steady(&self, line: &str) -> String {
        let line = self.guard.replace_all(line, "%$1");
        let line = self.tty.replace_all(&line, "/dev/pts/N");
        let line = self.history.replace_all(&line, "$1]");
        let line = self.clock.replace(&line, "${1}HH:MM: ");
        let line = self.day.replace(&line, "${1}DD$2");
        if line.len() >= 3 && line.bytes().all(|byte| byte.is_ascii_digit()) {
            return "PID".to_owned();
        }
        let decode = |found: &regex::Captures<'_>| {
            let digits = found[0].split("\\x").filter(|digits| !digits.is_empty());
            let bytes: Vec<u8> = digits.map(|digits| u8::from_str_radix(digits, 16).unwrap()).collect();
            String::from_utf8_lossy(&bytes).into_owned()
        };
        self.escaped.replace_all(&line, decode).into_owned()
    }

    fn is_notification(&self, line: &str) -> bool {
        let word = self.notification.captures(line).map(|found| found[1].to_owned());
        word.is_some_and(|word| !matches!(word.as_str(), "begin" | "end" | "error" | "exit"))
    }
}

/// Splits a transcript into steps.
fn steps(text: &str) -> Vec<Step> {
    let steadier = Steadier::new();
    let mut steps = vec![Step::default()];
    let mut output: BTreeMap<String, String> = BTreeMap::new();
    let mut in_block = false;
    let mut ends = Vec::new();
    let close = |steps: &mut Vec<Step>, output: &mut BTreeMap<String, String>| {
        let step = steps.last_mut().unwrap();
        let joined = std::mem::take(output).into_iter().map(|(pane, data)| format!("%output {pane} {data}"));
        step.notifications.extend(joined.map(|line| steadier.steady(&line)));
        step.notifications.sort();
    };
    for line in text.replace("<CR>", "").lines() {
        // Whether a step of the script had to wait in vain says only how the recording was made.
        if line.starts_with("=== WAIT-TIMEOUT") {
            continue;
        }
        if line.starts_with("=== RUN") {
            steps.last_mut().unwrap().notifications.push(line.to_owned());
            continue;
        }
        // What another call causes may be told before or after that call has ended.
        if line.starts_with("=== SH") {
            steps.last_mut().unwrap().answers.push(steadier.steady(line));
            continue;
        }
        if ["> ", ">> ", "=== "].iter().any(|start| line.starts_with(start)) {
            close(&mut steps, &mut output);
            steps.push(Step { heading: steadier.steady(line), ..Step::default() });
            continue;
        }
        let step = steps.last_mut().unwrap();
        if let Some(other) = line.strip_prefix("R| ") {
            if !steadier.is_notification(other) {
                step.answers.push(steadier.steady(line));
            }
            continue;
        }
        if line.trim_start_matches("<ESC>P1000p").starts_with("%begin ") {
            in_block = true;
        }
        if line.starts_with("%end ") || line.starts_with("%error ") {
            in_block = false;
        }
        if line.starts_with("%exit") && !in_block {
            // Another client's command may be answered before or after a client that it detached has left.
            ends.push(steadier.steady(line));
        } else if in_block || !steadier.is_notification(line) {
            step.answers.push(steadier.steady(line));
        } else if line.starts_with("%window-renamed") && !text.contains("rename-window") {
        } else if let Some((head, data)) =
            line.strip_prefix("%extended-output ").and_then(|rest| rest.split_once(" : "))
        {
            output.entry(head.to_owned()).or_default().push_str(data);
        } else if let Some((pane, data)) = line.strip_prefix("%output ").and_then(|rest| rest.split_once(' ')) {
            output.entry(pane.to_owned()).or_default().push_str(data);
        } else {
            step.notifications.push(steadier.steady(line).replace("%unlinked-window-close", "%window-close"));
        }
    }
    close(&mut steps, &mut output);
    steps.last_mut().unwrap().answers.extend(ends);
    steps
}

/// Where a recording is not followed: a message of two lines is told in one, as its second line would be no notification, and after the
/// block of the command, as nothing but its answer stands in a block.
fn ruled(recording: &str) -> String {
    let message = Regex::new(r"(%begin [^\n]*\n)%message hello\nworld\n(%end [^\n]*\n)").unwrap();
    message.replace_all(recording, "$1$2%message hello world\n").into_owned()
}

/// The lines of a transcript in a form that compares and reads well.
fn flat(text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for step in steps(text) {
        lines.push(step.heading);
        lines.extend(step.answers.iter().map(|line| format!("  {line}")));
        lines.extend(step.notifications.iter().map(|line| format!("    {line}")));
    }
    lines
}

#[track_caller]
fn replay(name: &str) {
    assert!(NAMES.contains(&name), "{name} is in the list");
    let script = fs::read_to_string(fixture(&format!("{name}.steps"))).unwrap();
    let got = recorder::record(&script);
    let recordings: Vec<String> =
        [format!("{name}.norm"), format!("master-3.8/{name}.norm"), format!("ours/{name}.norm")]
            .iter()
            .filter_map(|file| fs::read_to_string(fixture(file)).ok())
            .collect();
    let wanted: Vec<Vec<String>> = recordings.iter().map(|text| flat(&ruled(text))).collect();
    if std::env::var_os("ROVE_SHOW_TRANSCRIPT").is_some() {
        println!("{got}");
    }
    let lines = flat(&got);
    assert!(
        wanted.contains(&lines),
        "{name} differs from its recording:\n{}",
        difference(closest(&wanted, &lines), &lines)
    );
}

/// The recording that is equal for longest.
fn closest<'a>(recordings: &'a [Vec<String>], got: &[String]) -> &'a [String] {
    let same = |recording: &&Vec<String>| recording.iter().zip(got).take_while(|(wanted, got)| wanted == got).count();
    recordings.iter().max_by_key(same).expect("there is a recording")
}

/// Both texts from the first line that differs on, side by side enough to see why.
fn difference(wanted: &[String], got: &[String]) -> String {
    let same = wanted.iter().zip(got).take_while(|(wanted, got)| wanted == got).count();
    let part = |lines: &[String], sign: char| -> String {
        lines.iter().skip(same.saturating_sub(2)).take(25).map(|line| format!("{sign} {line}\n")).collect()
    };
    format!("recorded:\n{}replayed:\n{}", part(wanted, '-'), part(got, '+'))
}

#[test]
fn replay_01_basic_lifecycle() {
    replay("01-basic-lifecycle");
}

#[test]
fn replay_03_output_escaping() {
    replay("03-output-escaping");
}

#[test]
fn replay_04_control_on_a_terminal() {
    replay("04-cc-pty");
}

#[test]
fn replay_11_exits() {
    replay("11-exits");
}

#[test]
fn replay_12_server_killed() {
    replay("12-server-killed");
}

#[test]
fn replay_13_client_terminated() {
    replay("13-client-sigterm");
}

#[test]
fn replay_02_errors() {
    replay("02-errors");
}

#[test]
fn replay_06_flow_control() {
    replay("06-flow-control");
}

#[test]
fn replay_07_subscriptions() {
    replay("07-subscriptions");
}

#[test]
fn replay_09_names_are_inert() {
    replay("09-injection");
}

#[test]
fn replay_10_config_errors() {
    replay("10-config-error");
}

#[test]
fn replay_14_read_only_and_hooks() {
    replay("14-readonly-and-hooks");
}

#[test]
fn replay_15_start_of_iterm2() {
    replay("15-iterm2-startup");
}

#[test]
fn replay_18_big_output() {
    replay("18-big-output");
}

#[test]
fn replay_19_read_only_attach() {
    replay("19-readonly-attach");
}

#[test]
fn replay_21_not_utf8() {
    replay("21-not-utf8");
}

#[test]
fn replay_22_a_prompt_hangs_nothing() {
    replay("22-command-prompt-hang");
}

/// More than 300 s without a read: only in the long form of the tests.
#[test]
fn replay_16_too_far_behind() {
    if crate::harness::long() {
        replay("16-too-far-behind");
    }
}

#[test]
fn the_comparison_is_loose_where_it_may_and_strict_where_it_must() {
    let recorded = "> a\n%begin T N1 1\nx\n%end T N1 1\n%output %0 ab\n%b\n%a\n%window-renamed @0 sh\n";
    let moved = "> a\n%a\n%begin 17 4 1\nx\n%end 17 4 1\n%output %0 a\n%b\n%output %0 b\n";
    assert_eq!(flat(recorded), flat(moved));
    assert_ne!(flat(recorded), flat(&moved.replace("\nx\n", "\ny\n")));
    assert_ne!(flat(recorded), flat(&moved.replace("%0 b", "%0 c")));
}
