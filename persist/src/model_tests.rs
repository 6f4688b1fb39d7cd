//! Models of random commands, to bytes and back; damaged bytes; records of a disk.

use crate::key::Key;
use crate::rig::{Rig, empty};
use crate::saver::{Change, Saver};
use crate::state::{Baseline, PaneState, State};
use crate::store::{Entry, Loaded, Problem};
use crate::{restore, save};
use mux::option::{ItemKey, OptionValue};
use mux::{Effect, Face, Mux, PaneId, Program, SessionId, Stale};
use proptest::prelude::*;
use std::collections::BTreeMap;
use term::{Size, Terminal};

mod floating;
mod heard;

fn found(pane: &PaneState) -> restore::Found {
    let terminal = Terminal::new(Size { cols: pane.size.0.max(1), rows: pane.size.1.max(1) }, pane.history_limit);
    let runs = pane.program == crate::state::ProgramState::Running;
    restore::Found { terminal, process: runs.then(|| (pane.pid, pane.tty.clone())) }
}

fn back(rig: &Rig, bytes: &[u8]) -> restore::Restored {
    restore::state(bytes, empty(rig.mux.identity.face), rig.now, &mut found).unwrap()
}

/// What survives an adoption is the same in every byte.
fn assert_survives(rig: &Rig, baseline: &Baseline) {
    rig.mux.check();
    let bytes = save::state(&rig.mux, baseline);
    let restored = back(rig, &bytes);
    assert_eq!(restored.problems, Vec::<String>::new());
    restored.mux.check();
    let again = save::state(&restored.mux, &restored.baseline);
    assert_eq!(State::decode(&again).unwrap(), State::decode(&bytes).unwrap());
    assert_eq!(again, bytes);
}

const COMMANDS: &[&str] = &[
    "new-session -d -s a",
    "new-session -d -s b -x 120 -y 50 -n win sleep",
    "new-session -d",
    "new-window -d",
    "new-window -t a: -n name top -b",
    "new-window -t b:7",
    "new-window -a -t {last}",
    "split-window -d",
    "split-window -h -t a:",
    "split-window -fb -t b:",
    "split-window -h -l 5 -t :.{top}",
    "select-layout tiled",
    "select-layout main-vertical",
    "select-layout -t a: even-horizontal",
    "next-layout",
    "select-layout -E",
    "resize-pane -L 3",
    "resize-pane -Z",
    "resize-pane -Z -t a:",
    "resize-window -x 61 -y 17",
    "rotate-window",
    "swap-pane -U",
    "swap-pane -d -s a:.0 -t b:.0",
    "swap-window -s a:0 -t b:0",
    "break-pane -d",
    "break-pane -W",
    "new-pane",
    "new-pane -d -x 20 -y 6 -X -3 -Y 2",
    "new-pane -A",
    "new-pane -OCK",
    "move-pane -P bottom-right",
    "join-pane -d -s a:.1 -t b:",
    "move-window -t 9",
    "link-window -s a:0 -t b:",
    "unlink-window -t b:",
    "select-window -t :+",
    "select-window -l",
    "last-window -t a",
    "select-pane -t :.+",
    "select-pane -l",
    "select-pane -m",
    "select-pane -d",
    "select-pane -T title",
    "rename-session -t a c",
    "rename-window new",
    "set-option -g status off",
    "set-option -g prefix C-x",
    "set-option -g @user value",
    "set-option -t a status-left x",
    "set-option -w synchronize-panes on",
    "set-option -wg pane-border-status top",
    "set-option -p remain-on-exit on",
    "set-option -s escape-time 7",
    "set-option -s user-keys[3] x",
    "set-option -ga update-environment FOO",
    "set-option -gu status",
    "set-hook -g after-new-window display-message",
    "set-hook -t a client-attached[4] list-keys",
    "set-environment -g G 1",
    "set-environment -t a TOKEN secret",
    "set-environment -t a -r HOME",
    "set-environment -t a LANG de",
    "set-environment -gh HIDDEN x",
    "set-buffer text",
    "set-buffer -b named other",
    "delete-buffer",
    "bind-key x kill-pane",
    "bind-key -n F5 display-message $HOME",
    "bind-key -r -T mine -N note a split-window -h ; select-pane",
    "bind-key c new-window -a",
    "unbind-key d",
    "unbind-key -n WheelUpPane",
    "unbind-key -a -T copy-mode",
    "unbind-key -T mine a",
    "bind-key -T copy-mode q send-keys -X cancel",
    "kill-pane -t a:.{last}",
    "kill-window -t b:",
    "kill-session -t a",
    "stop-session -t b",
];

