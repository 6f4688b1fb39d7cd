use super::*;

fn opened(directory: &str, sessions: &[(&str, &str)], inside: bool) -> String {
    let sessions: Vec<_> = sessions.iter().map(|(name, path)| (name.to_string(), PathBuf::from(path))).collect();
    let words = open_words(Path::new(directory), &sessions, inside);
    words.iter().map(|word| word.to_str().unwrap()).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_directory_has_one_session() {
    assert_eq!(opened("/srv/app", &[], false), "new-session -A -s app -c /srv/app");
    assert_eq!(opened("/srv/app", &[("mine", "/srv/app")], false), "attach-session -t =mine");
    assert_eq!(opened("/srv/app", &[("mine", "/srv/app")], true), "switch-client -t =mine");
    assert_eq!(opened("/srv/app", &[], true), "new-session -d -s app -c /srv/app ; switch-client -t =app");
}

#[test]
fn another_directorys_session_is_not_taken_for_this_ones() {
    let sessions = [("app", "/other/app"), ("app-2", "/third/app")];
    assert_eq!(opened("/srv/app", &sessions, false), "new-session -A -s app-3 -c /srv/app");
}

#[test]
fn names_that_sessions_cannot_have() {
    assert_eq!(opened("/srv/my.app:v1", &[], false), "new-session -A -s my_app_v1 -c /srv/my.app:v1");
    assert_eq!(opened("/", &[], false), "new-session -A -s root -c /");
}

#[test]
fn a_pane_of_this_server() {
    assert!(inside(&"/s/default,12,0".into(), Path::new("/s/default")));
    assert!(!inside(&"/s/default2,12,0".into(), Path::new("/s/default")));
}
