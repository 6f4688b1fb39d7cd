//! Numbers as command arguments and formats give them, with the texts of OpenBSD's strtonum.

/// Why a text is not the number that was asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NumberError {
    /// The flag was not given or has no text.
    #[error("missing")]
    Missing,
    /// The text is empty where a percentage or number was wanted.
    #[error("empty")]
    Empty,
    /// Not a number.
    #[error("invalid")]
    Invalid,
    /// Below the least allowed.
    #[error("too small")]
    TooSmall,
    /// Above the most allowed.
    #[error("too large")]
    TooLarge,
}

/// The decimal number `text` within `least..=most`: blanks and a sign may come before it, nothing after it.
pub fn number(text: &str, least: i64, most: i64) -> Result<i64, NumberError> {
    if least > most {
        return Err(NumberError::Invalid);
    }
    let trimmed = text.trim_start_matches([' ', '\t', '\n', '\r', '\x0b', '\x0c']);
    let (negative, digits) = match trimmed.as_bytes().first() {
        Some(b'-') => (true, &trimmed[1..]),
        Some(b'+') => (false, &trimmed[1..]),
        _ => (false, trimmed),
    };
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(NumberError::Invalid);
    }
    let value = digits.bytes().try_fold(0i64, |value, b| {
        let digit = i64::from(b - b'0');
        value.checked_mul(10)?.checked_add(if negative { -digit } else { digit })
    });
    match value {
        None if negative => Err(NumberError::TooSmall),
        None => Err(NumberError::TooLarge),
        Some(value) if value < least => Err(NumberError::TooSmall),
        Some(value) if value > most => Err(NumberError::TooLarge),
        Some(value) => Ok(value),
    }
}

/// A number, or with a `%` at its end that part (0 to 100) of `whole`; either way within `least..=most`.
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
    fn numbers_are_read_as_strtonum_reads_them() {
        assert_eq!(number(" +12", 0, 100), Ok(12));
        assert_eq!(number("-5", -9, 9), Ok(-5));
        assert_eq!(number("12x", 0, 100), Err(NumberError::Invalid));
        assert_eq!(number("", 0, 100), Err(NumberError::Invalid));
        assert_eq!(number("- 1", -9, 9), Err(NumberError::Invalid));
        assert_eq!(number("101", 0, 100), Err(NumberError::TooLarge));
        assert_eq!(number("-1", 0, 100), Err(NumberError::TooSmall));
        assert_eq!(number("99999999999999999999", 0, i64::MAX), Err(NumberError::TooLarge));
        assert_eq!(number("-99999999999999999999", i64::MIN, 0), Err(NumberError::TooSmall));
        assert_eq!(number("-9223372036854775808", i64::MIN, 0), Ok(i64::MIN));
    }

    #[test]
    fn a_percentage_is_of_the_whole() {
        assert_eq!(percentage("25%", 0, 100, 80), Ok(20));
        assert_eq!(percentage("101%", 0, 100, 80), Err(NumberError::TooLarge));
        assert_eq!(percentage("7", 0, 100, 80), Ok(7));
        assert_eq!(percentage("", 0, 100, 80), Err(NumberError::Empty));
        assert_eq!(percentage("1%", 5, 100, 80), Err(NumberError::TooSmall));
        assert_eq!(NumberError::TooSmall.to_string(), "too small");
    }
}
