//! The words of a target: its parts round the first colon and the dot after it, and what stands for other words.

use super::Kind;

pub(super) const WINDOW_TOKENS: [(&str, &str); 5] =
    [("{start}", "^"), ("{last}", "!"), ("{end}", "$"), ("{next}", "+"), ("{previous}", "-")];
pub(super) const PANE_TOKENS: [(&str, &str); 16] = [
    ("{last}", "!"),
    ("{next}", "+"),
    ("{previous}", "-"),
    ("{top}", "top"),
    ("{bottom}", "bottom"),
    ("{left}", "left"),
    ("{right}", "right"),
    ("{top-left}", "top-left"),
    ("{top-right}", "top-right"),
    ("{bottom-left}", "bottom-left"),
    ("{bottom-right}", "bottom-right"),
    ("{up-of}", "{up-of}"),
    ("{down-of}", "{down-of}"),
    ("{left-of}", "{left-of}"),
    ("{right-of}", "{right-of}"),
    ("{active}", "@"),
];

/// The word that a token stands for; another one is itself.
pub(super) fn token<'a>(table: &[(&'a str, &'a str)], word: &'a str) -> &'a str {
    table.iter().find(|(name, _)| *name == word).map_or(word, |(_, mapped)| mapped)
}

/// A target taken apart at its first colon and the dot after it.
#[derive(Default)]
pub(super) struct Parts<'a> {
    pub(super) session: Option<&'a str>,
    pub(super) window: Option<&'a str>,
    pub(super) pane: Option<&'a str>,
    pub(super) window_only: bool,
    pub(super) pane_only: bool,
}

impl<'a> Parts<'a> {
    pub(super) fn split(word: &'a str, kind: Kind) -> Parts<'a> {
        let colon = word.find(':');
        let dot = word[colon.map_or(0, |at| at + 1)..].find('.').map(|at| at + colon.map_or(0, |colon| colon + 1));
        let some = |text: &'a str| Some(text);
        let mut parts = match (colon, dot) {
            (Some(colon), Some(dot)) => Parts {
                session: some(&word[..colon]),
                window: some(&word[colon + 1..dot]),
                pane: some(&word[dot + 1..]),
                window_only: true,
                pane_only: true,
            },
            (Some(colon), None) => Parts {
                session: some(&word[..colon]),
                window: some(&word[colon + 1..]),
                window_only: true,
                ..Parts::default()
            },
            (None, Some(dot)) => {
                Parts { window: some(&word[..dot]), pane: some(&word[dot + 1..]), pane_only: true, ..Parts::default() }
            }
            (None, None) => Parts::bare(word, kind),
        };
        for part in [&mut parts.session, &mut parts.window, &mut parts.pane] {
            if part.is_some_and(str::is_empty) {
                *part = None;
            }
        }
        parts
    }

    fn bare(word: &'a str, kind: Kind) -> Parts<'a> {
        let kind = match word.as_bytes().first() {
            Some(b'$') => Kind::Session,
            Some(b'@') => Kind::Window,
            Some(b'%') => Kind::Pane,
            _ => kind,
        };
        match kind {
            Kind::Session => Parts { session: Some(word), ..Parts::default() },
            Kind::Window => Parts { window: Some(word), ..Parts::default() },
            Kind::Pane => Parts { pane: Some(word), ..Parts::default() },
        }
    }
}
