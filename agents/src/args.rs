//! The user's own arguments of an engine: which are flags to carry over a resume, which chose a conversation, which are a prompt.

use crate::engines::{Engine, Flags};

/// What the arguments of one launch say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parsed {
    /// The flags that are carried over; no prompt, nothing that chooses a conversation.
    pub kept: Vec<String>,
    /// The rest: a prompt, or what can't be told from one.
    pub prompt: Vec<String>,
    /// The arguments choose a conversation themselves.
    pub chooses: bool,
    /// The conversation they name, when it is one that stays the same.
    pub names: Option<String>,
}

/// Reads `args` as `engine` would. A word after a flag that the row doesn't know is taken for a prompt and dropped: a value lost shows at
/// once, a prompt sent again spends.
pub fn parse(engine: &Engine, args: &[String]) -> Parsed {
    let mut parsed = Parsed::default();
    let (mut forks, mut follows_word) = (false, false);
    let mut words = args.iter().map(String::as_str).peekable();
    while let Some(word) = words.next() {
        if word == "--" {
            parsed.prompt.push(word.to_owned());
            parsed.prompt.extend(words.map(str::to_owned));
            break;
        }
        let (name, value) = split(word);
        match role(&engine.flags, name) {
            Role::Keep => parsed.kept.push(word.to_owned()),
            Role::KeepOne => {
                parsed.kept.push(word.to_owned());
                if value.is_none() {
                    parsed.kept.extend(words.next().map(str::to_owned));
                }
            }
            Role::KeepMany => {
                parsed.kept.push(word.to_owned());
                if value.is_none() {
                    while let Some(next) = words.next_if(|next| !next.starts_with('-')) {
                        parsed.kept.push(next.to_owned());
                    }
                }
            }
            Role::KeepMaybe => {
                parsed.kept.push(word.to_owned());
                if value.is_none() {
                    parsed.kept.extend(words.next_if(|next| !next.starts_with('-')).map(str::to_owned));
                }
            }
            Role::Once => {
                parsed.prompt.push(word.to_owned());
                if value.is_none() {
                    parsed.prompt.extend(words.next_if(|next| !next.starts_with('-')).map(str::to_owned));
                }
            }
            Role::Chooses { takes } => {
                let value = value.map(str::to_owned).or_else(|| match takes {
                    Takes::Nothing => None,
                    Takes::One => words.next().map(str::to_owned),
                    Takes::Maybe => words.next_if(|next| !next.starts_with('-')).map(str::to_owned),
                });
                parsed.chooses = true;
                follows_word |= engine.flags.session_words.contains(&name);
                parsed.names = value.filter(|id| engine.ids.fits(id)).or(parsed.names.take());
                forks |= FORKS.contains(&name);
            }
            Role::Prompt if follows_word && parsed.names.is_none() && engine.ids.fits(word) => {
                parsed.names = Some(word.to_owned());
            }
            Role::Prompt if engine.flags.keeps_words => parsed.kept.push(word.to_owned()),
            Role::Prompt => parsed.prompt.push(word.to_owned()),
        }
    }
    if forks {
        parsed.names = None;
    }
    parsed
}

/// Words after which the conversation named is not the one that goes on.
const FORKS: &[&str] = &["--fork-session", "fork"];

enum Takes {
    Nothing,
    One,
    Maybe,
}

enum Role {
    Keep,
    KeepOne,
    KeepMany,
    KeepMaybe,
    Once,
    Chooses { takes: Takes },
    Prompt,
}

fn split(word: &str) -> (&str, Option<&str>) {
    match word.split_once('=') {
        Some((name, value)) if name.starts_with("--") => (name, Some(value)),
        _ => (word, None),
    }
}

