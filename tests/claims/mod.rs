//! The claims of the two documents rove makes true, each by at least one test named after it: `s37_...` is claim S37, and a
//! test may show several (`s2_s3_s44_...`). [`every_claim_has_a_test`] fails when one has none.

mod clients;
mod codeword;
mod codewords;
mod coming_back;
mod conversations;
mod daemon;
mod doctor;
mod ends;
mod engines;
mod faults;
mod holds;
mod picker;
mod races;
mod refusals;
mod returns;
mod rotation;
mod scrollback;
mod stop;
mod store;
mod storm;
mod tabs;
mod unsupported;

use std::collections::BTreeSet;

use regex::Regex;

use crate::tidy::sources;

/// How many claims each document makes: `s1` to `s106` and `r1` to `r43`.
const CLAIMS: &[(char, usize)] = &[('s', 106), ('r', 43)];

/// Claims about what is not there yet, and what that is.
const NOT_YET: &[(&str, &[&str])] = &[
    ("tasks", &["s8", "s57", "s58", "s60"]),
    ("the inbox", &["s69", "s70", "s71", "s72", "s73"]),
    ("the web", &["s9", "s21", "s22", "s23", "s24", "s25", "s97", "s98", "s99", "s100", "s101", "s102"]),
];

/// Claims whose tests are still to be written.
const MISSING: &[&str] = &[];

/// The claims a test's name begins with: `s1_s20_r39_a_session` begins with three; one further inside counts too.
fn claimed(name: &str) -> impl Iterator<Item = String> + '_ {
    let claim = |word: &&str| {
        let number = word.strip_prefix(['s', 'r']);
        number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
    };
    name.split('_').filter(claim).map(str::to_owned)
}

#[test]
fn every_claim_has_a_test() {
    let test = Regex::new(r"#\[test\]\s*(?:#\[[^\]]*\]\s*)*fn (\w+)").unwrap();
    let mut shown = BTreeSet::new();
    for (path, text) in sources() {
        if path.starts_with("tests/claims/") {
            shown.extend(test.captures_iter(&text).flat_map(|found| claimed(&found[1]).collect::<Vec<_>>()));
        }
    }
    let excused = |claim: &String| {
        NOT_YET.iter().any(|(_, claims)| claims.contains(&claim.as_str())) || MISSING.contains(&claim.as_str())
    };
    let all = CLAIMS.iter().flat_map(|(letter, count)| (1..=*count).map(move |number| format!("{letter}{number}")));
    let without: Vec<String> = all.filter(|claim| !shown.contains(claim) && !excused(claim)).collect();
    assert!(without.is_empty(), "no test is named after {without:?}");
    let written: Vec<&&str> = MISSING.iter().filter(|claim| shown.contains(**claim)).collect();
    assert!(written.is_empty(), "no longer missing: {written:?}");
}
