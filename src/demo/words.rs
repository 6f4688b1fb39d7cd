//! The words of the demo: fresh codewords and nonces, and how the stand-ins understand them. Pure but for the randomness.

use uuid::Uuid;

/// Animals whose names stand in no path and no prompt of the demo.
const ANIMALS: [&str; 8] = ["WALRUS", "MARMOT", "OCELOT", "TAPIR", "IBIS", "GECKO", "LEMUR", "QUOKKA"];

/// A codeword that was never used before, such as `WALRUS-1234`. `place` makes the animals of one run differ.
pub(super) fn codeword(place: usize) -> String {
    let number = Uuid::new_v4().as_u128();
    format!("{}-{:04}", ANIMALS[place % ANIMALS.len()], number % 10_000)
}

/// A number that stands in one question only.
pub(super) fn nonce() -> String {
    format!("{:07}", Uuid::new_v4().as_u128() % 10_000_000)
}

/// What a stand-in answers that knows no word.
pub(super) const DENIAL: &str = "I was told no codeword.";

/// The line that tells a word.
pub(super) fn telling(word: &str) -> String {
    format!("the codeword is {word}. Repeat the codeword.")
}

/// The line that asks for it.
pub(super) fn asking(nonce: &str) -> String {
    format!("what is the codeword? nonce {nonce}")
}

/// Whether a screen shows that the word was taken: it is said again, or `noted` follows it.
pub(super) fn is_taken(screen: &str, word: &str) -> bool {
    let (said, after) = (screen.matches(word).count(), after_nonce(screen, word));
    said >= 2 || after.is_some_and(|after| after.contains("noted"))
}

/// The codeword that a line tells: `... codeword is X ...`.
pub(super) fn told(line: &str) -> Option<&str> {
    let (_, after) = line.rsplit_once("codeword is ")?;
    let word = after.split_whitespace().next()?.trim_matches(|c: char| !c.is_alphanumeric());
    (!word.is_empty()).then_some(word)
}

/// Whether a line asks for it.
pub(super) fn asks(line: &str) -> bool {
    line.contains("what is the codeword?")
}

/// What stands on the screen after the last place of `nonce`, or nothing when it isn't there.
pub(super) fn after_nonce<'a>(screen: &'a str, nonce: &str) -> Option<&'a str> {
    screen.rfind(nonce).map(|at| &screen[at + nonce.len()..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_told_and_asked_for() {
        assert_eq!(told("the codeword is WALRUS-1234. Answer: noted"), Some("WALRUS-1234"));
        assert_eq!(told("codeword is  "), None);
        assert_eq!(told("what is the codeword?"), None);
        assert!(asks("what is the codeword? nonce 12"));
        assert!(!asks("codeword is X"));
        assert_eq!((told(&telling("IBIS-1")), asks(&telling("IBIS-1"))), (Some("IBIS-1"), false));
        assert_eq!((told(&asking("7")), asks(&asking("7"))), (None, true));
        assert!(!is_taken(&telling("IBIS-1"), "IBIS-1") && !is_taken("noted", "IBIS-1"));
        assert!(is_taken("is IBIS-1.\nnoted", "IBIS-1") && is_taken("is IBIS-1.\nIBIS-1", "IBIS-1"));
    }

    #[test]
    fn only_what_follows_the_question_is_an_answer() {
        assert_eq!(after_nonce("old WORD\nask 17\nThe codeword", "17"), Some("\nThe codeword"));
        assert_eq!(after_nonce("old WORD\n", "17"), None);
    }

    #[test]
    fn words_differ_from_each_other() {
        assert!(codeword(0).starts_with("WALRUS-") && codeword(9).starts_with("MARMOT-"));
        assert_eq!(nonce().len(), 7);
        assert_ne!((codeword(0), nonce()), (codeword(0), nonce()));
    }
}
