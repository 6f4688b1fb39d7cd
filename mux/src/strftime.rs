//! Dates and times as strftime(3) writes them in the C locale, from a local time that is given as data. Knows no clock
//! and no time zones.

use std::fmt::Write;

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
/// Most columns that a number may be padded to.
const WIDTH_MAXIMUM: usize = 128;
const DAY_SECONDS: i64 = 86_400;

/// A point of time, taken apart for a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalTime {
    /// Year, such as 2026.
    pub year: i64,
    /// Month, 1 to 12.
    pub month: u32,
    /// Day of the month, 1 to 31.
    pub day: u32,
    /// Hour, 0 to 23.
    pub hour: u32,
    /// Minute, 0 to 59.
    pub minute: u32,
    /// Second, 0 to 59.
    pub second: u32,
    /// Day of the week, 0 for Sunday.
    pub weekday: u32,
    /// Day of the year, 0 for the first of January.
    pub yearday: u32,
    /// Seconds east of Greenwich.
    pub offset: i32,
    /// Name of the time zone, such as `CET`.
    pub zone: String,
    /// Seconds since the first of January 1970 in Greenwich.
    pub epoch: i64,
}

impl LocalTime {
    /// The point of time so many seconds after the first of January 1970, at a place so many seconds east of
    /// Greenwich.
    pub fn from_epoch(epoch: i64, offset: i32, zone: &str) -> Self {
        // Some thousands of years either way are enough, and nothing overflows.
        let local = epoch.clamp(-(1 << 45), 1 << 45) + i64::from(offset);
        let (days, seconds) = (local.div_euclid(DAY_SECONDS), local.rem_euclid(DAY_SECONDS));
        let (year, month, day) = civil(days);
        let part = |seconds: i64| u32::try_from(seconds).unwrap_or(0);
        Self {
            year,
            month,
            day,
            hour: part(seconds / 3600),
            minute: part(seconds / 60 % 60),
            second: part(seconds % 60),
            weekday: part((days + 4).rem_euclid(7)),
            yearday: part(days - days_before(year)),
            offset,
            zone: zone.to_owned(),
            epoch,
        }
    }

    /// Writes the time by a format. A conversion that there is not is left as it is.
    pub fn format(&self, format: &str) -> String {
        let mut out = String::with_capacity(format.len());
        let mut rest = format;
        while let Some(at) = rest.find('%') {
            out.push_str(&rest[..at]);
            let (conversion, letter) = Conversion::read(&rest[at + 1..]);
            let end = at + 1 + conversion.length;
            match letter.and_then(|letter| self.convert(letter, conversion)) {
                Some(text) => out.push_str(&text),
                None => out.push_str(&rest[at..end]),
            }
            rest = &rest[end..];
        }
        out + rest
    }

    fn convert(&self, letter: char, form: Conversion) -> Option<String> {
        let hour = (self.hour + 11) % 12 + 1;
        let day = |text: &str| form.text(text);
        let number = |value: u32, width: usize| form.number(i64::from(value), width, '0');
        let blank = |value: u32| form.number(i64::from(value), 2, ' ');
        let (weekday, month) = (DAYS[self.weekday as usize % 7], MONTHS[(self.month.max(1) - 1) as usize % 12]);
        let half = if self.hour < 12 { "AM" } else { "PM" };
        Some(match letter {
            '%' => "%".to_owned(),
            'n' => "\n".to_owned(),
            't' => "\t".to_owned(),
            'a' => day(&weekday[..3]),
            'A' => day(weekday),
            'b' | 'h' => day(&month[..3]),
            'B' => day(month),
            'c' => day(&self.format("%a %b %e %H:%M:%S %Y")),
            'C' => form.number(self.year.div_euclid(100), 2, '0'),
            'd' => number(self.day, 2),
            'D' | 'x' => day(&self.format("%m/%d/%y")),
            'e' => blank(self.day),
            'F' => day(&self.format("%Y-%m-%d")),
            'g' => form.number(self.week_year().0.rem_euclid(100), 2, '0'),
            'G' => form.number(self.week_year().0, 1, '0'),
            'H' => number(self.hour, 2),
            'I' => number(hour, 2),
            'j' => number(self.yearday + 1, 3),
            'k' => blank(self.hour),
            'l' => blank(hour),
            'm' => number(self.month, 2),
            'M' => number(self.minute, 2),
            'p' if form.swap => half.to_lowercase(),
            'p' => day(half),
            'P' => half.to_lowercase(),
            'r' => day(&self.format("%I:%M:%S %p")),
            'R' => day(&self.format("%H:%M")),
            's' => form.number(self.epoch, 1, '0'),
            'S' => number(self.second, 2),
            'T' | 'X' => day(&self.format("%H:%M:%S")),
            'u' => number((self.weekday + 6) % 7 + 1, 1),
            'U' => number((self.yearday + 7 - self.weekday % 7) / 7, 2),
            'V' => number(self.week_year().1, 2),
            'w' => number(self.weekday, 1),
            'W' => number((self.yearday + 7 - (self.weekday + 6) % 7) / 7, 2),
            'y' => form.number(self.year.rem_euclid(100), 2, '0'),
            'Y' => form.number(self.year, 1, '0'),
            'z' => self.numeric_zone(),
            'Z' if form.swap => self.zone.to_lowercase(),
            'Z' => day(&self.zone),
            _ => return None,
        })
    }