fn commands() -> impl Strategy<Value = Vec<usize>> {
    proptest::collection::vec(0..COMMANDS.len(), 1..60)
}

fn played(face: Face, commands: &[usize]) -> Rig {
    let mut rig = Rig::new(face);
    rig.lines(&["new-session -d -s a", "split-window -h -t a:", "new-session -d -s b"]);
    for at in commands {
        rig.lines(&[COMMANDS[*at]]);
    }
    rig
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn a_model_survives_an_adoption_in_every_byte(commands in commands(), rove: bool, split in 0usize..60) {
        let face = if rove { Face::Rove } else { Face::Tmux };
        let (before, after) = commands.split_at(split.min(commands.len()));
        let mut rig = played(face, before);
        let baseline = save::baseline(&rig.mux);
        for at in after {
            rig.lines(&[COMMANDS[*at]]);
        }
        assert_survives(&rig, &baseline);
    }

    #[test]
    fn a_model_comes_back_from_disk_frozen(commands in commands()) {
        let rig = played(Face::Rove, &commands);
        let mut disk = FakeDisk::default();
        let mut saver = Saver::default();
        disk.take(saver.changes(&rig.mux));
        disk.take(saver.all_screens(&rig.mux, 0));
        prop_assert_eq!(saver.changes(&rig.mux), Vec::new());
        let (mux, problems) = disk.thaw(&rig, empty(Face::Rove));
        prop_assert_eq!(problems, Vec::<String>::new());
        mux.check();
        let names = |mux: &Mux| -> Vec<_> { mux.sessions.values().map(|it| (it.id, it.name.clone(), it.current, it.last.clone())).collect() };
        prop_assert_eq!(names(&mux), names(&rig.mux));
        let windows = |mux: &Mux| -> Vec<_> { mux.windows.values().map(|it| (it.id, it.name.clone(), it.layout.dump(), it.active, it.last_panes.clone(), it.zoomed())).collect() };
        prop_assert_eq!(windows(&mux), windows(&rig.mux));
        prop_assert!(mux.panes.values().all(|pane| pane.program == Program::Frozen));
        prop_assert!(mux.sessions.values().all(|session| session.frozen));
        for (id, pane) in &mux.panes {
            prop_assert_eq!(&pane.options, &rig.mux.panes[id].options);
        }
        prop_assert_eq!(mux.key_changes().into_iter().filter(not_empty_table).collect::<Vec<_>>(),
            rig.mux.key_changes().into_iter().filter(not_empty_table).collect::<Vec<_>>());
        for (one, other) in [(&mux.globals.server, &rig.mux.globals.server), (&mux.globals.session, &rig.mux.globals.session), (&mux.globals.window, &rig.mux.globals.window)] {
            prop_assert_eq!(one, other);
        }
    }

    #[test]
    fn any_bytes_are_refused_or_put_back_whole(bytes in proptest::collection::vec(any::<u8>(), 0..400), flips in proptest::collection::vec((any::<u32>(), any::<u8>()), 1..20)) {
        let rig = Rig::new(Face::Tmux);
        let _ = restore::state(&bytes, empty(Face::Tmux), rig.now, &mut found);
        let rig = played(Face::Tmux, &[7, 20, 28, 60]);
        let mut bad = save::state(&rig.mux, &Baseline::default());
        for (at, value) in flips {
            let at = 2 + at as usize % (bad.len() - 2);
            bad[at] = value;
        }
        if let Ok(restored) = restore::state(&bad, empty(Face::Tmux), rig.now, &mut bounded) {
            restored.mux.check();
        }
    }
}

