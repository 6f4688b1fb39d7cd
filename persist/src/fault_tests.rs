//! A whole freeze of a model against power cuts and failing calls, and a whole store against whatever may stand in it.
//! The counts are those that were promised; each test prints its own.

use crate::frame;
use crate::key::{Key, Kind};
use crate::record::check;
use crate::rig::{Rig, empty};
use crate::saver::{Change, Saver};
use crate::sim::{Loss, Random, SimDisk};
use crate::store::{DIRECTORY, Store};
use crate::{restore, store::Loaded};
use mux::{Face, Mux, PaneId};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const HOME: &str = "/home";

/// The values of two freezes of one model, and what leads from the first to the second.
struct Freezes {
    rig: Rig,
    first: Vec<Change>,
    second: Vec<Change>,
}

fn freezes() -> Freezes {
    let mut rig = Rig::new(Face::Rove);
    rig.lines(&["new-session -d -s a", "split-window -t a:", "split-window -h -t a:", "new-session -d -s b"]);
    let mut saver = Saver::default();
    for pane in 0..4 {
        rig.output(pane, format!("\x1b[3{pane}mwords of pane {pane}\r\n").repeat(40).as_bytes());
    }
    let mut first = saver.changes(&rig.mux);
    first.extend(saver.all_screens(&rig.mux, 0));
    rig.lines(&["rename-session -t b c", "new-window -d -t a: sleep", "set-buffer words"]);
    let uuid = rig.mux.panes[&PaneId(1)].uuid;
    rig.lines(&["kill-pane -t %1"]);
    let mut second = saver.forget(uuid).to_vec();
    for pane in [0, 2, 3, 4] {
        rig.output(pane, b"and others");
    }
    second.extend(saver.changes(&rig.mux));
    second.extend(saver.all_screens(&rig.mux, 10_000));
    Freezes { rig, first, second }
}

type Values = BTreeMap<Key, Option<Vec<u8>>>;

fn open(disk: &SimDisk, start_ms: u64) -> Store {
    Store::open(Box::new(disk.clone()), Path::new(HOME), start_ms).unwrap().checked(check)
}

fn make(store: &mut Store, change: &Change) -> bool {
    match change {
        Change::Put(key, payload) => store.write(key, payload, &|| true).is_ok(),
        Change::Delete(key) => store.delete(key).is_ok(),
    }
}

fn after(values: &mut Values, change: &Change) {
    match change {
        Change::Put(key, payload) => values.insert(key.clone(), Some(payload.clone())),
        Change::Delete(key) => values.insert(key.clone(), None),
    };
}

impl Freezes {
    /// A disk with the first freeze on it, and what it holds.
    fn frozen(&self) -> (SimDisk, Values) {
        let (disk, mut values) = (SimDisk::default(), Values::new());
        let mut store = open(&disk, 1_000);
        for change in &self.first {
            assert!(make(&mut store, change));
            after(&mut values, change);
        }
        (disk, values)
    }

    /// The second freeze after the first: what the disk holds before it, how many calls were made by then, and how many
    /// the second one makes.
    fn calls_of_second(&self) -> (Values, u64, u64) {
        let (disk, first) = self.frozen();
        let before = disk.state().calls;
        let mut store = open(&disk, 1_000);
        assert!(self.second.iter().all(|change| make(&mut store, change)));
        let calls = disk.state().calls - before;
        (first, before, calls)
    }

    /// What a server makes of a disk, checked as a whole.
    fn thaw(&self, store: &mut Store) -> (Loaded, Mux, Vec<String>) {
        let loaded = store.load().unwrap();
        let mut plan = restore::from_store(&loaded);
        let mut mux = empty(Face::Rove);
        plan.apply(&mut mux, self.rig.now, &mut |key| match store.read(key) {
            (None, Some(problem)) => Err(problem.what),
            (bytes, _) => Ok(bytes),
        });
        plan.apply_settings(&mut mux);
        mux.check();
        (loaded, mux, plan.problems)
    }
}

#[test]
fn f1_a_power_cut_at_any_call_of_a_freeze_leaves_the_old_or_the_new_generation_of_everything() {
    let freezes = freezes();
    let (first, before, calls) = freezes.calls_of_second();
    let rounds = 5_000_u64.div_ceil(calls * 3);
    let (mut cases, start) = (0, Instant::now());
    for at in 0..calls {
        let (disk, _) = freezes.frozen();
        disk.state().cut_at = Some(before + at);
        let mut store = open(&disk, 1_000);
        let (mut old, mut new) = (first.clone(), first.clone());
        for change in &freezes.second {
            after(&mut new, change);
            if !make(&mut store, change) {
                break;
            }
            after(&mut old, change);
        }
        for round in 0..rounds {
            for loss in [Loss::All, Loss::Torn, Loss::Reordered] {
                let case = format!("call {at}, {loss:?}, seed {round}");
                let found = disk.after_cut(loss, &mut Random::new(round << 32 | at));
                let mut store = open(&found, 1_000_000);
                for (key, wanted) in &new {
                    let (value, problem) = store.read(key);
                    assert_eq!(problem, None, "{case}");
                    let was = old.get(key).cloned().flatten();
                    assert!(value == was || value == *wanted, "{case}: {key:?} has neither generation");
                }
                // Reading the whole model is the dear part; every key was compared above.
                if round == 0 {
                    let (_, mux, problems) = freezes.thaw(&mut store);
                    assert_eq!((mux.sessions.len(), problems), (2, Vec::new()), "{case}");
                    let strays = found.names().into_iter().filter(|name| name.to_string_lossy().ends_with(".tmp"));
                    assert_eq!(strays.count(), 0, "{case}");
                }
                cases += 1;
            }
        }
    }
    println!("f1: {cases} power cuts at {calls} calls in {:?}", start.elapsed());
    assert!(cases >= 5_000);
}