    fn numeric_zone(&self) -> String {
        let minutes = self.offset.unsigned_abs() / 60;
        let sign = if self.offset < 0 { '-' } else { '+' };
        format!("{sign}{:02}{:02}", minutes / 60, minutes % 60)
    }

    /// The year and week of ISO 8601: weeks begin on Monday, the first has the year's first Thursday.
    fn week_year(&self) -> (i64, u32) {
        let monday_based = (self.weekday + 6) % 7;
        let thursday = i64::from(self.yearday) - i64::from(monday_based) + 3;
        let year = match thursday {
            ..0 => self.year - 1,
            day if day >= year_length(self.year) => self.year + 1,
            _ => self.year,
        };
        let yearday = match year - self.year {
            -1 => thursday + year_length(year),
            1 => thursday - year_length(self.year),
            _ => thursday,
        };
        (year, u32::try_from(yearday / 7 + 1).unwrap_or(1))
    }
}

/// What stands between `%` and the letter: flags, a width, and E or O, which the C locale ignores.
#[derive(Clone, Copy, Default)]
struct Conversion {
    pad: Option<char>,
    unpadded: bool,
    upper: bool,
    swap: bool,
    width: Option<usize>,
    /// Bytes after the percent sign.
    length: usize,
}

impl Conversion {
    fn read(text: &str) -> (Self, Option<char>) {
        let mut form = Self::default();
        let mut letters = text.chars().peekable();
        while let Some(flag) = letters.next_if(|letter| "-_0^#".contains(*letter)) {
            match flag {
                '-' => form.unpadded = true,
                '_' => form.pad = Some(' '),
                '0' => form.pad = Some('0'),
                '^' => form.upper = true,
                _ => form.swap = true,
            }
            form.length += 1;
        }
        while let Some(digit) = letters.next_if(char::is_ascii_digit) {
            let value = usize::from(digit as u8 - b'0');
            form.width = Some((form.width.unwrap_or(0) * 10 + value).min(WIDTH_MAXIMUM));
            form.length += 1;
        }
        if letters.next_if(|letter| matches!(letter, 'E' | 'O')).is_some() {
            form.length += 1;
        }
        let letter = letters.next();
        form.length += letter.map_or(0, char::len_utf8);
        (form, letter)
    }

    fn text(self, text: &str) -> String {
        let text = if self.upper || self.swap { text.to_uppercase() } else { text.to_owned() };
        let missing = self.width.unwrap_or(0).saturating_sub(text.chars().count());
        self.pad.unwrap_or(' ').to_string().repeat(missing) + &text
    }

