//! What floating panes are besides their places, to bytes and to disk and back.

use super::*;

#[test]
fn a_state_of_a_server_without_floating_panes_is_read() {
    let rig = played(Face::Tmux, &[]);
    let mut bytes = save::state(&rig.mux, &Baseline::default());
    // Nothing particular, nobody else let in, and five lists of nothing heard come last.
    assert!(bytes.ends_with(&[0; 7]));
    bytes.truncate(bytes.len() - 7);
    bytes[..2].copy_from_slice(&2u16.to_le_bytes());
    let restored = restore::state(&bytes, empty(Face::Tmux), rig.now, &mut found).unwrap();
    assert_eq!(restored.mux.sessions.len(), rig.mux.sessions.len());
}

#[test]
fn a_floating_pane_comes_back_as_it_was() {
    let commands = [
        "split-window -h -t a:0",
        "select-pane -t a:0.0",
        "resize-pane -Z -t a:0",
        "new-pane -OKC -x 20 -y 6 -X 8 -Y 3 -t a:0",
    ];
    let mut rig = Rig::new(Face::Rove);
    rig.lines(&["new-session -d -s a -x 80 -y 24"]);
    rig.lines(&commands);
    let facts = |mux: &Mux| {
        let window = mux.windows.values().next().unwrap();
        let pane = &mux.panes[&window.active];
        let kept = (pane.over_zoom, pane.takes_all_keys, pane.closes_on_click);
        (window.layout.dump(), window.shown().dump(), window.modal, window.modal_before, window.zoomed_pane(), kept)
    };
    let before = facts(&rig.mux);
    assert_eq!(
        (before.2, before.3, before.4, before.5),
        (Some(PaneId(2)), Some(PaneId(0)), Some(PaneId(0)), (true, true, true))
    );
    let bytes = save::state(&rig.mux, &Baseline::default());
    assert_eq!(facts(&back(&rig, &bytes).mux), before);
    let (mut disk, mut saver) = (FakeDisk::default(), Saver::default());
    disk.take(saver.changes(&rig.mux));
    disk.take(saver.all_screens(&rig.mux, 0));
    let (mux, problems) = disk.thaw(&rig, empty(Face::Rove));
    assert_eq!((facts(&mux), problems), (before, Vec::new()));
}