fn not_empty_table(change: &mux::adopt::KeyChange) -> bool {
    !matches!(change, mux::adopt::KeyChange::Table(_))
}

/// As a caller would: no screen is made of a size that is not believed.
fn bounded(pane: &PaneState) -> restore::Found {
    let size = Size { cols: pane.size.0.clamp(1, 500), rows: pane.size.1.clamp(1, 500) };
    restore::Found { terminal: Terminal::new(size, pane.history_limit.min(1000)), process: None }
}

/// Files by their keys.
#[derive(Default)]
struct FakeDisk(BTreeMap<Key, Vec<u8>>);

impl FakeDisk {
    fn take(&mut self, changes: impl IntoIterator<Item = Change>) {
        for change in changes {
            match change {
                Change::Put(key, payload) => drop(self.0.insert(key, payload)),
                Change::Delete(key) => drop(self.0.remove(&key)),
            }
        }
    }

    fn loaded(&self) -> Loaded {
        let records = self.0.iter().filter(|(key, _)| key.kind() != crate::Kind::Screen);
        Loaded {
            entries: records.map(|(key, payload)| Entry { key: key.clone(), payload: payload.clone() }).collect(),
            screens: self.0.keys().filter(|key| key.kind() == crate::Kind::Screen).cloned().collect(),
            problems: Vec::new(),
        }
    }

    fn thaw(&self, rig: &Rig, mux: Mux) -> (Mux, Vec<String>) {
        self.thaw_loaded(&self.loaded(), rig, mux)
    }

    fn thaw_loaded(&self, loaded: &Loaded, rig: &Rig, mut mux: Mux) -> (Mux, Vec<String>) {
        let mut plan = restore::from_store(loaded);
        plan.apply(&mut mux, rig.now, &mut |key| Ok(self.0.get(key).cloned()));
        plan.apply_settings(&mut mux);
        (mux, plan.problems)
    }
}

fn two_sessions() -> (Rig, FakeDisk, Saver) {
    let mut rig = Rig::new(Face::Rove);
    rig.lines(&["new-session -d -s a", "split-window -t a:", "split-window -h -t a:", "new-session -d -s b"]);
    rig.output(1, b"hello");
    let (mut disk, mut saver) = (FakeDisk::default(), Saver::default());
    disk.take(saver.changes(&rig.mux));
    disk.take(saver.all_screens(&rig.mux, 0));
    (rig, disk, saver)
}

fn key_of(rig: &Rig, pane: u32) -> Key {
    Key::pane(&mux::agent::uuid_text(rig.mux.panes[&PaneId(pane)].uuid))
}

fn screen_of(rig: &Rig, pane: u32) -> Key {
    Key::screen(key_of(rig, pane).stem())
}

#[test]
fn a_bad_pane_record_costs_that_pane_only() {
    let (rig, mut disk, _) = two_sessions();
    disk.0.insert(key_of(&rig, 1), b"\xff\xff".to_vec());
    let (mux, problems) = disk.thaw(&rig, empty(Face::Rove));
    mux.check();
    assert_eq!(mux.panes.keys().map(|pane| pane.0).collect::<Vec<_>>(), [0, 2, 3]);
    assert_eq!(mux.sessions.len(), 2);
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert!(problems[0].ends_with("was written by a newer rove (pane record version 65535, this one reads up to 1)"));
}

#[test]
fn a_pane_closed_just_before_the_end_is_no_problem() {
    let (rig, mut disk, _) = two_sessions();
    disk.0.remove(&key_of(&rig, 1));
    let (mux, problems) = disk.thaw(&rig, empty(Face::Rove));
    mux.check();
    assert_eq!((mux.panes.len(), problems), (3, Vec::new()));
}

