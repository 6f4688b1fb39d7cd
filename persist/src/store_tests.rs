//! The store against power cuts, failing calls, bad files and half-written ones.

use super::*;
use crate::sim::{Loss, Random, SimDisk};
use std::collections::BTreeMap;

const ALWAYS: &dyn Fn() -> bool = &|| true;

fn open(disk: &SimDisk) -> Store {
    Store::open(Box::new(disk.clone()), Path::new("/home"), 1_000).unwrap()
}

fn value(random: &mut Random, generation: u64) -> Vec<u8> {
    let length = random.below(3000);
    let mut bytes = generation.to_le_bytes().to_vec();
    bytes.extend((0..length).map(|_| random.below(256) as u8));
    bytes
}

type Values = BTreeMap<Key, Option<Vec<u8>>>;

/// Twenty writes and deletes of four keys. For each key what it had before the step that failed (or the last), and after.
fn scenario(store: &mut Store, seed: u64) -> (Values, Values) {
    let keys = [Key::pane("p"), Key::screen("p"), Key::session("work"), Key::server()];
    let mut random = Random::new(seed);
    let mut before = Values::new();
    for generation in 0..20 {
        let key = keys[random.below(4) as usize].clone();
        let mut after = before.clone();
        let result = if random.below(6) == 0 {
            after.insert(key.clone(), None);
            store.delete(&key)
        } else {
            let value = value(&mut random, generation);
            after.insert(key.clone(), Some(value.clone()));
            store.write(&key, &value, ALWAYS)
        };
        if result.is_err() {
            return (before, after);
        }
        before = after;
    }
    (before.clone(), before)
}

/// Power cuts at every call of scenarios: every key has the old or the new value.
#[test]
fn a_power_cut_leaves_the_old_or_the_new_generation() {
    let mut cases = 0;
    for seed in 0..20 {
        let whole = SimDisk::default();
        scenario(&mut open(&whole), seed);
        let calls = whole.state().calls;
        assert!(calls >= 60, "{calls}");
        for at in 0..calls {
            let disk = SimDisk::default();
            disk.state().cut_at = Some(at);
            let (before, after) = scenario(&mut open(&disk), seed);
            for loss in [Loss::All, Loss::Torn, Loss::Reordered] {
                let found = disk.after_cut(loss, &mut Random::new(seed << 32 | at));
                check(&found, &before, &after, &format!("seed {seed}, call {at}, {loss:?}"));
                cases += 1;
            }
        }
    }
    assert!(cases >= 5_000, "{cases}");
}

fn check(found: &SimDisk, before: &Values, after: &Values, case: &str) {
    let mut store = open(found);
    for (key, new) in after {
        let (value, problem) = store.read(key);
        assert_eq!(problem, None, "{case}");
        let old = before.get(key).cloned().flatten();
        assert!(value == old || value == *new, "{case}: {key:?} has neither generation");
    }
    // And the store goes on from there.
    for key in after.keys() {
        store.write(key, b"next", ALWAYS).unwrap();
        assert_eq!(store.read(key), (Some(b"next".to_vec()), None), "{case}");
    }
}

/// Every call failing once: the value before stands, and the next write works.
#[test]
fn a_failing_call_leaves_the_old_or_the_new_value() {
    for at in 0..12 {
        let disk = SimDisk::default();
        let mut store = open(&disk);
        let key = Key::pane("p");
        store.write(&key, b"one", ALWAYS).unwrap();
        store.write(&key, b"two", ALWAYS).unwrap();
        let calls = disk.state().calls;
        disk.state().fail = calls + at..calls + at + 1;
        let result = store.write(&key, b"three", ALWAYS);
        let (value, problem) = store.read(&key);
        assert_eq!(problem, None);
        assert!([&b"two"[..], b"three"].contains(&value.as_deref().unwrap()), "call {at}");
        assert!(result.is_err() || value.as_deref() == Some(b"three"), "call {at}");
        disk.state().fail = 0..0;
        store.write(&key, b"four", ALWAYS).unwrap();
        assert_eq!(store.read(&key).0.as_deref(), Some(&b"four"[..]));
        let stray = disk.names().into_iter().filter(|name| name.to_str().unwrap().ends_with(TEMPORARY)).count();
        assert!(stray <= 1, "call {at}: {:?}", disk.names());
    }
}

