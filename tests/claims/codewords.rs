//! The whole of it at once: three engines that are given their ids and two that make their own, in one directory that is known by two names,
//! spoken to in the opposite order of their launch, with one cleared and one begun anew on the way, stopped, killed and brought back again and
//! again. Every answer must be right, every time.

use std::fs;

use crate::harness::{Home, Stage, long, wait_for};

#[test]
fn r9_r21_r34_five_panes_answer_right_after_every_stop_and_start() {
    let home = Home::rove();
    fs::create_dir(home.path("work/real")).unwrap();
    std::os::unix::fs::symlink("real", home.path("work/link")).unwrap();
    let cast = ["pinned", "discovered", "pinned", "discovered", "pinned"];
    let directory = home.path("work/link").display().to_string();
    let stage = Stage::set_at(home, &directory, &cast);
    let mut words = stage.tell_all();
    let known = |at: usize| stage.home.format(&stage.panes[at], "#{pane_conversation}");
    let cycles = if long() { 10 } else { 3 };
    let mut right = 0;
    for cycle in 0..cycles {
        if cycle == 1 {
            // One conversation is cleared and one begun anew in the running engine; each is told another word.
            for (at, line) in [(2, "/clear"), (1, "/new")] {
                let before = known(at);
                stage.say(&stage.panes[at], line);
                stage.home.wait_screen(&stage.panes[at], "turned");
                words[at] = format!("AGAIN-{at}");
                stage.say(&stage.panes[at], &format!("the codeword is {}. Repeat the codeword.", words[at]));
                wait_for("the conversation after it", || known(at) != before);
                wait_for("its transcript", || !stage.home.files_with("engines", &words[at]).is_empty());
            }
        }
        stage.stop_and_kill();
        let _tty = stage.attach();
        for (pane, engine) in stage.panes.iter().zip(&stage.engines) {
            stage.wait_ready(pane, engine);
        }
        for (pane, word) in stage.panes.iter().zip(&words) {
            assert_eq!(stage.ask(pane), format!("The codeword is {word}."), "cycle {cycle}, pane {pane}");
            right += 1;
        }
    }
    assert_eq!(right, 5 * cycles);
    println!("{right} right answers");
}