#[test]
fn a_bad_screen_costs_that_screen_only_and_says_so_on_it() {
    let (rig, mut disk, _) = two_sessions();
    disk.0.insert(screen_of(&rig, 1), b"rove?".to_vec());
    let (mux, problems) = disk.thaw(&rig, empty(Face::Rove));
    assert_eq!(problems.len(), 1);
    assert!(problems[0].starts_with("the screen of pane %1 was not restored: "), "{problems:?}");
    let shown =
        |pane: u32| String::from_utf8(mux.panes[&PaneId(pane)].terminal.capture(&term::Capture::default())).unwrap();
    assert!(shown(1).starts_with("rove: the screen of "));
    assert_eq!(mux.panes.len(), 4);
    let (mux, _) = two_sessions().1.thaw(&rig, empty(Face::Rove));
    let text = mux.panes[&PaneId(1)].terminal.capture(&term::Capture::default());
    assert!(String::from_utf8(text).unwrap().starts_with("hello"));
}

#[test]
fn panes_of_a_bad_session_record_are_gathered() {
    let (rig, mut disk, _) = two_sessions();
    disk.0.insert(Key::session("a"), vec![1, 0, 7]);
    let (mux, problems) = disk.thaw(&rig, empty(Face::Rove));
    mux.check();
    assert_eq!(mux.sessions.values().map(|it| it.name.as_str()).collect::<Vec<_>>(), ["b", "restored"]);
    assert_eq!(mux.panes.len(), 4);
    assert_eq!(problems.len(), 2, "{problems:?}");
    // The store may have found it damaged before.
    let mut loaded = disk.loaded();
    loaded.entries.retain(|entry| entry.key != Key::session("a"));
    loaded.problems.push(Problem { file: "a.session".into(), what: "is damaged (checksum)".into() });
    let (mux, problems) = disk.thaw_loaded(&loaded, &rig, empty(Face::Rove));
    assert_eq!((mux.panes.len(), problems[0].as_str()), (4, "a.session is damaged (checksum)"));
}

#[test]
fn ids_and_names_that_are_taken_are_given_anew() {
    let (rig, disk, _) = two_sessions();
    let mut other = Rig::new(Face::Rove);
    other.world = Default::default();
    other.lines(&["new-session -d -s a"]);
    for pane in other.mux.panes.values_mut() {
        pane.uuid = 99;
    }
    let (mux, problems) = disk.thaw(&rig, other.into_mux());
    mux.check();
    assert_eq!(mux.sessions.values().map(|it| it.name.as_str()).collect::<Vec<_>>(), ["a", "b", "a-2"]);
    assert_eq!(problems, ["session a came back as a-2"]);
    assert_eq!(mux.panes.len(), 5);
    assert_eq!(mux.panes[&PaneId(0)].program, Program::Running);
    // The layouts name the panes by the ids they have now.
    let session = mux.sessions.values().find(|it| it.name == "a-2").unwrap();
    assert_eq!(mux.windows[&session.current_window().unwrap()].panes().len(), 3);
}

#[test]
fn only_what_changed_is_written_and_what_is_gone_is_deleted() {
    let (mut rig, mut disk, mut saver) = two_sessions();
    rig.lines(&["rename-session -t b c"]);
    let mut changes = saver.changes(&rig.mux);
    changes.retain(|change| !matches!(change, Change::Put(key, _) if *key == Key::server()));
    let names: Vec<(bool, String)> = changes
        .iter()
        .map(|change| match change {
            Change::Put(key, _) => (true, key.file_name()),
            Change::Delete(key) => (false, key.file_name()),
        })
        .collect();
    assert_eq!(names, [(true, "c.session".into()), (false, "b.session".into())]);
    disk.take(changes);

    let uuid = rig.mux.panes[&PaneId(1)].uuid;
    let (pane, screen) = (key_of(&rig, 1), screen_of(&rig, 1));
    let effects = rig.run(&["kill-pane", "-t", "%1"]);
    assert!(effects.contains(&Effect::Persist(Stale::PaneForgotten(uuid))));
    assert_eq!(saver.forget(uuid), [Change::Delete(pane.clone()), Change::Delete(screen.clone())]);
    disk.take([Change::Delete(pane), Change::Delete(screen)]);
    disk.take(saver.changes(&rig.mux));
    assert_eq!(disk.0.keys().filter(|key| key.kind() == crate::Kind::Pane).count(), 3);
    let (mux, problems) = disk.thaw(&rig, empty(Face::Rove));
    assert_eq!((mux.panes.len(), problems), (3, Vec::new()));
}

