//! The demo with the real engines, offline: Claude Code and two Codex in one directory are told words in the opposite order of their launch,
//! everything is killed, and each answers its own word.
//!
//! Runs only when asked for, as root, in a network of its own in which there is nothing but the loopback:
//! `ROVE_E2E_REAL=DIR ROVE_E2E_TOOLS=DIR cargo test --test run real_engines -- --ignored`. `ROVE_E2E_REAL` holds `bin/claude` and `bin/codex`,
//! `ROVE_E2E_TOOLS` holds `real_engines.sh` (installs them, makes a home that knows no real key) and `mock_model.py` (a model which knows only
//! what stands in the conversation it is sent).

#![allow(clippy::disallowed_methods)]

mod five;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Run inside the namespaces: TOOLS, ENGINES, WORK, then what to run there, with the engines on its PATH.
const INSIDE: &str = r#"
set -eu
tools=$1 engines=$2 work=$3
shift 3
ip link set lo up
[ -z "$(ip -o link show | grep -v ' lo: ')" ] || { echo 'this network has more than the loopback'; exit 2; }
python3 "$tools/mock_model.py" --port-file "$work/port" --log "$work/requests.jsonl" 2>"$work/mock.log" &
tries=0
until [ -s "$work/port" ]; do tries=$((tries + 1)); [ $tries -lt 100 ] || { cat "$work/mock.log"; exit 2; }; sleep 0.1; done
port=$(cat "$work/port")
bash "$tools/real_engines.sh" home "$work/home" "$port" "$work/project"
mapfile -t environment < <(bash "$tools/real_engines.sh" env "$work/home" "$port" "$engines")
cd "$work/project"
exec env -i "${environment[@]}" ROVE_E2E_CYCLES="${ROVE_E2E_CYCLES:-10}" ${ROVE_TEST_BIN:+ROVE_TEST_BIN="$ROVE_TEST_BIN"} "$@"
"#;

const ROVE: &str = env!("CARGO_BIN_EXE_rove");

struct Work(PathBuf);

impl Work {
    fn new(beside: &Path) -> Work {
        // Not below the temporary directory: Codex refuses to make its links there.
        let path = beside.join(format!("e2e-{}", uuid::Uuid::new_v4()));
        std::fs::create_dir_all(path.join("project")).expect("a directory to work in");
        Work(path)
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn directory(name: &str) -> PathBuf {
    let value = std::env::var_os(name).unwrap_or_else(|| panic!("{name} is not set"));
    PathBuf::from(value).canonicalize().unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// When Codex writes what: nothing of it is documented. `$1` is the program.
const PROBE: &str = r#"
set -eu
rove=$1
"$rove" new-session -d -s probe -x 160 -y 40
"$rove" codex -t probe
seen() { "$rove" capture-pane -p -t probe | grep -qE "$1"; }
wait_for() { tries=0; until "$@"; do tries=$((tries + 1)); [ $tries -lt 300 ] || { "$rove" capture-pane -p -t probe; exit 1; }; sleep 0.2; done; }
rollouts() { find "$CODEX_HOME/sessions" -name 'rollout-*' 2>/dev/null | wc -l; }
wait_for seen 'for shortcuts|default ·'
sleep 5
echo "before the first message: $(rollouts) rollouts, $(ls "$CODEX_HOME/thread-writer-locks" 2>/dev/null | wc -l) locks"
"$rove" send-keys -t probe -l 'the codeword is PROBE-1'
spoken() { sleep 1; "$rove" send-keys -t probe Enter; sleep 1; [ "$(rollouts)" -gt 0 ]; }
wait_for spoken
known() { [ -n "$("$rove" display-message -p -t probe '#{pane_conversation}')" ]; }
wait_for known
id=$("$rove" display-message -p -t probe '#{pane_conversation}')
echo "after it: $(rollouts) rollouts, $(find "$CODEX_HOME/sessions" -name "rollout-*-$id.jsonl" | wc -l) of them of the pane's conversation"
"#;

/// Plays it and gives what it printed; the end of the namespace's first process ends all others in it.
fn play(words: &[&str]) -> (Output, String) {
    let (engines, tools) = (directory("ROVE_E2E_REAL"), directory("ROVE_E2E_TOOLS"));
    let work = Work::new(&engines);
    let output = Command::new("unshare")
        .args(["--net", "--mount", "--pid", "--fork", "--mount-proc", "--kill-child", "bash", "-c", INSIDE, "inside"])
        .args([&tools, &engines, &work.0])
        .args(words)
        .output()
        .expect("unshare runs");
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (output, said)
}

#[test]
#[ignore = "needs root, ROVE_E2E_REAL and ROVE_E2E_TOOLS; see the head of the file"]
fn claude_and_two_codex_in_one_directory_come_back_to_their_own_words() {
    let (output, said) = play(&[ROVE, "demo", "--engines", "real"]);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("PASS: 3 words came back to 3 new processes"), "{said}");
    assert_eq!(said.matches("Claude Code runs as process").count(), 1, "{said}");
    assert_eq!(said.matches("Codex runs as process").count(), 2, "{said}");
}

#[test]
#[ignore = "needs root, ROVE_E2E_REAL and ROVE_E2E_TOOLS; see the head of the file"]
fn the_doctor_tries_claude_and_codex() {
    let (output, said) = play(&[ROVE, "doctor", "--codeword", "--yes", "--here", "claude", "codex"]);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("PASS claude") && said.contains("PASS codex"), "{said}");
}

/// R29: what rove rests on without anybody having promised it. Prints what was found; fails when the row no longer fits.
#[test]
#[ignore = "needs root, ROVE_E2E_REAL and ROVE_E2E_TOOLS; see the head of the file"]
fn r29_codex_writes_nothing_before_the_first_message() {
    let (output, said) = play(&["sh", "-c", PROBE, "probe", ROVE]);
    println!("{said}");
    assert!(output.status.success(), "{said}");
    assert!(
        said.contains("before the first message: 0 rollouts"),
        "a never spoken to one could be resumed now: {said}"
    );
    assert!(said.contains(", 1 of them of the pane's conversation"), "{said}");
}

/// The test of the test: with plain shells the words must not come back.
#[test]
#[ignore = "needs root, ROVE_E2E_REAL and ROVE_E2E_TOOLS; see the head of the file"]
fn without_a_resume_no_word_comes_back() {
    let (output, said) = play(&[ROVE, "demo", "--engines", "real", "--no-resume"]);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert_eq!(
        said.matches("the pane is back as a plain shell").count(),
        3 * 2,
        "each pane says so, and the summary again: {said}"
    );
}

/// Three Claude Code and two Codex in one directory known by two names, spoken to in the opposite order of their launch, with a `/clear` and a
/// `/new` on the way: every word comes back every time. `ROVE_E2E_CYCLES` says how often, 10 times if nothing does.
#[test]
#[ignore = "needs root, ROVE_E2E_REAL and ROVE_E2E_TOOLS, and some minutes; see the head of the file"]
fn five_come_back_to_their_own_words_every_time() {
    let itself = std::env::current_exe().expect("this test's own file");
    let itself = itself.display().to_string();
    let (output, said) = play(&[&itself, "--exact", "real_engines::five_inside", "--ignored", "--nocapture"]);
    println!("{said}");
    assert!(output.status.success() && said.contains("RIGHT: "));
}

/// What that one runs inside the namespaces; nothing when run by itself.
#[test]
#[ignore = "a part of five_come_back_to_their_own_words_every_time"]
fn five_inside() {
    if std::env::var_os("ROVE_E2E_CYCLES").is_some() {
        five::play();
    }
}
