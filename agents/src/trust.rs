//! Engines ask before they work in a directory they don't know. The question is the user's to answer, but for a directory that this program
//! made itself, in which there is nothing of anybody's: there it is kept from being asked, for that launch only.

use crate::engines::Engine;

/// What keeps the question from being asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trust {
    /// Arguments.
    pub args: Vec<String>,
    /// Variables of the environment.
    pub environment: Vec<(String, String)>,
}

/// What makes `engine` trust `directory`, one that this program made.
pub fn trust(engine: &Engine, directory: &str) -> Trust {
    match engine.id {
        // Read nowhere else than where trust is asked about; seen in 2.0.76 and 2.1.332.
        "claude" | "pinned" => {
            Trust { environment: vec![("CLAUDE_CODE_SANDBOXED".to_owned(), "1".to_owned())], ..Trust::default() }
        }
        "codex" => {
            let directory = directory.replace('\\', r"\\").replace('"', "\\\"");
            // A key of an override is cut at each dot, quoted or not, so the directory stands in the value.
            let level = format!("projects={{\"{directory}\"={{trust_level=\"trusted\"}}}}");
            Trust { args: vec!["-c".to_owned(), level], ..Trust::default() }
        }
        _ => Trust::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::find;

    #[test]
    fn each_engine_has_its_way() {
        let claude = trust(find("claude").unwrap(), "/d");
        assert_eq!(claude.environment, [("CLAUDE_CODE_SANDBOXED".to_owned(), "1".to_owned())]);
        let codex = trust(find("codex").unwrap(), "/d\"x");
        assert_eq!(codex.args, ["-c", r#"projects={"/d\"x"={trust_level="trusted"}}"#]);
    }
}
