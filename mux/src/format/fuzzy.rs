//! `m/z` and `m/p`: words that fit a text loosely. A query is groups between `|`, a group words that must all fit: their
//! letters in order, `'word` as it is, `^word` at the start, `word$` at the end, `!word` not at all.

use super::skip;
use crate::style::{Align, Look, Markup, character_width};

/// A character of the text that is shown.
struct Shown {
    character: char,
    width: usize,
    align: Align,
}

/// One word of a query.
struct Word<'a> {
    inverse: bool,
    exact: bool,
    prefix: bool,
    suffix: bool,
    text: &'a str,
}

const START: i64 = 12;
const BOUNDARY: i64 = 8;
const CONSECUTIVE: i64 = 6;
const LEADING_MOST: i64 = 10;
const EXACT: i64 = 1000;
const PREFIX: i64 = 200;
const SUFFIX: i64 = 100;

/// The columns of the characters that fit, as `0,2,4`; `None` when the text does not.
pub(super) fn columns(query: &str, text: &str) -> Option<String> {
    let (_, list) = fuzzy_match(query, text)?;
    Some(list.iter().map(usize::to_string).collect::<Vec<_>>().join(","))
}

/// How well a text fits, and the columns of the characters that do; `None` when it does not.
pub(crate) fn fuzzy_match(query: &str, text: &str) -> Option<(i64, Vec<usize>)> {
    if query.trim_matches([' ', '|']).is_empty() {
        return Some((0, Vec::new()));
    }
    let fold = !query.bytes().any(|byte| byte.is_ascii_uppercase());
    let shown = shown(text);
    let groups = query.split('|').filter(|group| !group.trim_matches(' ').is_empty());
    let mut best: Option<(i64, Vec<bool>)> = None;
    for group in groups {
        let Some(found) = fits(group, &shown, fold) else { continue };
        if best.as_ref().is_none_or(|(score, _)| found.0 > *score) {
            best = Some(found);
        }
    }
    let (score, marked) = best?;
    let mut list: Vec<usize> = places(&shown)
        .into_iter()
        .zip(&shown)
        .zip(marked)
        .filter(|(_, marked)| *marked)
        .flat_map(|((column, shown), _)| column..column + shown.width)
        .collect();
    list.sort_unstable();
    Some((score, list))
}

/// The characters of a text without its styles.
fn shown(text: &str) -> Vec<Shown> {
    let mut list = Vec::new();
    let mut align = Align::Left;
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        let mut add = |character: char| {
            list.push(Shown { character, width: character_width(character), align });
        };
        if character != '#' {
            if !character.is_control() {
                add(character);
            }
            rest = &rest[character.len_utf8()..];
            continue;
        }
        let hashes = rest.bytes().take_while(|&byte| byte == b'#').count();
        let after = &rest[hashes..];
        if !after.starts_with('[') {
            (0..hashes.div_ceil(2)).for_each(|_| add('#'));
            rest = after;
            continue;
        }
        (0..hashes / 2).for_each(|_| add('#'));
        if hashes % 2 == 0 {
            add('[');
            rest = &after[1..];
            continue;
        }
        let Some(end) = skip(&after[1..], "]") else { break };
        let mut markup = Markup::plain(Look::default());
        if markup.apply(Look::default(), &after[1..1 + end]).is_ok() {
            align = if markup.align == Align::Default { Align::Left } else { markup.align };
        }
        rest = &after[end + 2..];
    }
    list
}

/// Where each character is drawn.
fn places(shown: &[Shown]) -> Vec<usize> {
    let width =
        |align: Align| shown.iter().filter(|shown| shown.align == align).map(|shown| shown.width).sum::<usize>();
    let (left, centre, right) = (width(Align::Left), width(Align::Centre), width(Align::Right));
    let whole = left + centre + right + width(Align::AbsoluteCentre);
    let start = |align: Align| match align {
        Align::Right => whole - right,
        Align::Centre => left + (whole - right - left) / 2 - centre / 2,
        Align::AbsoluteCentre => (whole - width(Align::AbsoluteCentre)) / 2,
        _ => 0,
    };
    let mut next: Vec<(Align, usize)> = Vec::new();
    let place = |shown: &Shown| {
        let at = match next.iter_mut().find(|(align, _)| *align == shown.align) {
            Some((_, at)) => at,
            None => {
                next.push((shown.align, start(shown.align)));
                let last = next.len() - 1;
                &mut next[last].1
            }
        };
        let column = *at;
        *at += shown.width;
        column
    };
    shown.iter().map(place).collect()
}

