//! The options that modes read.

/// `copy-mode-line-numbers`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LineNumbers {
    /// None.
    #[default]
    Off,
    /// As the position counts: from the newest line.
    Default,
    /// From the oldest line.
    Absolute,
    /// From the cursor.
    Relative,
    /// From the cursor, and on its own line from the oldest.
    Hybrid,
}

impl LineNumbers {
    /// The choices in the order of the option's table.
    pub const NAMES: [(&'static str, LineNumbers); 5] = [
        ("off", LineNumbers::Off),
        ("default", LineNumbers::Default),
        ("absolute", LineNumbers::Absolute),
        ("relative", LineNumbers::Relative),
        ("hybrid", LineNumbers::Hybrid),
    ];

    /// The choice of a name; what is none of them is off.
    pub fn named(name: &str) -> LineNumbers {
        LineNumbers::NAMES.iter().find(|(known, _)| *known == name).map_or(LineNumbers::Off, |(_, choice)| *choice)
    }

    /// True when positions count from the oldest line.
    pub(crate) fn is_absolute(self) -> bool {
        matches!(self, LineNumbers::Absolute | LineNumbers::Relative | LineNumbers::Hybrid)
    }
}

/// The options that modes read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// `mode-keys` is vi.
    pub vi: bool,
    /// `word-separators` of the session.
    pub separators: String,
    /// `wrap-search`.
    pub wrap_search: bool,
    /// `copy-mode-line-numbers`.
    pub line_numbers: LineNumbers,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            vi: false,
            separators: "!\"#$%&'()*+,-./:;<=>?@[\\]^`{|}~".into(),
            wrap_search: true,
            line_numbers: LineNumbers::Off,
        }
    }
}