#[test]
fn a_cut_in_the_middle_of_a_move_or_a_new_name_loses_no_pane() {
    let (mut rig, old, mut saver) = two_sessions();
    rig.lines(&["rename-session -t b c", "move-window -s a:0 -t c:5", "new-session -d -s a"]);
    let changes = saver.changes(&rig.mux);
    for order in [false, true] {
        let mut disk = FakeDisk(old.0.clone());
        let mut changes = changes.clone();
        if order {
            changes.reverse();
        }
        for change in changes {
            let (mux, _) = disk.thaw(&rig, empty(Face::Rove));
            mux.check();
            for pane in 0..4 {
                assert!(mux.panes.contains_key(&PaneId(pane)), "%{pane} before {change:?}");
            }
            disk.take([change]);
        }
        let (mux, problems) = disk.thaw(&rig, empty(Face::Rove));
        assert_eq!((mux.panes.len(), problems), (5, Vec::new()));
    }
}

#[test]
fn what_was_found_on_disk_is_not_written_again_and_goes_when_nobody_has_it() {
    let (mut rig, disk, _) = two_sessions();
    let mut saver = Saver::default();
    saver.knows(&disk.loaded());
    assert_eq!(saver.changes(&rig.mux), Vec::new());
    let (pane, screen) = (key_of(&rig, 3), screen_of(&rig, 3));
    rig.run(&["kill-session", "-t", "b"]);
    let gone: Vec<Change> =
        saver.changes(&rig.mux).into_iter().filter(|change| matches!(change, Change::Delete(_))).collect();
    assert_eq!(gone, [Change::Delete(pane), Change::Delete(screen), Change::Delete(Key::session("b"))]);
}

#[test]
fn what_can_not_be_read_is_left_alone() {
    let (rig, disk, _) = two_sessions();
    let (pane, screen) = (key_of(&rig, 3), screen_of(&rig, 3));
    let mut loaded = disk.loaded();
    // One pane's record is of a newer program, one session's file is damaged.
    let entry = loaded.entries.iter_mut().find(|entry| entry.key == pane).unwrap();
    entry.payload = b"a later form".to_vec();
    loaded.entries.retain(|entry| entry.key != Key::session("b"));
    loaded.problems.push(Problem { file: Key::session("b").file_name(), what: "is damaged (checksum)".into() });
    let mut saver = Saver::default();
    saver.knows(&loaded);
    let deleted: Vec<Change> =
        saver.changes(&empty(Face::Rove)).into_iter().filter(|change| matches!(change, Change::Delete(_))).collect();
    assert!(!deleted.is_empty(), "what was read and is in no model goes");
    for key in [pane, screen, Key::session("b")] {
        assert!(!deleted.contains(&Change::Delete(key.clone())), "{key:?}");
    }
}

#[test]
fn values_of_secrets_are_in_memory_and_not_on_disk() {
    let (mut rig, mut disk, mut saver) = two_sessions();
    rig.lines(&[
        "set-environment -t a TOKEN s3cr3t",
        "set-environment -t a LANG de_DE",
        "set-environment -g KEY s3cr3t",
    ]);
    disk.take(saver.changes(&rig.mux));
    let has = |bytes: &[u8]| bytes.windows(6).any(|window| window == b"s3cr3t");
    assert!(!disk.0.values().any(|payload| has(payload)));
    assert!(has(&saver.state(&rig.mux)));
    let (mux, _) = disk.thaw(&rig, empty(Face::Rove));
    assert_eq!(mux.sessions[&SessionId(0)].environment.get("LANG"), Some("de_DE"));
    assert_eq!(mux.sessions[&SessionId(0)].environment.get("TOKEN"), None);
}

