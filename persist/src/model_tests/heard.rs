//! What was heard of hooks, monitors and shells.

use super::{assert_survives, back};
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
