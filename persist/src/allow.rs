//! Which variables of the environment may be written to disk with their values: a list of names, each with its reason.
//!
//! All others may hold secrets (tokens, keys, passwords of services), and a disk outlives a login. In the host's
//! memory, which ends with the login, everything is kept.

use mux::fnmatch::fnmatch;

/// Patterns of names, and why their values are harmless and wanted.
pub const ALLOWED: &[(&str, &str)] = &[
    ("COLORFGBG", "the colours of the terminal"),
    ("COLORTERM", "what the terminal can show"),
    ("EDITOR", "which program edits"),
    ("LANG", "the language"),
    ("LANGUAGE", "the languages by preference"),
    ("LC_*", "parts of the language"),
    ("NO_COLOR", "a wish about colours"),
    ("PAGER", "which program shows long texts"),
    ("PATH", "where programs are found"),
    ("SHELL", "which shell runs commands"),
    ("TERM", "what the terminal is"),
    ("TZ", "the time zone"),
    ("VIRTUAL_ENV", "the directory of a Python environment"),
    ("VISUAL", "which program edits on a full screen"),
    ("XDG_*_HOME", "where programs keep their files"),
];

/// True for a variable whose value may be written to disk.
pub fn is_allowed(name: &str) -> bool {
    ALLOWED.iter().any(|(pattern, _)| fnmatch(pattern, name, false))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_stay_off_the_disk() {
        for name in ["PATH", "LANG", "LC_ALL", "TERM", "XDG_CONFIG_HOME"] {
            assert!(is_allowed(name), "{name}");
        }
        for name in ["GITHUB_TOKEN", "OPENAI_API_KEY", "PGPASSWORD", "SSH_AUTH_SOCK", "PATHX", "lang", ""] {
            assert!(!is_allowed(name), "{name}");
        }
    }

    #[test]
    fn the_table_is_sorted_and_says_why() {
        assert!(ALLOWED.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert!(ALLOWED.iter().all(|(_, why)| !why.is_empty()));
    }
}
