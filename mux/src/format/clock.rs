//! Times as text, from a time that comes in taken apart. Reads no clock and no time zone.

use std::fmt::Write;

/// A moment, and what clocks on the wall show at it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Clock {
    /// Seconds since 1970.
    pub unix: i64,
    /// In the server's time zone.
    pub local: Local,
}

/// A time taken apart.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Local {
    /// Such as 2026.
    pub year: i64,
    /// 1 to 12.
    pub month: u32,
    /// 1 to 31.
    pub day: u32,
    /// 0 to 23.
    pub hour: u32,
    /// 0 to 59.
    pub minute: u32,
    /// 0 to 60.
    pub second: u32,
    /// 0 to 6 from Sunday.
    pub weekday: u32,
    /// 0 to 365.
    pub yearday: u32,
    /// Seconds east of Greenwich.
    pub offset: i32,
    /// Short name of the zone.
    pub zone: String,
}

impl Local {
    /// A time in UTC.
    pub fn utc(unix: i64) -> Local {
        let days = unix.div_euclid(86_400);
        let second = unix.rem_euclid(86_400) as u32;
        // Years that begin in March put the leap day last; 719468 days lie between 0000-03-01 and 1970-01-01.
        let shifted = days + 719_468;
        let era = shifted.div_euclid(146_097);
        let day_of_era = shifted.rem_euclid(146_097);
        let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let from_march = (5 * day_of_year + 2) / 153;
        let day = (day_of_year - (153 * from_march + 2) / 5 + 1) as u32;
        let month = if from_march < 10 { from_march + 3 } else { from_march - 9 } as u32;
        let year = year_of_era + era * 400 + i64::from(month <= 2);
        let before = MONTH_STARTS[month as usize - 1] + u32::from(month > 2 && is_leap(year));
        Local {
            year,
            month,
            day,
            hour: second / 3600,
            minute: second / 60 % 60,
            second: second % 60,
            weekday: (days + 4).rem_euclid(7) as u32,
            yearday: before + day - 1,
            offset: 0,
            zone: String::from("UTC"),
        }
    }

    /// The time without its zone as seconds since 1970, taken back by the offset.
    fn unix(&self) -> i64 {
        let year = self.year - 1;
        let leaps = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
        let days = year * 365 + leaps - 719_162 + i64::from(self.yearday);
        days * 86_400 + i64::from(self.hour * 3600 + self.minute * 60 + self.second) - i64::from(self.offset)
    }
}

const MONTH_STARTS: [u32; 12] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
const DAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn day_name(time: &Local) -> &'static str {
    DAYS.get(time.weekday as usize).copied().unwrap_or("?")
}

fn month_name(time: &Local) -> &'static str {
    MONTHS.get((time.month as usize).wrapping_sub(1)).copied().unwrap_or("?")
}

/// The year and week of ISO 8601, in which weeks begin on Monday and belong to the year of their Thursday.
fn iso_week(time: &Local) -> (i64, i64) {
    let monday = (i64::from(time.weekday) + 6) % 7;
    let week = (i64::from(time.yearday) - monday + 10) / 7;
    if week < 1 {
        let days = 365 + i64::from(is_leap(time.year - 1));
        return (time.year - 1, (i64::from(time.yearday) + days - monday + 10) / 7);
    }
    let days = 365 + i64::from(is_leap(time.year));
    if week == 53 && i64::from(time.yearday) - monday + 3 >= days {
        return (time.year + 1, 1);
    }
    (time.year, week)
}

/// How a number is filled up to its width.
#[derive(Clone, Copy)]
struct Fill {
    flag: Option<char>,
    width: Option<usize>,
}

impl Fill {
    fn number(self, out: &mut String, value: i64, width: usize, usual: char) {
        let fill = match self.flag {
            Some('-') => None,
            Some('_') => Some(' '),
            Some('0') => Some('0'),
            _ => Some(usual),
        };
        let digits = value.unsigned_abs().to_string();
        let sign = if value < 0 { "-" } else { "" };
        let missing = self.width.unwrap_or(width).saturating_sub(digits.len() + sign.len());
        match fill {
            Some(' ') => out.extend(std::iter::repeat_n(' ', missing)),
            Some(_) => {
                out.push_str(sign);
                out.extend(std::iter::repeat_n('0', missing));
                out.push_str(&digits);
                return;
            }
            None => {}
        }
        out.push_str(sign);
        out.push_str(&digits);
    }

    /// Without its flag.
    fn plain(self) -> Fill {
        Fill { flag: None, ..self }
    }