    fn number(self, value: i64, width: usize, pad: char) -> String {
        let pad = self.pad.unwrap_or(pad);
        let width = if self.unpadded { 0 } else { self.width.unwrap_or(width) };
        let mut digits = value.unsigned_abs().to_string();
        let sign = if value < 0 { "-" } else { "" };
        let missing = width.saturating_sub(digits.len() + sign.len());
        digits.insert_str(0, &pad.to_string().repeat(missing));
        let mut out = String::new();
        if pad == '0' {
            write!(out, "{sign}{digits}").expect("writing to a string cannot fail");
        } else {
            let blanks = digits.len() - digits.trim_start().len();
            write!(out, "{}{sign}{}", &digits[..blanks], &digits[blanks..]).expect("writing to a string cannot fail");
        }
        out
    }
}

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn year_length(year: i64) -> i64 {
    365 + i64::from(is_leap(year))
}

/// Days from the first of January 1970 to that of a year.
fn days_before(year: i64) -> i64 {
    let past = year - 1;
    past * 365 + past.div_euclid(4) - past.div_euclid(100) + past.div_euclid(400) - 719_162
}

/// Year, month and day of a day counted from the first of January 1970.
fn civil(days: i64) -> (i64, u32, u32) {
    // The mean year gives the year or one beside it.
    let mut year = 1970 + (days * 400).div_euclid(146_097);
    while days < days_before(year) {
        year -= 1;
    }
    while days >= days_before(year + 1) {
        year += 1;
    }
    let mut rest = days - days_before(year);
    let lengths = [31, 28 + i64::from(is_leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 1;
    for length in lengths {
        if rest < length {
            break;
        }
        rest -= length;
        month += 1;
    }
    (year, month, u32::try_from(rest + 1).unwrap_or(1))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_day_after_is_the_next_day(epoch in -100_000_000_000i64..100_000_000_000, format in "(%[-_0^#0-9]{0,4}.|.){0,6}") {
            let (today, tomorrow) = (LocalTime::from_epoch(epoch, 0, ""), LocalTime::from_epoch(epoch + DAY_SECONDS, 0, ""));
            prop_assert_eq!((today.weekday + 1) % 7, tomorrow.weekday);
            prop_assert!(tomorrow.day == today.day + 1 || (tomorrow.day == 1 && today.day >= 28));
            prop_assert!((1..=53).contains(&today.week_year().1));
            today.format(&format);
        }
    }

    #[test]
    fn every_conversion_is_as_in_the_c_locale() {
        // date -u -d @1767582123: Monday 2026-01-05 03:02:03.
        let time = LocalTime::from_epoch(1_767_582_123, 0, "UTC");
        for (format, text) in [
            ("%H:%M %d-%b-%y", "03:02 05-Jan-26"),
            ("%a %A %h %B", "Mon Monday Jan January"),
            ("%c|%D|%x", "Mon Jan  5 03:02:03 2026|01/05/26|01/05/26"),
            ("%C %e %F %g %G", "20  5 2026-01-05 26 2026"),
            ("%I %j %k %l %m", "03 005  3  3 01"),
            ("%p %P %r %R", "AM am 03:02:03 AM 03:02"),
            ("%s %S %T %X", "1767582123 03 03:02:03 03:02:03"),
            ("%u %U %V %w %W %Y", "1 01 02 1 01 2026"),
            ("%z %Z %#Z %%", "+0000 UTC utc %"),
            ("%-d %_d %05d %^a %#p %6Y %Ey %10A", "5  5 00005 MON am 002026 26     Monday"),
            ("%n%t", "\n\t"),
            ("100% %Q %", "100% %Q %"),
        ] {
            assert_eq!(time.format(format), text, "{format}");
        }
    }

    #[test]
    fn a_place_shifts_the_time() {
        let time = LocalTime::from_epoch(0, -3 * 3600 - 1800, "NST");
        assert_eq!(time.format("%F %T %z %j %G-W%V"), "1969-12-31 20:30:00 -0330 365 1970-W01");
        assert_eq!(LocalTime::from_epoch(951_782_400, 0, "UTC").format("%F %A"), "2000-02-29 Tuesday");
        assert_eq!(LocalTime::from_epoch(1_609_459_200, 0, "UTC").format("%G-W%V %F"), "2020-W53 2021-01-01");
    }

    #[test]
    fn no_time_and_no_format_is_too_odd() {
        for epoch in [i64::MIN, i64::MAX] {
            LocalTime::from_epoch(epoch, i32::MIN, "").format("%c %999999999d %\u{e9} %-_0^#");
        }
    }
}