/// Whether all words of a group fit: how well, and which characters they are.
fn fits(group: &str, shown: &[Shown], fold: bool) -> Option<(i64, Vec<bool>)> {
    let mut marked = vec![false; shown.len()];
    let mut score = 0;
    for text in group.split(' ').filter(|text| !text.is_empty()) {
        let word = word(text)?;
        let wanted: Vec<char> = word.text.chars().collect();
        let found = if word.exact { exact(&word, &wanted, shown, fold) } else { loose(&wanted, shown, fold) };
        match found {
            Some(_) if word.inverse => return None,
            None if !word.inverse => return None,
            Some((points, places)) => {
                score += points;
                places.into_iter().for_each(|place| marked[place] = true);
            }
            None => {}
        }
    }
    Some((score, marked))
}

fn word(text: &str) -> Option<Word<'_>> {
    let (inverse, text) = text.strip_prefix('!').map_or((false, text), |text| (true, text));
    let (quoted, text) = text.strip_prefix('\'').map_or((false, text), |text| (true, text));
    let (prefix, text) = text.strip_prefix('^').map_or((false, text), |text| (true, text));
    let (suffix, text) = text.strip_suffix('$').map_or((false, text), |text| (true, text));
    let exact = inverse || quoted || prefix || suffix;
    Some(Word { inverse, exact, prefix, suffix, text }).filter(|word| !word.text.is_empty())
}

fn same(a: char, b: char, fold: bool) -> bool {
    a == b || fold && a.eq_ignore_ascii_case(&b)
}

fn is_boundary(shown: &[Shown], place: usize) -> bool {
    place > 0 && " -_/.:".contains(shown[place - 1].character)
}

/// The letters of a word in order, as near to each other as going back from the first end shows.
fn loose(wanted: &[char], shown: &[Shown], fold: bool) -> Option<(i64, Vec<usize>)> {
    let mut places = Vec::with_capacity(wanted.len());
    let mut at = 0;
    for letter in wanted {
        at += shown[at..].iter().position(|shown| same(*letter, shown.character, fold))?;
        places.push(at);
        at += 1;
    }
    let mut end = *places.last()? + 1;
    for (place, letter) in places.iter_mut().zip(wanted).rev() {
        *place = shown[..end].iter().rposition(|shown| same(*letter, shown.character, fold))?;
        end = *place;
    }
    let first = places[0];
    let mut score = if first == 0 { START } else { -(first as i64).min(LEADING_MOST) };
    score += if is_boundary(shown, first) { BOUNDARY } else { 0 };
    for pair in places.windows(2) {
        score += match pair[1] == pair[0] + 1 {
            true => CONSECUTIVE,
            false if is_boundary(shown, pair[1]) => BOUNDARY,
            false => 0,
        };
    }
    let span = places[places.len() - 1] - first + 1;
    Some((score - (span - places.len()) as i64, places))
}

/// A word as it is, at the best of its places.
fn exact(word: &Word<'_>, wanted: &[char], shown: &[Shown], fold: bool) -> Option<(i64, Vec<usize>)> {
    let last = shown.len().checked_sub(wanted.len())?;
    let starts = match (word.prefix, word.suffix) {
        (true, true) if last != 0 => return None,
        (true, _) => 0..=0,
        (false, true) => last..=last,
        (false, false) => 0..=last,
    };
    let is_there = |start: &usize| wanted.iter().zip(&shown[*start..]).all(|(a, b)| same(*a, b.character, fold));
    let score = |start: usize| {
        let mut score = EXACT + wanted.len() as i64 * CONSECUTIVE - (start as i64).min(LEADING_MOST);
        score += if word.prefix { PREFIX } else { 0 } + if word.suffix { SUFFIX } else { 0 };
        score += if start == 0 { START } else { 0 } + if is_boundary(shown, start) { BOUNDARY } else { 0 };
        if word.prefix || word.suffix { score } else { score - (last - start) as i64 }
    };
    let best = starts
        .filter(is_there)
        .map(|start| (score(start), start))
        .reduce(|best, next| if next.0 > best.0 { next } else { best });
    best.map(|(score, start)| (score, (start..start + wanted.len()).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_fit_loosely_and_as_they_are() {
        for (query, text, found) in [
            ("ac", "abc", Some("0,2")),
            ("acb", "abc", None),
            ("ABC", "abc", None),
            ("dev bash", "dev:1 bash", Some("0,1,2,6,7,8,9")),
            ("'bash", "b-a-s-h", None),
            ("^dev", "prod dev", None),
            ("bash$", "dev bash", Some("4,5,6,7")),
            ("dev !ssh", "dev ssh", None),
            ("prod | dev", "dev bash", Some("0,1,2")),
            ("dev", "#[bold]d#[default]e#[us]v", Some("0,1,2")),
            ("\u{754c}", "a\u{754c}b", Some("1,2")),
            ("b", "#[align=right]b#[align=left]aa", Some("2")),
            ("##", "a###", Some("1,2")),
            ("", "", Some("")),
            ("x", "", None),
        ] {
            assert_eq!(columns(query, text).as_deref(), found, "{query} in {text}");
        }
    }
}
