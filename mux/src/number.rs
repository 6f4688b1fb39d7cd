//! Numbers as users write them: a whole number in a range, or a percentage of something. The words of a refusal are
//! tmux's, since its messages carry them.

/// Why a text is not a number in its range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NumberError {
    /// Not a number at all.
    #[error("invalid")]
    Invalid,
    /// Below the range.
    #[error("too small")]
    TooSmall,
    /// Above the range.
    #[error("too large")]
    TooLarge,
    /// No text.
    #[error("empty")]
    Empty,
}

/// Reads a decimal number as strtonum(3) does: blanks and a sign may come before it.
///
/// # Errors
/// [`NumberError`], but never `Empty`: no text is `Invalid`.
pub fn number(text: &str, least: i64, most: i64) -> Result<i64, NumberError> {
    let text = text.trim_start_matches([' ', '\t', '\n', '\x0b', '\x0c', '\r']);
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(NumberError::Invalid);
    }
    let value = digits
        .bytes()
        .try_fold(0i64, |sum, byte| sum.checked_mul(10)?.checked_add(i64::from(byte - b'0')))
        .map(|value| if negative { -value } else { value });
    match value {
        None if negative => Err(NumberError::TooSmall),
        None => Err(NumberError::TooLarge),
        Some(value) if value < least => Err(NumberError::TooSmall),
        Some(value) if value > most => Err(NumberError::TooLarge),
        Some(value) => Ok(value),
    }
}

/// Reads a number, or with a `%` after it that part of `whole`; either must be in the range.
///
/// # Errors
/// [`NumberError`].
pub fn percentage(text: &str, least: i64, most: i64, whole: i64) -> Result<i64, NumberError> {
    if text.is_empty() {
        return Err(NumberError::Empty);
    }
    let Some(part) = text.strip_suffix('%') else { return number(text, least, most) };
    let value = whole.saturating_mul(number(part, 0, 100)?) / 100;
    match value {
        value if value < least => Err(NumberError::TooSmall),
        value if value > most => Err(NumberError::TooLarge),
        value => Ok(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_refused_in_tmux_words() {
        assert_eq!(number(" +12", 0, 20), Ok(12));
        assert_eq!(number("-3", -5, 0), Ok(-3));
        assert_eq!(number("12x", 0, 20), Err(NumberError::Invalid));
        assert_eq!(number("", 0, 20), Err(NumberError::Invalid));
        assert_eq!(number("-1", 0, 20).map_err(|error| error.to_string()), Err("too small".to_owned()));
        assert_eq!(number("99999999999999999999", 0, 20).map_err(|e| e.to_string()), Err("too large".to_owned()));
    }

    #[test]
    fn a_percentage_is_a_part_of_the_whole() {
        assert_eq!(percentage("30%", 0, 100, 80), Ok(24));
        assert_eq!(percentage("30", 0, 100, 80), Ok(30));
        assert_eq!(percentage("101%", 0, 100, 80), Err(NumberError::TooLarge));
        assert_eq!(percentage("%", 0, 100, 80), Err(NumberError::Invalid));
        assert_eq!(percentage("", 0, 100, 80), Err(NumberError::Empty));
    }
}