fn role(flags: &Flags, name: &str) -> Role {
    let is_in = |list: &[&str]| list.contains(&name);
    if is_in(flags.session_valued) {
        Role::Chooses { takes: Takes::One }
    } else if is_in(flags.session_maybe) {
        Role::Chooses { takes: Takes::Maybe }
    } else if is_in(flags.session_alone) || is_in(flags.session_words) {
        Role::Chooses { takes: Takes::Nothing }
    } else if is_in(flags.valued) {
        Role::KeepOne
    } else if is_in(flags.many) {
        Role::KeepMany
    } else if is_in(flags.maybe) {
        Role::KeepMaybe
    } else if is_in(flags.once) {
        Role::Once
    } else if name.starts_with('-') && name != "-" {
        Role::Keep
    } else {
        Role::Prompt
    }
}

/// Fills a template of the table: `{session}` with the id, wherever it stands in a word, `{args}` with the flags.
pub fn fill(template: &[&str], session: &str, args: &[String]) -> Vec<String> {
    let mut filled = Vec::new();
    for word in template {
        match *word {
            "{args}" => filled.extend(args.iter().cloned()),
            word => filled.push(word.replace("{session}", session)),
        }
    }
    filled
}

/// The user's arguments without the subcommand which the launch begins with anyway.
pub fn without_subcommand<'a>(engine: &Engine, args: &'a [String]) -> &'a [String] {
    let own = engine.launch.iter().take_while(|word| !word.starts_with(['-', '{']));
    let same = own.zip(args).take_while(|(own, word)| *own == word).count();
    &args[same..]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::find;

    const ID: &str = "019a1b2c-3d4e-7f00-8000-000000000001";

    fn read(engine: &str, line: &str) -> Parsed {
        let args: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        parse(find(engine).unwrap(), &args)
    }

    #[test]
    fn flags_stay_and_prompts_go() {
        let parsed = read("claude", "--model opus --add-dir a b --verbose fix the bug");
        assert_eq!(parsed.kept, ["--model", "opus", "--add-dir", "a", "b", "--verbose"]);
        assert!(!parsed.chooses);
        assert_eq!(read("codex", "-c a=b -m gpt --search do it").kept, ["-c", "a=b", "-m", "gpt", "--search"]);
        assert_eq!(read("codex", "-i pic.png -m gpt look").kept, ["-m", "gpt"]);
        assert_eq!(read("codex", "-m gpt -i pic.png look").prompt, ["-i", "pic.png", "look"]);
        assert_eq!(read("claude", "--worktree w --debug api -n x").kept, ["--debug", "api", "-n", "x"]);
        assert_eq!(read("claude", "--model=opus -- --not-a-flag").kept, ["--model=opus"]);
    }

    #[test]
    fn a_chosen_conversation_is_named_and_not_carried() {
        for line in ["--resume", "--session-id"].map(|flag| format!("{flag} {ID} --model opus")) {
            let parsed = read("claude", &line);
            assert_eq!((parsed.names.as_deref(), parsed.kept.len()), (Some(ID), 2), "{line}");
        }
        assert_eq!(read("claude", &format!("--resume={ID}")).names.as_deref(), Some(ID));
        let forked = read("claude", &format!("-r {ID} --fork-session"));
        assert_eq!((forked.chooses, forked.names), (true, None));
        assert_eq!(read("claude", "--resume --verbose").kept, ["--verbose"]);
        assert!(read("claude", "-c").chooses);
        assert_eq!(read("codex", &format!("resume -m gpt {ID} go on")).names.as_deref(), Some(ID));
        assert_eq!(read("codex", &format!("fork {ID}")).names, None);
        assert_eq!(read("codex", "resume --last").names, None);
    }

    proptest::proptest! {
        #[test]
        fn nothing_kept_is_new_and_no_id_is_carried(words in proptest::collection::vec("-{0,2}[a-zA-Z-]{0,10}", 0..8)) {
            for engine in crate::engines::ENGINES {
                let parsed = parse(engine, &words);
                proptest::prop_assert!(parsed.kept.iter().all(|word| words.contains(word)));
                proptest::prop_assert!(parsed.kept.len() <= words.len());
            }
        }
    }
}