    fn text(self, out: &mut String, text: &str) {
        let missing = self.width.unwrap_or(0).saturating_sub(text.len());
        out.extend(std::iter::repeat_n(if self.flag == Some('0') { '0' } else { ' ' }, missing));
        match self.flag {
            Some('^' | '#') => out.push_str(&text.to_ascii_uppercase()),
            _ => out.push_str(text),
        }
    }
}

/// strftime of the C locale, with glibc's flags and widths. An unknown conversion stays as it is written.
pub fn strftime(format: &str, time: &Local) -> String {
    let mut out = String::with_capacity(format.len() + 16);
    let mut rest = format;
    while let Some(place) = rest.find('%') {
        out.push_str(&rest[..place]);
        rest = &rest[place..];
        let (fill, letter, length) = conversion(rest);
        if !letter.is_some_and(|letter| convert(&mut out, letter, fill, time)) {
            out.push_str(&rest[..length]);
        }
        rest = &rest[length..];
    }
    out.push_str(rest);
    out
}

/// The flags, width and letter of the conversion that `text` starts with, and its length.
fn conversion(text: &str) -> (Fill, Option<char>, usize) {
    let mut fill = Fill { flag: None, width: None };
    let mut places = text.char_indices().skip(1).peekable();
    while let Some((_, c)) = places.next_if(|(_, c)| "_-0^#".contains(*c)) {
        fill.flag = Some(c);
    }
    while let Some((_, c)) = places.next_if(|(_, c)| c.is_ascii_digit()) {
        let digit = c as usize - '0' as usize;
        fill.width = Some((fill.width.unwrap_or(0) * 10 + digit).min(1024));
    }
    while places.next_if(|(_, c)| *c == 'E' || *c == 'O').is_some() {}
    match places.next() {
        Some((place, letter)) => (fill, Some(letter), place + letter.len_utf8()),
        None => (fill, None, text.len()),
    }
}

fn convert(out: &mut String, letter: char, fill: Fill, time: &Local) -> bool {
    let hour12 = i64::from(if time.hour.is_multiple_of(12) { 12 } else { time.hour % 12 });
    let half = if time.hour < 12 { "AM" } else { "PM" };
    let weekday = i64::from(time.weekday);
    let yearday = i64::from(time.yearday);
    let mut number = |value: i64, width: usize| fill.number(out, value, width, '0');
    match letter {
        'C' => number(time.year.div_euclid(100), 2),
        'd' => number(i64::from(time.day), 2),
        'e' => fill.number(out, i64::from(time.day), 2, ' '),
        'G' => number(iso_week(time).0, 1),
        'g' => number(iso_week(time).0.rem_euclid(100), 2),
        'H' => number(i64::from(time.hour), 2),
        'I' => number(hour12, 2),
        'j' => number(yearday + 1, 3),
        'k' => fill.number(out, i64::from(time.hour), 2, ' '),
        'l' => fill.number(out, hour12, 2, ' '),
        'M' => number(i64::from(time.minute), 2),
        'm' => number(i64::from(time.month), 2),
        'S' => number(i64::from(time.second), 2),
        's' => number(time.unix(), 1),
        'U' => number((yearday - weekday + 7) / 7, 2),
        'u' => number(if weekday == 0 { 7 } else { weekday }, 1),
        'V' => number(iso_week(time).1, 2),
        'W' => number((yearday - (weekday + 6) % 7 + 7) / 7, 2),
        'w' => number(weekday, 1),
        'Y' => number(time.year, 1),
        'y' => number(time.year.rem_euclid(100), 2),
        '%' => fill.text(out, "%"),
        'n' => fill.text(out, "\n"),
        't' => fill.text(out, "\t"),
        'A' => fill.text(out, day_name(time)),
        'a' => fill.text(out, day_name(time).get(..3).unwrap_or("?")),
        'B' => fill.text(out, month_name(time)),
        'b' | 'h' => fill.text(out, month_name(time).get(..3).unwrap_or("?")),
        'P' => fill.text(out, &half.to_ascii_lowercase()),
        'p' if fill.flag == Some('#') => fill.plain().text(out, &half.to_ascii_lowercase()),
        'p' => fill.text(out, half),
        'Z' if fill.flag == Some('#') => fill.plain().text(out, &time.zone.to_ascii_lowercase()),
        'Z' => fill.text(out, &time.zone),
        'z' => {
            let minutes = time.offset / 60;
            let sign = if minutes < 0 { '-' } else { '+' };
            let _ = write!(out, "{sign}{:02}{:02}", minutes.abs() / 60, minutes.abs() % 60);
        }
        _ => match composed(letter) {
            Some(format) => fill.text(out, &strftime(format, time)),
            None => return false,
        },
    }
    true
}

