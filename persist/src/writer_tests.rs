//! The writer's thread: order, races with deletes, errors said once.

use super::*;
use crate::sim::SimDisk;
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};

const LIMIT_MS: u64 = 60_000;

fn start(disk: &SimDisk) -> (Writer, Receiver<Report>) {
    let store = Store::open(Box::new(disk.clone()), Path::new("/home"), 0).unwrap();
    let (sender, reports) = channel();
    let report = move |report| drop(sender.send(report));
    (Writer::start(store, report).unwrap(), reports)
}

fn read(disk: &SimDisk, key: &Key) -> Option<Vec<u8>> {
    Store::open(Box::new(disk.clone()), Path::new("/home"), 0).unwrap().read(key).0
}

#[test]
fn the_newest_value_is_on_disk_after_a_flush() {
    let disk = SimDisk::default();
    let (writer, _reports) = start(&disk);
    for n in 0..500u32 {
        writer.put(Key::screen("p"), n.to_le_bytes().to_vec(), Urgency::Streaming);
    }
    assert!(writer.flush(LIMIT_MS));
    assert_eq!(read(&disk, &Key::screen("p")), Some(499u32.to_le_bytes().to_vec()));
    // The first went out at once, the last with the flush, and at most a few between: not one each.
    assert!(disk.state().renames <= 8, "{}", disk.state().renames);
}

#[test]
fn a_delete_wins_over_writes_before_during_and_after() {
    for round in 0..300u32 {
        let disk = SimDisk::default();
        let (writer, _reports) = start(&disk);
        let (screen, session) = (Key::screen("p"), Key::session("work"));
        for n in 0..round % 7 + 1 {
            writer.put(screen.clone(), vec![n as u8; 2000], Urgency::Now);
            writer.put(session.clone(), vec![n as u8; 2000], Urgency::Now);
            // On some rounds the delete meets the write while it runs.
            (0..round * 20).for_each(|_| std::hint::spin_loop());
        }
        writer.delete(screen.clone());
        writer.delete(session.clone());
        writer.put(screen, vec![9], Urgency::Now);
        assert!(writer.flush(LIMIT_MS));
        drop(writer);
        assert_eq!(disk.names(), Vec::<std::path::PathBuf>::new(), "round {round}");
    }
}

#[test]
fn a_failing_disk_is_said_once_and_tried_again() {
    let disk = SimDisk::default();
    let (writer, reports) = start(&disk);
    disk.state().fail = 0..u64::MAX;
    for n in 0..5u8 {
        writer.put(Key::pane("p"), vec![n], Urgency::Now);
        writer.put(Key::server(), vec![n], Urgency::Now);
        assert!(!writer.flush(LIMIT_MS));
    }
    disk.state().fail = 0..0;
    assert!(writer.flush(LIMIT_MS));
    assert_eq!(read(&disk, &Key::pane("p")), Some(vec![4]));
    assert_eq!(read(&disk, &Key::server()), Some(vec![4]));
    drop(writer);
    let said: Vec<Report> = reports.iter().collect();
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(matches!(&said[0], Report::Failing(text) if text.contains(": ") && !text.contains('\n')));
    assert_eq!(said[1], Report::Recovered);
}

#[test]
fn too_large_a_value_is_said_and_not_tried_again() {
    let disk = SimDisk::default();
    let (writer, reports) = start(&disk);
    writer.put(Key::screen("p"), vec![0; crate::frame::MAX_PAYLOAD + 1], Urgency::Now);
    writer.flush(LIMIT_MS);
    assert!(writer.flush(LIMIT_MS));
    drop(writer);
    assert!(matches!(&reports.iter().collect::<Vec<_>>()[..], [Report::Failing(text)] if text.contains("too large")));
}
