use super::*;

#[test]
fn ids_are_unique_sorted_and_described() {
    assert!(ENGINES.windows(2).all(|pair| pair[0].id < pair[1].id));
    for engine in ENGINES {
        assert!(
            !engine.about.is_empty() && !engine.product.is_empty() && !engine.programs.is_empty()
                || engine.visibility == Visibility::StandIn,
            "{}",
            engine.id
        );
        assert_eq!(find(engine.id), Some(engine));
        assert!(engine.comms.iter().all(|comm| comm.len() <= 15), "the kernel cuts comm at 15: {}", engine.id);
    }
}

#[test]
fn stand_ins_are_rows_that_no_list_shows() {
    let seen: Vec<_> = listed().map(|engine| engine.id).collect();
    assert!(seen.contains(&"claude") && !seen.contains(&"pinned") && !seen.contains(&"discovered"), "{seen:?}");
    assert!(find("pinned").is_some() && find("discovered").is_some());
}

#[test]
fn every_resume_says_where_the_id_goes() {
    for engine in ENGINES.iter().filter(|engine| engine.resumes()) {
        for template in [engine.resume, engine.fork].into_iter().filter(|template| !template.is_empty()) {
            assert_eq!(template.iter().filter(|word| word.contains("{session}")).count(), 1, "{}", engine.id);
            assert_eq!(template.iter().filter(|word| **word == "{args}").count(), 1, "{}", engine.id);
        }
    }
}

#[test]
fn refusals_are_told_apart_by_their_words() {
    let claude = find("claude").unwrap();
    assert_eq!(claude.failure("Error: Session ID 5e1f is already in use."), Some(Failure::InUse));
    assert_eq!(claude.failure("No conversation found with session ID: 5e1f"), Some(Failure::NotFound));
    let codex = find("codex").unwrap();
    assert_eq!(
        codex.failure("thread/resume failed: thread 01 already has an active writer (code -32600)"),
        Some(Failure::ActiveWriter)
    );
    assert_eq!(codex.failure("no rollout found for thread id 01 (code -32600)"), Some(Failure::NotFound));
    assert_eq!(codex.failure("all is well"), None);
}
