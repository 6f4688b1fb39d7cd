use super::end::{Reason, last_words};
use super::hello::takes_utf8;
use crate::protocol::{Exit, How};

fn utf8(variables: &[(&str, &str)]) -> bool {
    takes_utf8(&|name| variables.iter().find(|it| it.0 == name).map(|it| it.1.into()))
}

#[test]
fn which_terminals_take_utf8() {
    assert!(!utf8(&[]));
    assert!(utf8(&[("LANG", "de_DE.UTF-8")]));
    assert!(utf8(&[("LC_CTYPE", "C.utf8"), ("LANG", "C")]));
    assert!(!utf8(&[("LC_ALL", "C"), ("LANG", "de_DE.UTF-8")]));
    assert!(utf8(&[("LC_ALL", ""), ("LANG", "de_DE.UTF-8")]));
    assert!(utf8(&[("LC_ALL", "C"), ("TMUX", "")]));
}

#[test]
fn last_words_are_tmuxs() {
    let of = |how: How| last_words(&Exit { how, ..Exit::done(0) }, None);
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(of(How::Done), some("exited"));
    assert_eq!(of(How::Detached("a".into())), some("detached (from session a)"));
    assert_eq!(of(How::DetachedKill("a".into())), some("detached and SIGHUP (from session a)"));
    assert_eq!(of(How::ServerExited), some("server exited"));
    assert_eq!(of(How::Exec { command: "x".into(), shell: "sh".into() }), None);
    let message = Exit { message: some("too far behind"), ..Exit::done(1) };
    assert_eq!(last_words(&message, None), some("too far behind"));
    assert_eq!(last_words(&message, Some(Reason::LostTty)), some("lost tty"));
    assert_eq!(last_words(&message, Some(Reason::LostServer)), some("server exited unexpectedly"));
}