#[test]
fn the_configuration_is_not_written_but_what_was_set_beside_it() {
    let mut rig = Rig::new(Face::Rove);
    rig.lines(&["set -g mouse on", "set -g status-left conf", "bind x kill-pane", "bind y kill-pane", "new -d -s a"]);
    let mut saver = Saver::default();
    saver.configured(&rig.mux);
    rig.lines(&[
        "set -g status-left mine",
        "set -gu mouse",
        "bind z list-keys",
        "unbind y",
        "bind -r -N a;b -T t M-x next",
    ]);
    let mut disk = FakeDisk::default();
    disk.take(saver.changes(&rig.mux));
    let server =
        crate::record::Record::decode(&disk.0[&Key::server()]).map(|it: crate::record::ServerRecord| it).unwrap();
    assert_eq!(
        server.session_options,
        [("status-left".into(), "mine".into()), ("mouse".to_owned(), rig.mux.globals.session.text("mouse"))]
    );
    let expected =
        ["bind-key -T prefix z list-keys", "bind-key -r -N \"a;b\" -T t M-x next-window", "unbind-key -T prefix y"];
    let mut bindings = server.bindings.clone();
    bindings.sort();
    let mut expected: Vec<String> = expected.map(str::to_owned).to_vec();
    expected.sort();
    assert_eq!(bindings, expected);
    // At the next start the configuration says something else, and is heard where nothing was set beside it.
    let mut next = Rig::new(Face::Rove);
    next.lines(&[
        "bind x list-keys",
        "bind y kill-pane",
        "set -g mouse on",
        "set -g status-left new",
        "set -g base-index 3",
    ]);
    let (mux, problems) = disk.thaw(&rig, next.into_mux());
    assert_eq!(problems, Vec::<String>::new());
    assert_eq!(mux.globals.session.text("status-left"), "mine");
    assert_eq!(mux.globals.session.number("base-index"), 3);
    let bound = |key: &str| {
        mux.key_changes().into_iter().find_map(|change| match change {
            mux::adopt::KeyChange::Bound { key: other, command, .. } if other == key => Some(command),
            _ => None,
        })
    };
    assert_eq!(
        (bound("x").as_deref(), bound("y"), bound("z").as_deref()),
        (Some("list-keys"), None, Some("list-keys"))
    );
}

#[test]
fn screens_are_saved_in_five_seconds_at_most_once_and_at_an_exit_at_once() {
    let (rig, ..) = two_sessions();
    let uuid = rig.mux.panes[&PaneId(1)].uuid;
    let mut saver = Saver::default();
    let mut times = Vec::new();
    for now in (0..30_000).step_by(10) {
        saver.touched(uuid, now);
        let due = saver.due(&rig.mux, now);
        assert_eq!(due.is_empty(), saver.deadline_ms().is_none_or(|deadline| deadline > now));
        if !due.is_empty() {
            assert_eq!(saver.screens(&rig.mux, &due, now).len(), 1);
            times.push(now);
        }
    }
    assert_eq!(times, [1_000, 6_000, 11_000, 16_000, 21_000, 26_000]);
    saver.exited(uuid, 26_500);
    assert_eq!(saver.due(&rig.mux, 26_500), [PaneId(1)]);
    saver.screens(&rig.mux, &[PaneId(1)], 26_500);
    assert_eq!(saver.deadline_ms(), None);
}

