//! The command line of a pane that runs an engine inside its login shell: the engine first, then the shell itself in the same process.
//!
//! The shell is an interactive login shell, so that the user's own start-up files make the PATH and the engine has a process group of its
//! own in the foreground. Nothing is typed: the engine is the first command. Builds text only. Tried with bash, dash, zsh and fish: engine
//! ended, failed, ended by ^C, stopped by ^Z.

/// Which language the shell at that path speaks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Language {
    /// Bourne's.
    Posix,
    /// Fish's.
    Fish,
    /// Another one: `/bin/sh` runs the script and then becomes it.
    Other,
}

/// The argv of the pane: `shell` (an absolute path) running `argv` in `cwd` (where the start-up files may have left it), then itself.
/// `product` names the engine in the one line that follows an exit with another status than 0.
///
/// `ended` is what is told of an exit with another status than 0, with that status, a mark and what to print else behind its words; when it
/// can't be run, the line is printed plainly.
///
/// `path` is where the engine is looked for after the shell's own PATH, which start-up files may have begun anew; empty for nowhere.
pub fn wrap(
    shell: &str,
    argv: &[String],
    cwd: Option<&str>,
    path: &str,
    product: &str,
    ended: &[String],
) -> Vec<String> {
    let language = language(shell);
    let script = match language {
        Language::Fish => fish(argv, cwd, path, product, ended),
        Language::Posix | Language::Other => posix(shell, argv, cwd, path, product, ended),
    };
    let (runner, flag) = match language {
        Language::Posix => (shell, "-c"),
        // Fish runs it after its start-up files and goes on as the user's shell.
        Language::Fish => (shell, "-C"),
        Language::Other => ("/bin/sh", "-c"),
    };
    [runner, "-l", "-i", flag, &script].map(str::to_owned).to_vec()
}

fn language(shell: &str) -> Language {
    match shell.rsplit('/').next().unwrap_or(shell) {
        "sh" | "bash" | "dash" | "zsh" | "ksh" | "mksh" | "ash" | "busybox" => Language::Posix,
        "fish" => Language::Fish,
        _ => Language::Other,
    }
}