#[test]
fn a_delete_leaves_no_generation() {
    let disk = SimDisk::default();
    let mut store = open(&disk);
    let key = Key::screen("p");
    store.write(&key, b"one", ALWAYS).unwrap();
    store.write(&key, b"two", ALWAYS).unwrap();
    assert_eq!(disk.names().len(), 2);
    store.delete(&key).unwrap();
    assert_eq!(disk.names(), Vec::<PathBuf>::new());
    store.delete(&key).unwrap();
    assert_eq!(store.load().unwrap(), Loaded::default());
}

#[test]
fn a_value_that_is_no_longer_wanted_changes_nothing() {
    let disk = SimDisk::default();
    let mut store = open(&disk);
    let key = Key::pane("p");
    store.write(&key, b"one", &|| false).unwrap();
    assert_eq!(disk.names(), Vec::<PathBuf>::new());
}

#[test]
fn temporary_files_of_earlier_starts_are_removed() {
    let disk = SimDisk::default();
    let path = |name: &str| Path::new("/home").join(DIRECTORY).join(name);
    disk.plant(&path(".p.pane.1-1.tmp"), b"half");
    disk.plant(Path::new("/home/.pty-exits.json.1-1.tmp"), b"half");
    disk.plant(&path("p.pane"), &frame::encode(Kind::Pane, b"whole").unwrap());
    disk.state().now_ms = 2_000;
    disk.plant(&path(".q.pane.7d0-1.tmp"), b"of another server that runs");
    let mut store = open(&disk);
    assert_eq!(disk.names(), [path(".q.pane.7d0-1.tmp"), path("p.pane")]);
    assert_eq!(store.load().unwrap().entries, [Entry { key: Key::pane("p"), payload: b"whole".to_vec() }]);
}

/// Every truncation of a file: that entry falls back or is named, the others are not touched.
#[test]
fn a_bad_file_costs_that_entry_only() {
    let path = |name: &str| Path::new("/home").join(DIRECTORY).join(name);
    let file = frame::encode(Kind::Pane, b"some payload").unwrap();
    for length in 0..file.len() {
        for generation_before in [false, true] {
            let disk = SimDisk::default();
            let mut store = open(&disk);
            store.write(&Key::session("other"), b"fine", ALWAYS).unwrap();
            disk.plant(&path("p.pane"), &file[..length]);
            if generation_before {
                disk.plant(&path("p.pane.old"), &frame::encode(Kind::Pane, b"before").unwrap());
            }
            let loaded = store.load().unwrap();
            assert_eq!(loaded.entries.len(), 1 + usize::from(generation_before));
            assert_eq!(loaded.problems.len(), 1);
            let said = Problem::summary(&loaded.problems).unwrap();
            assert!(said.starts_with("not restored (1): p.pane ") && !said.contains('\n'), "{said}");
            // The bad one must not take the place of the good one before it.
            let read = |store: &mut Store| store.read(&Key::pane("p")).0;
            let disk_full = disk.state().calls + 2;
            disk.state().fail = disk_full..disk_full + 1;
            assert!(store.write(&Key::pane("p"), b"new", ALWAYS).is_err());
            assert_eq!(read(&mut store).is_some(), generation_before);
            store.write(&Key::pane("p"), b"new", ALWAYS).unwrap();
            assert_eq!(read(&mut store).as_deref(), Some(&b"new"[..]));
        }
    }
}

#[test]
fn many_problems_are_one_line() {
    let problem = |n: u32| Problem { file: format!("{n}.pane"), what: "is empty".into() };
    let problems: Vec<Problem> = (0..30).map(problem).collect();
    let said = Problem::summary(&problems).unwrap();
    assert!(said.starts_with("not restored (30): 0.pane is empty; ") && said.ends_with("; and 20 more"));
    assert_eq!(Problem::summary(&[]), None);
}