#[test]
fn a_state_of_another_version_is_refused_with_words() {
    let rig = played(Face::Tmux, &[]);
    let mut bytes = save::state(&rig.mux, &Baseline::default());
    let newest = crate::state::VERSION;
    bytes[..2].copy_from_slice(&(newest + 1).to_le_bytes());
    let refused = |bytes: &[u8]| restore::state(bytes, empty(Face::Tmux), rig.now, &mut found).unwrap_err().to_string();
    let newer = format!("was written by a newer rove (state version {}, this one reads up to {newest})", newest + 1);
    assert_eq!(refused(&bytes), newer);
    bytes[..2].copy_from_slice(&0u16.to_le_bytes());
    assert_eq!(refused(&bytes), "has an unknown state version 0");
    assert_eq!(refused(&[1]), "holds no readable state");
}

#[test]
fn a_pane_that_the_host_lost_waits_for_an_attach() {
    let rig = played(Face::Tmux, &[]);
    let bytes = save::state(&rig.mux, &Baseline::default());
    let restored = restore::state(&bytes, empty(Face::Tmux), rig.now, &mut bounded).unwrap();
    assert!(restored.mux.panes.values().all(|pane| pane.program == Program::Frozen && pane.pid == 0));
}

#[test]
fn the_agent_of_a_pane_comes_back() {
    let (mut rig, mut disk, mut saver) = two_sessions();
    let agent = mux::adopt::AgentRecord { engine: "x".into(), id: Some("c1".into()), ..Default::default() };
    rig.mux.panes.get_mut(&PaneId(1)).unwrap().agent = Some(agent.clone());
    disk.take(saver.changes(&rig.mux));
    let (mux, _) = disk.thaw(&rig, empty(Face::Rove));
    assert_eq!(mux.panes[&PaneId(1)].agent, Some(agent));
    assert_eq!(mux.panes[&PaneId(0)].agent, None);
}

/// How long saving takes is to be seen with `--nocapture`; what is asserted holds on any machine.
#[test]
fn five_hundred_panes_are_one_small_state() {
    let mut rig = Rig::new(Face::Tmux);
    rig.run(&["new-session", "-d", "-s", "a", "-x", "200", "-y", "200"]);
    for _ in 1..100 {
        rig.run(&["new-window", "-d", "-t", "a:"]);
    }
    for window in 0..100 {
        for _ in 0..4 {
            rig.run(&["split-window", "-d", "-t", &format!("a:{window}")]);
        }
    }
    assert_eq!(rig.mux.panes.len(), 500);
    let mut saver = Saver::default();
    saver.configured(&rig.mux);
    let time = |what: &str, run: &mut dyn FnMut()| {
        let start = std::time::Instant::now();
        (0..10).for_each(|_| run());
        println!("{what}: {:?}", start.elapsed() / 10);
    };
    let alone = played(Face::Tmux, &[]);
    time("state of three panes", &mut || drop(saver.state(&alone.mux)));
    let mut bytes = Vec::new();
    time("state", &mut || bytes = saver.state(&rig.mux));
    assert!(bytes.len() < 100_000, "{}", bytes.len());
    time("restore", &mut || drop(back(&rig, &bytes)));
    assert_eq!(saver.changes(&rig.mux).len(), 502);
    time("changes", &mut || assert_eq!(saver.changes(&rig.mux), Vec::new()));
}

#[test]
fn keys_of_items_that_are_numbers_are_kept_as_before_there_were_names() {
    let array = |keys: &[&str]| {
        let items = keys.iter().map(|key| (ItemKey::parse(key).expect("a key"), (*key).to_owned()));
        OptionValue::Array(items.collect())
    };
    for value in [array(&["0", "7"]), array(&["1", "a"]), OptionValue::Flag(true), OptionValue::Text("x".into())] {
        let bytes = postcard::to_allocvec(&value).expect("plain data");
        assert_eq!(postcard::from_bytes::<OptionValue>(&bytes), Ok(value));
    }
    // The variant, how many, then number, length and text of each.
    assert_eq!(postcard::to_allocvec(&array(&["0", "7"])), Ok(vec![3, 2, 0, 1, b'0', 7, 1, b'7']));
}