#[test]
fn f3_any_call_that_fails_with_any_error_leaves_the_old_or_the_new_value_and_is_made_good() {
    const ERRORS: [(&str, i32); 3] = [("EIO", 5), ("ENOSPC", 28), ("EROFS", 30)];
    let freezes = freezes();
    let (first, before, calls) = freezes.calls_of_second();
    let mut last = first.clone();
    freezes.second.iter().for_each(|change| after(&mut last, change));
    let mut cases = 0;
    for (name, error) in ERRORS {
        for at in before..before + calls {
            for until in [at + 1, u64::MAX] {
                let case = format!("call {at} to {until}, {name}");
                let (disk, _) = freezes.frozen();
                disk.state().error = Some(error);
                disk.state().fail = at..until;
                let mut store = open(&disk, 1_000);
                let mut failed = Vec::new();
                for change in &freezes.second {
                    if !make(&mut store, change) {
                        failed.push(change);
                    }
                }
                assert!(!failed.is_empty() || until == at + 1, "{case}");
                for (key, wanted) in &last {
                    let (value, problem) = store.read(key);
                    assert_eq!(problem, None, "{case}");
                    let was = first.get(key).cloned().flatten();
                    assert!(value == was || value == *wanted, "{case}: {key:?} has neither value");
                }
                disk.state().fail = 0..0;
                assert!(failed.into_iter().all(|change| make(&mut store, change)), "{case}");
                for (key, wanted) in &last {
                    assert_eq!(store.read(key).0, *wanted, "{case}: {key:?} when the disk works again");
                }
                cases += 1;
            }
        }
    }
    println!("f3: {cases} failures at {calls} calls");
}

/// A disk with both generations of everything, the newest of which is to be spoilt.
struct Spoilt {
    freezes: Freezes,
    disk: SimDisk,
    /// Each key that has two generations, with its newest file and the payload of the one before.
    files: Vec<(Key, Vec<u8>, Vec<u8>)>,
    slowest: Duration,
    cases: usize,
}

fn path(name: &str) -> PathBuf {
    Path::new(HOME).join(DIRECTORY).join(name)
}

impl Spoilt {
    fn new() -> Spoilt {
        let freezes = freezes();
        let (disk, first) = freezes.frozen();
        let mut store = open(&disk, 1_000);
        assert!(freezes.second.iter().all(|change| make(&mut store, change)));
        let mut files = Vec::new();
        for change in &freezes.second {
            if let Change::Put(key, payload) = change
                && let Some(Some(before)) = first.get(key)
            {
                files.push((key.clone(), frame::encode(key.kind(), payload).unwrap(), before.clone()));
            }
        }
        assert!(
            [Kind::Screen, Kind::Session, Kind::Server].iter().all(|kind| files.iter().any(|it| it.0.kind() == *kind))
        );
        Spoilt { freezes, disk, files, slowest: Duration::ZERO, cases: 0 }
    }

    /// Puts bytes in the place of a newest file: the one before is used, and the words name the file.
    fn falls_back(&mut self, number: usize, bytes: &[u8], case: &str) {
        let (key, newest, before) = &self.files[number];
        let whole = self.cases.is_multiple_of(50);
        self.disk.plant(&path(&key.file_name()), bytes);
        let start = Instant::now();
        let mut store = open(&self.disk, 1_000);
        let (value, problem) = store.read(key);
        assert_eq!(value.as_ref(), Some(before), "{case}: {key:?}");
        let said = problem.unwrap_or_else(|| panic!("{case}: nothing is said of {key:?}"));
        assert!(said.what.ends_with(&format!("; {} is used", key.old_name())), "{case}: {said:?}");
        if whole {
            let (_, mux, problems) = self.freezes.thaw(&mut store);
            assert_eq!(mux.panes.len(), 4, "{case}: {problems:?}");
            assert!(key.kind() == Kind::Screen || problems.iter().any(|it| it.starts_with(&key.file_name())), "{case}");
        }
        self.slowest = self.slowest.max(start.elapsed());
        self.disk.plant(&path(&key.file_name()), newest);
        self.cases += 1;
    }

