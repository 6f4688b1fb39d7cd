//! An expanded format, taken apart at its `#[...]`: runs of text and how each looks. Where they go is drawing's work.

use super::markup::{DefaultChange, Look, Markup};
use crate::format::skip;

/// Text of one style.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// What is drawn, escapes resolved; empty for a style with nothing after it (it may still begin a list or range).
    pub text: String,
    /// The style in force.
    pub style: Markup,
}

/// The runs of a text. `base` is the look before the first style and what `default` means. A style that is unknown is
/// skipped; one that is not closed makes the whole text undrawable, as tmux has it, and gives no runs.
pub fn runs(text: &str, base: Look) -> Vec<Run> {
    let mut defaults = Defaults { base, current: base };
    let mut done = Vec::new();
    let mut run = Run { text: String::new(), style: Markup::plain(base) };
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let hashes = rest.bytes().take_while(|&b| b == b'#').count();
        let bracket = rest.as_bytes().get(hashes) == Some(&b'[');
        match (hashes, bracket) {
            (0, _) | (1, true) if hashes == 0 || run.style.ignore => {
                if !c.is_control() {
                    run.text.push(c);
                }
                rest = &rest[c.len_utf8()..];
            }
            (1, true) => {
                let Some(end) = skip(&rest[2..], "]") else { return Vec::new() };
                let mut style = run.style.clone();
                if style.apply(defaults.current, &rest[2..end + 2]).is_ok() {
                    defaults.change(&mut style, run.style.look);
                    done.push(std::mem::replace(&mut run, Run { text: String::new(), style }));
                }
                rest = &rest[end + 3..];
            }
            (_, false) => {
                run.text.push_str(&"#".repeat(hashes.div_ceil(2)));
                rest = &rest[hashes..];
            }
            (_, true) => {
                let even = hashes % 2 == 0;
                if !run.style.ignore {
                    run.text.push_str(&"#".repeat(hashes / 2));
                    if even {
                        run.text.push('[');
                    }
                }
                rest = &rest[if even { hashes + 1 } else { hashes - 1 }..];
            }
        }
    }
    done.push(run);
    done.retain({
        let mut first = true;
        move |run| !std::mem::take(&mut first) || !run.text.is_empty()
    });
    done
}

/// What `default` means, now and at the bottom.
struct Defaults {
    base: Look,
    current: Look,
}

impl Defaults {
    fn change(&mut self, style: &mut Markup, before: Look) {
        match std::mem::take(&mut style.default) {
            DefaultChange::Keep => {}
            DefaultChange::Push => self.current = before,
            DefaultChange::Pop => self.current = self.base,
            DefaultChange::Set => {
                self.base = before;
                self.current = before;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(text: &str) -> Vec<(String, String)> {
        runs(text, Look::default()).into_iter().map(|run| (run.text, run.style.to_string())).collect()
    }

    fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
        expected.iter().map(|(text, style)| (String::from(*text), String::from(*style))).collect()
    }

    #[test]
    fn text_is_split_at_styles() {
        assert_eq!(shown("ab#[fg=red]c#[default]d"), pairs(&[("ab", "default"), ("c", "fg=red"), ("d", "default")]));
        assert_eq!(shown("#[nope]x"), pairs(&[("x", "default")]));
        assert_eq!(shown("##[x] ###[bold]y #z"), pairs(&[("#[x] #", "default"), ("y #z", "bright")]));
        assert_eq!(shown("#[list=on]#[list=focus]x"), pairs(&[("", "list=on"), ("x", "list=focus")]));
        assert_eq!(shown("a#[bold"), pairs(&[]));
        assert_eq!(shown("#[ignore]a#[bold]b"), pairs(&[("a#[bold]b", "default")]));
    }

    #[test]
    fn defaults_are_pushed_and_popped() {
        let text = "#[fg=red]#[push-default]a#[fg=blue]b#[default]c#[pop-default]#[default]d";
        let looks: Vec<_> = shown(text).into_iter().filter(|(text, _)| !text.is_empty()).collect();
        assert_eq!(looks, pairs(&[("a", "fg=red"), ("b", "fg=blue"), ("c", "fg=red"), ("d", "default")]));
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "([a-z#\\[\\],\u{65e5}\n]|#\\[bold\\]|#\\[ignore\\]){0,20}") {
            runs(&text, Look::default());
        }
    }
}