/// Conversions that stand for others.
fn composed(letter: char) -> Option<&'static str> {
    Some(match letter {
        'c' => "%a %b %e %H:%M:%S %Y",
        'D' | 'x' => "%m/%d/%y",
        'F' => "%Y-%m-%d",
        'R' => "%H:%M",
        'r' => "%I:%M:%S %p",
        'T' | 'X' => "%H:%M:%S",
        _ => return None,
    })
}

/// Date and time in full, as `date` gives it without the zone.
pub fn date_line(time: &Local) -> String {
    strftime("%a %b %e %H:%M:%S %Y", time)
}

/// A time as short as its age allows: the clock within a day, then the weekday, the month, the year.
pub fn pretty_time(then: &Clock, now: &Clock) -> String {
    let age = now.unix.saturating_sub(then.unix).max(0);
    let now = if then.unix > now.unix { &then.local } else { &now.local };
    let then = &then.local;
    let format = if age < 24 * 3600 {
        "%H:%M"
    } else if (then.year, then.month) == (now.year, now.month) || age < 28 * 24 * 3600 {
        "%a%d"
    } else if (then.year == now.year && then.month < now.month) || (then.year == now.year - 1 && then.month > now.month)
    {
        "%d%b"
    } else {
        "%h%y"
    };
    strftime(format, then)
}

/// How long ago a time is, in its two greatest units; `None` for one that is to come.
pub fn relative_time(then: i64, now: i64) -> Option<String> {
    let age = now.checked_sub(then).filter(|age| *age >= 0)?;
    let parts = [(age / 86_400, 'd'), (age % 86_400 / 3600, 'h'), (age % 3600 / 60, 'm'), (age % 60, 's')];
    let first = parts.iter().position(|(count, _)| *count != 0).unwrap_or(parts.len() - 1);
    let shown = parts.iter().skip(first).take(2).enumerate();
    Some(
        shown
            .filter(|(at, (count, _))| *at == 0 || *count != 0)
            .map(|(_, (count, unit))| format!("{count}{unit}"))
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn days_are_counted_from_1970() {
        assert_eq!(strftime("%F %T %j %a", &Local::utc(0)), "1970-01-01 00:00:00 001 Thu");
        assert_eq!(strftime("%F %T %j %A", &Local::utc(951_782_400)), "2000-02-29 00:00:00 060 Tuesday");
        assert_eq!(strftime("%F", &Local::utc(-1)), "1969-12-31");
        assert_eq!(Local::utc(1_700_000_000).unix(), 1_700_000_000);
    }

    #[test]
    fn ages_have_two_units_at_most() {
        for (age, shown) in [
            (0, "0s"),
            (59, "59s"),
            (60, "1m"),
            (61, "1m1s"),
            (3600, "1h"),
            (3661, "1h1m"),
            (90_000, "1d1h"),
            (86_460, "1d"),
        ] {
            assert_eq!(relative_time(1000, 1000 + age).as_deref(), Some(shown));
        }
        assert_eq!(relative_time(1001, 1000), None);
    }

    #[test]
    fn conversions_are_those_of_the_c_locale() {
        let time = Local { offset: 19_800, zone: "IST".into(), ..Local::utc(1_700_000_000) };
        assert_eq!(strftime("%c|%D|%r|%R", &time), "Tue Nov 14 22:13:20 2023|11/14/23|10:13:20 PM|22:13");
        assert_eq!(strftime("%e|%k|%l|%-d|%_m|%3S|%y|%C|%P", &time), "14|22|10|14|11|020|23|20|pm");
        assert_eq!(strftime("%z|%Z|%s", &time), "+0530|IST|1699980200");
        assert_eq!(strftime("%U|%W|%V|%G|%u|%w", &time), "46|46|46|2023|2|2");
        assert_eq!(strftime("%%|%n|%Q|%^a|%#b|%#p|%+|%|%", &time), "%|\n|%Q|TUE|NOV|pm|%+|%|%");
        // 2021-01-03 is a Sunday in the last week of 2020.
        assert_eq!(strftime("%G-%V", &Local::utc(1_609_632_000)), "2020-53");
    }

    #[test]
    fn old_times_are_shown_short() {
        let clock = |unix| Clock { unix, local: Local::utc(unix) };
        let now = 1_700_000_000;
        for (ago, shown) in
            [(60, "22:12"), (-60, "22:14"), (3 * 86_400, "Sat11"), (60 * 86_400, "15Sep"), (800 * 86_400, "Sep21")]
        {
            assert_eq!(pretty_time(&clock(now - ago), &clock(now)), shown);
        }
    }

    proptest! {
        #[test]
        fn no_format_or_time_panics(format in "[%a-zA-Z0-9_^#+-]{0,12}", unix in -100_000_000_000i64..100_000_000_000) {
            strftime(&format, &Local::utc(unix));
            prop_assert_eq!(Local::utc(unix).unix(), unix);
        }
    }
}