    fn done(&self, what: &str) {
        println!("f4: {} {what}, the slowest took {:?}", self.cases, self.slowest);
        assert!(self.slowest < Duration::from_secs(1));
    }
}

#[test]
fn f4_a_file_cut_at_any_length_is_not_used() {
    let mut store = Spoilt::new();
    for number in 0..store.files.len() {
        let file = store.files[number].1.clone();
        let step = if file.len() < 4096 { 1 } else { 41 };
        for length in (0..file.len()).step_by(step) {
            store.falls_back(number, &file[..length], &format!("cut to {length} bytes"));
        }
    }
    assert!(store.cases >= 2_000, "{}", store.cases);
    store.done("files cut short");
}

#[test]
fn f4_ten_thousand_flipped_bits_are_found() {
    let mut store = Spoilt::new();
    let mut random = Random::new(11);
    for _ in 0..10_000 {
        let number = random.below(store.files.len() as u64) as usize;
        let mut bytes = store.files[number].1.clone();
        let bit = random.below(bytes.len() as u64 * 8);
        bytes[(bit / 8) as usize] ^= 1 << (bit % 8);
        store.falls_back(number, &bytes, &format!("bit {bit}"));
    }
    store.done("flipped bits");
}

#[test]
fn f4_a_thousand_random_files_and_as_many_with_a_right_frame_are_survived() {
    let mut store = Spoilt::new();
    let mut random = Random::new(12);
    let bytes = |random: &mut Random| -> Vec<u8> {
        let length = random.below(2_000);
        (0..length).map(|_| random.below(256) as u8).collect()
    };
    for _ in 0..1_000 {
        let number = random.below(store.files.len() as u64) as usize;
        let file = bytes(&mut random);
        store.falls_back(number, &file, "random bytes");
    }
    // With a right checksum and version only the content itself can be wrong, and some of it may make sense.
    for case in 0..1_000 {
        let number = random.below(store.files.len() as u64) as usize;
        let (key, newest, _) = store.files[number].clone();
        let mut payload = bytes(&mut random);
        payload.splice(0..2.min(payload.len()), newest[frame::HEADER..frame::HEADER + 2].iter().copied());
        store.disk.plant(&path(&key.file_name()), &frame::encode(key.kind(), &payload).unwrap());
        let start = Instant::now();
        let (_, mux, _) = store.freezes.thaw(&mut open(&store.disk, 1_000));
        assert!(!mux.sessions.is_empty(), "case {case}");
        store.slowest = store.slowest.max(start.elapsed());
        store.disk.plant(&path(&key.file_name()), &newest);
        store.cases += 1;
    }
    store.done("random files");
}

#[test]
fn f4_a_length_beyond_all_bounds_and_versions_that_never_were_are_refused() {
    let mut store = Spoilt::new();
    for number in 0..store.files.len() {
        let (key, file, _) = store.files[number].clone();
        for length in [64u64 << 30, u64::MAX, frame::MAX_PAYLOAD as u64 + 1] {
            let mut bytes = file.clone();
            bytes[8..16].copy_from_slice(&length.to_le_bytes());
            store.falls_back(number, &bytes, "a length beyond all bounds");
        }
        for version in [0u16, 2, u16::MAX] {
            let mut bytes = file.clone();
            bytes[4..6].copy_from_slice(&version.to_le_bytes());
            store.falls_back(number, &bytes, "another version of the frame");
        }
        // A record of a later version in a frame of this one: f22.
        let mut payload = file[frame::HEADER..].to_vec();
        let at = if key.kind() == Kind::Screen { 4 } else { 0 };
        payload[at..at + 2].copy_from_slice(&9u16.to_le_bytes());
        store.falls_back(number, &frame::encode(key.kind(), &payload).unwrap(), "a record of a later version");
        store.falls_back(number, b"", "nothing");
    }
    store.done("lengths and versions");
}

#[test]
fn f22_what_a_newer_program_wrote_is_put_aside_and_not_overwritten() {
    let store = Spoilt::new();
    let (key, file, _) = store.files.iter().find(|(key, ..)| key.kind() == Kind::Session).unwrap();
    let mut payload = file[frame::HEADER..].to_vec();
    payload[..2].copy_from_slice(&9u16.to_le_bytes());
    let newer = frame::encode(key.kind(), &payload).unwrap();
    store.disk.plant(&path(&key.file_name()), &newer);
    let mut opened = open(&store.disk, 1_000);
    let (_, problem) = opened.read(key);
    let said = problem.unwrap().what;
    assert!(said.contains("was written by a newer rove (session record version 9, this one reads up to 2)"), "{said}");
    opened.write(key, &file[frame::HEADER..], &|| true).unwrap();
    let mut disk = store.disk.clone();
    let aside = crate::Disk::read(&mut disk, &path(&key.bad_name()), u64::MAX).unwrap();
    assert_eq!(aside, newer);
    assert_eq!(opened.read(key).1, None);
    opened.delete(key).unwrap();
    assert!(!store.disk.names().contains(&path(&key.bad_name())));
}
