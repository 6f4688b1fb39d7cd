//! opencode's conversations, as observed on 1.18.33: rows of one database. None is made on demand under an id by a flag, but
//! `opencode import FILE` takes one from a file, an empty one too, under the id that the file gives it.

/// A conversation in which nothing was said yet, as `opencode export` would write it.
pub const SEED: &str = r#"{"info":{"id":"{session}","slug":"rove","version":"1.18.33","projectID":"global","directory":{cwd},"title":"New session","time":{"created":{now},"updated":{now}}},"messages":[]}"#;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seed_is_json_whatever_the_directory_is_called() {
        let filled = crate::launch::seed(SEED, "ses_1", "/w \"x\"", 7);
        let value: serde_json::Value = serde_json::from_str(&filled).unwrap();
        assert_eq!(
            (value["info"]["id"].as_str(), value["info"]["directory"].as_str()),
            (Some("ses_1"), Some("/w \"x\""))
        );
        assert_eq!(
            (value["info"]["time"]["created"].as_u64(), value["messages"].as_array().map(Vec::len)),
            (Some(7), Some(0))
        );
    }
}
