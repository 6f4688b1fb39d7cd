//! `#{e|+|:1,2}`: arithmetic on two numbers.

use crate::number::number;

/// The most digits behind the point.
const PRECISION_LIMIT: i64 = 100;

fn operate(operator: &str, left: f64, right: f64) -> Option<f64> {
    let truth = |value: bool| f64::from(u8::from(value));
    Some(match operator {
        "+" => left + right,
        "-" => left - right,
        "*" => left * right,
        "/" => left / right,
        "%" | "m" => left % right,
        "==" => truth((left - right).abs() < 1e-9),
        "!=" => truth((left - right).abs() > 1e-9),
        ">" => truth(left > right),
        "<" => truth(left < right),
        ">=" => truth(left >= right),
        "<=" => truth(left <= right),
        _ => return None,
    })
}

/// A number as C reads it from a whole text: nothing is 0, and there may be blanks before it.
fn read(text: &str) -> Option<f64> {
    let trimmed = text.trim_start_matches([' ', '\t', '\n', '\r', '\x0b', '\x0c']);
    if text.is_empty() {
        return Some(0.0);
    }
    let (sign, digits) = match trimmed.as_bytes().first()? {
        b'-' => (-1.0, &trimmed[1..]),
        b'+' => (1.0, &trimmed[1..]),
        _ => (1.0, trimmed),
    };
    if let Some(hex) = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        return read_hex(hex).map(|value| sign * value);
    }
    // Not what only Rust reads: a second sign.
    if digits.starts_with(['+', '-']) {
        return None;
    }
    digits.parse::<f64>().ok().map(|value| sign * value)
}

fn read_hex(text: &str) -> Option<f64> {
    let (mantissa, exponent) = match text.find(['p', 'P']) {
        Some(place) => (&text[..place], text[place + 1..].parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.is_empty() && part.is_empty() {
        return None;
    }
    let digits = whole.chars().chain(part.chars());
    let value = digits.map(|c| c.to_digit(16)).try_fold(0.0, |value, digit| Some(value * 16.0 + f64::from(digit?)))?;
    Some(value * 16f64.powi(-i32::try_from(part.len()).ok()?) * 2f64.powi(exponent))
}

/// To a whole number as a processor does it: what does not fit is the least.
fn whole(value: f64) -> f64 {
    let fits = value > -9.3e18 && value < 9.223_372_036_854_775e18;
    (if fits { value as i64 } else { i64::MIN }) as f64
}

/// The result, or `None` when something is not as it must be. `flags` with an `f` means fractions, with two digits
/// unless `precision` says otherwise.
pub(super) fn evaluate(
    operator: &str,
    flags: Option<&str>,
    precision: Option<&str>,
    left: &str,
    right: &str,
) -> Option<String> {
    let fractions = flags.is_some_and(|flags| flags.contains('f'));
    let digits = match precision {
        None if fractions => 2,
        None => 0,
        // Fewer than none is what printf makes of it: six.
        Some(text) => usize::try_from(number(text, -PRECISION_LIMIT, PRECISION_LIMIT).ok()?).unwrap_or(6),
    };
    let (left, right) = (read(left)?, read(right)?);
    if fractions {
        return Some(print(operate(operator, left, right)?, digits));
    }
    Some(print(whole(operate(operator, whole(left), whole(right))?), digits))
}

fn print(value: f64, digits: usize) -> String {
    if value.is_nan() {
        return String::from("-nan");
    }
    format!("{value:.digits$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_c_reads_them() {
        for (text, value) in
            [("", 0.0), (" 12", 12.0), ("-1.5e2", -150.0), ("0x1F", 31.0), ("0x1.8p1", 3.0), (".5", 0.5)]
        {
            assert_eq!(read(text), Some(value), "{text}");
        }
        for bad in ["1x", " ", "--1", "0x", "1 ", "e"] {
            assert_eq!(read(bad), None, "{bad}");
        }
    }

    #[test]
    fn results_are_whole_unless_asked() {
        assert_eq!(evaluate("/", None, None, "7", "2").as_deref(), Some("3"));
        assert_eq!(evaluate("/", Some("f"), None, "7", "2").as_deref(), Some("3.50"));
        assert_eq!(evaluate("/", Some("f"), Some("4"), "1", "3").as_deref(), Some("0.3333"));
        assert_eq!(evaluate("m", None, None, "7", "3").as_deref(), Some("1"));
        assert_eq!(evaluate("/", None, None, "7", "0").as_deref(), Some("-9223372036854775808"));
        assert_eq!(evaluate("?", None, None, "7", "0"), None);
        assert_eq!(evaluate("+", Some("f"), Some("101"), "7", "0"), None);
    }
}