/// Quotes one word for the Bourne shells.
pub fn quote_posix(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// Quotes one word for fish, where `\` and `'` are special inside single quotes.
pub fn quote_fish(word: &str) -> String {
    format!("'{}'", word.replace('\\', r"\\").replace('\'', r"\'"))
}

fn line(argv: &[String], quote: fn(&str) -> String) -> String {
    // No argument can hold a NUL; one that does is cut out rather than cutting the script short.
    argv.iter().map(|word| quote(&word.replace('\0', ""))).collect::<Vec<_>>().join(" ")
}

/// What is said of an end: before the status, and after it when nothing better is known.
fn hint(product: &str) -> (String, String) {
    (
        format!("rove: {product} ended with status"),
        "; this is its shell. How it is started is set in engines.toml in rove's home, which `rove doctor` names."
            .to_owned(),
    )
}

/// What runs after an exit with another status than 0, which stands in `status`.
fn tell(product: &str, ended: &[String], status: &str, or: &str, quote: fn(&str) -> String) -> String {
    let (head, tail) = hint(product);
    let plainly = format!("printf {} {status}", quote(&format!("{head} %s{tail}\\n")));
    if ended.is_empty() {
        return plainly;
    }
    format!("{} {status} {} {} 2>/dev/null{or}{plainly}", line(ended, quote), quote(&head), quote(&tail))
}

/// A ^C that ends the engine makes bash leave a `-c` script: the first trap prevents that for a command, the second one becomes the shell
/// where it can't (`fg`). Traps that are not empty are not inherited. An engine stopped by ^Z is taken up again at once, since the shell that
/// comes next would not know it as its job.
fn posix(shell: &str, argv: &[String], cwd: Option<&str>, path: &str, product: &str, ended: &[String]) -> String {
    let change = cwd.map(|cwd| format!("cd -- {}; ", quote_posix(cwd))).unwrap_or_default();
    let more = if path.is_empty() { String::new() } else { format!("PATH=\"$PATH\":{} ", quote_posix(path)) };
    let become_shell = format!("trap - INT EXIT; exec {} -l -i", quote_posix(shell));
    format!(
        "trap : INT; trap {at_exit} EXIT; {change}{more}{engine}; rove_status=$?; \
         while [ \"$rove_status\" = 148 ] || [ \"$rove_status\" = 147 ]; do fg >/dev/null 2>&1; rove_status=$?; done; \
         [ \"$rove_status\" = 0 ] || {tell}; unset rove_status; {become_shell}",
        at_exit = quote_posix(&become_shell),
        engine = line(argv, quote_posix),
        tell = tell(product, ended, "\"$rove_status\"", " || ", quote_posix),
    )
}

/// With job control the engine has its own process group, and after a ^Z it is a job of the shell that goes on.
fn fish(argv: &[String], cwd: Option<&str>, path: &str, product: &str, ended: &[String]) -> String {
    let change = cwd.map(|cwd| format!("cd {}; ", quote_fish(cwd))).unwrap_or_default();
    let more = match path {
        "" => String::new(),
        path => format!("set -lx PATH $PATH (string split : -- {}); ", quote_fish(path)),
    };
    format!(
        "status job-control full; {change}begin; {more}{engine}; set -g rove_status $status; end; \
         test $rove_status -eq 0; or {tell}; set -e rove_status; status job-control interactive",
        engine = line(argv, quote_fish),
        tell = tell(product, ended, "$rove_status", "; or ", quote_fish),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// What a Bourne shell makes of a line of quoted words; `None` where it would see something else than plain words.
    fn posix_words(line: &str) -> Option<Vec<String>> {
        let (mut words, mut word, mut quoted) = (Vec::new(), None::<String>, false);
        let mut chars = line.chars();
        while let Some(c) = chars.next() {
            match c {
                '\'' => {
                    quoted = !quoted;
                    word.get_or_insert_default();
                }
                c if quoted => word.get_or_insert_default().push(c),
                '\\' => word.get_or_insert_default().push(chars.next()?),
                ' ' => words.extend(word.take()),
                _ => return None,
            }
        }
        words.extend(word.take());
        (!quoted).then_some(words)
    }

    /// The same for fish.
    fn fish_words(line: &str) -> Option<Vec<String>> {
        let (mut words, mut word, mut quoted) = (Vec::new(), None::<String>, false);
        let mut chars = line.chars();
        while let Some(c) = chars.next() {
            match c {
                '\'' => {
                    quoted = !quoted;
                    word.get_or_insert_default();
                }
                '\\' if quoted => match chars.next()? {
                    escaped @ ('\\' | '\'') => word.get_or_insert_default().push(escaped),
                    other => word.get_or_insert_default().extend(['\\', other]),
                },
                c if quoted => word.get_or_insert_default().push(c),
                ' ' => words.extend(word.take()),
                _ => return None,
            }
        }
        words.extend(word.take());
        (!quoted).then_some(words)
    }

    proptest! {
        #[test]
        fn hostile_words_are_words_to_every_shell(words in proptest::collection::vec("[\\PC\n\t'\"\\\\$`!;&|<>(){}*?~# -]{0,12}", 0..6)) {
            prop_assert_eq!(posix_words(&line(&words, quote_posix)), Some(words.clone()));
            prop_assert_eq!(fish_words(&line(&words, quote_fish)), Some(words));
        }
    }

    #[test]
    fn the_engine_comes_first_and_the_shell_last_in_the_same_process() {
        let argv = ["claude".to_owned(), "--resume".to_owned(), "it's".to_owned()];
        let wrapped = wrap("/bin/bash", &argv, Some("/w dir"), "", "Claude Code", &[]);
        assert_eq!(wrapped[..4], ["/bin/bash", "-l", "-i", "-c"]);
        let script = &wrapped[4];
        assert!(script.contains(r"; cd -- '/w dir'; 'claude' '--resume' 'it'\''s'; rove_status=$?"), "{script}");
        assert!(script.ends_with("exec '/bin/bash' -l -i"), "{script}");
        assert!(script.contains("Claude Code ended with status %s"));
        let fish = wrap("/usr/bin/fish", &argv, None, "/my bin", "Claude Code", &[]);
        assert_eq!(fish[3], "-C");
        assert!(
            fish[4].contains(r"(string split : -- '/my bin'); 'claude' '--resume' 'it\'s'; set -g rove_status $status"),
            "{}",
            fish[4]
        );
    }

    #[test]
    fn a_shell_of_another_language_is_what_sh_becomes() {
        let wrapped =
            wrap("/bin/tcsh", &["codex".to_owned()], None, "/my bin", "Codex", &["/r".to_owned(), "x".to_owned()]);
        let tells = r#"|| '/r' 'x' "$rove_status" 'rove: Codex ended with status' '; this is its shell."#;
        assert!(wrapped[4].contains(tells), "{}", wrapped[4]);
        assert_eq!(wrapped[0], "/bin/sh");
        assert!(wrapped[4].contains(r#"; PATH="$PATH":'/my bin' 'codex'; "#), "{}", wrapped[4]);
        assert!(wrapped[4].ends_with("exec '/bin/tcsh' -l -i"));
    }
}
