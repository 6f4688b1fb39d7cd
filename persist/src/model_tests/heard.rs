//! What stands behind the model in its bytes: who is let in, and what was heard of hooks, monitors and shells.

use super::{assert_survives, back, played};
use crate::rig::Rig;
use crate::save;
use crate::state::Baseline;
use mux::Face;
use mux::fake::Bench;

#[test]
fn what_was_heard_of_hooks_and_shells_survives() {
    let mut rig = Rig::new(Face::Tmux);
    rig.lines(&[
        "new-session -d -s a cat",
        "set-hook -g @mine list-keys",
        "set-hook -R -t a @mine",
        "set-hook -g after-rename-window list-keys",
        "rename-window x",
        "rename-window y",
    ]);
    rig.run(&["set-hook", "-g", "-B", "@seen::#{@value}", "set-option -gaF @log '#{hook_last}>#{hook_value} '"]);
    rig.run(&["set-option", "-g", "@value", "one"]);
    rig.advance(std::time::Duration::from_secs(2));
    rig.output(0, b"\x1b]133;A\x07\x1b]133;C\x07\x1b]133;D;3\x07");
    let lists = [
        &["show-hooks", "-g", "-F", "#{hook_fire_count} #{hook_fire_time}", "@mine"][..],
        &["show-hooks", "-g", "-F", "#{hook_fire_count} #{hook_fire_time}", "after-rename-window"],
        &["show-hooks", "-g", "-B"],
        &["display-message", "-p", "#{pane_last_prompt_time} #{pane_command_status}"],
    ];
    let said = |rig: &mut Bench| lists.map(|words| rig.run(words).stdout);
    let bytes = save::state(&rig.mux, &Baseline::default());
    let before = said(&mut rig);
    let mut restored = Bench::of(back(&rig, &bytes).mux);
    restored.now = rig.now;
    assert_eq!(said(&mut restored), before);
    assert!(before[0].starts_with("1 ") && before[1].starts_with("2 ") && before[3].ends_with(" 3\n"), "{before:?}");
    // A change that nobody looked at while there was no server is one all the same.
    restored.run(&["set-option", "-g", "@value", "two"]);
    restored.advance(std::time::Duration::from_secs(2));
    assert!(restored.run(&["show-options", "-gv", "@log"]).stdout.contains("one>two"));
    assert_survives(&rig, &Baseline::default());
}

#[test]
fn who_is_let_in_survives_and_a_state_from_before_lets_nobody_in() {
    use mux::access::{Right, Who};
    let mut rig = played(Face::Tmux, &[0]);
    rig.mux.access.allow(Who::User(7), Right::Read);
    rig.mux.access.allow(Who::Group(8), Right::Write);
    assert_survives(&rig, &Baseline::default());
    let bytes = save::state(&rig.mux, &Baseline::default());
    assert_eq!(back(&rig, &bytes).mux.access, rig.mux.access);
    // Of what was heard five lengths of nothing stand at the end, and before that two entries of three numbers and how many
    // there are, then that nothing floats.
    let mut unheard = bytes[..bytes.len() - 5].to_vec();
    unheard[..2].copy_from_slice(&3u16.to_le_bytes());
    assert_eq!(back(&rig, &unheard).mux.access, rig.mux.access);
    let mut before = bytes[..bytes.len() - 5 - 8].to_vec();
    before[..2].copy_from_slice(&2u16.to_le_bytes());
    let restored = back(&rig, &before);
    assert_eq!((restored.mux.access.iter().count(), restored.mux.sessions.len()), (0, 2));
}
