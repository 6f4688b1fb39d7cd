//! What the terminal of a client can do, and how colours and characters are brought down to it.
//!
//! Made from the name in TERM, COLORTERM, the options terminal-features and terminal-overrides, and later the
//! terminal's own answers. Nothing is read from a terminfo database.

mod acs;
mod color;
mod table;

pub use acs::{acs_fallback, acs_key, acs_unicode};
pub use color::{nearest_16, nearest_256, rgb_of_index};
pub use table::{ABILITIES, AbilityRow, FEATURES, FeatureRow, PRODUCTS, ProductRow, TERMINALS, TerminalRow};

use crate::style::{Attrs, Color, Style, Underline};
use bitflags::bitflags;

bitflags! {
    /// Single abilities of a terminal. [`ABILITIES`] says what each is called in terminfo and in terminal-overrides.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
    pub struct Ability: u64 {
        /// The screen can be cleared (clear). Nothing works without.
        const CLEAR = 1;
        /// The cursor can be put anywhere (cup). Nothing works without.
        const MOVE = 1 << 1;
        /// A character in the last column moves the cursor to the next row (am).
        const AUTO_MARGIN = 1 << 2;
        /// ... only once the next character comes (xenl), so that the last cell can be written safely.
        const DEFERRED_WRAP = 1 << 3;
        /// Erasing fills with the background of the pen (bce).
        const BACK_COLOR_ERASE = 1 << 4;
        /// The rest of a row can be erased (el).
        const ERASE_LINE = 1 << 5;
        /// A number of cells can be erased (ech).
        const ERASE_CHARS = 1 << 6;
        /// The last character can be repeated (rep).
        const REPEAT = 1 << 7;
        /// A region of rows can be scrolled (csr).
        const REGION = 1 << 8;
        /// A region can be scrolled up by a number of rows (indn).
        const SCROLL_UP = 1 << 9;
        /// A region can be scrolled down by a number of rows (rin).
        const SCROLL_DOWN = 1 << 10;
        /// Reverse index (ri).
        const REVERSE_INDEX = 1 << 11;
        /// The cursor can be moved by numbers (cub, cuf, cuu, cud).
        const MOVE_BY = 1 << 12;
        /// The cursor can be put in a column of its row (hpa).
        const MOVE_COLUMN = 1 << 13;
        /// The cursor can be put in a row (vpa).
        const MOVE_ROW = 1 << 14;
        /// There is an alternate screen (smcup).
        const ALTERNATE = 1 << 15;
        /// Cursor keys and keypad have application modes (smkx).
        const KEYPAD = 1 << 16;
        /// Line drawing with the DEC special graphics set (smacs).
        const LINE_DRAWING = 1 << 17;
        /// The cursor can be hidden (civis).
        const HIDE_CURSOR = 1 << 18;
        /// Bold (bold).
        const BOLD = 1 << 19;
        /// Dim (dim).
        const DIM = 1 << 20;
        /// Italics (sitm).
        const ITALIC = 1 << 21;
        /// Underline (smul).
        const UNDERLINE = 1 << 22;
        /// Blink (blink).
        const BLINK = 1 << 23;
        /// Reverse (rev).
        const REVERSE = 1 << 24;
        /// Hidden text (invis).
        const HIDDEN = 1 << 25;
        /// Strikethrough (smxx).
        const STRIKE = 1 << 26;
        /// Overline (Smol).
        const OVERLINE = 1 << 27;
        /// Underlines of other forms (Smulx).
        const UNDERLINE_STYLE = 1 << 28;
        /// Underlines of their own colour (Setulc).
        const UNDERLINE_COLOR = 1 << 29;
        /// The default colours can be set one by one, SGR 39 and 49 (AX).
        const DEFAULT_COLOR = 1 << 30;
        /// Attributes can be taken away one by one, SGR 22 to 29 (no name in terminfo of its own; rmul).
        const ATTRIBUTE_OFF = 1 << 31;
        /// The cursor has forms (Ss).
        const CURSOR_STYLE = 1 << 32;
        /// The cursor has a colour (Cs).
        const CURSOR_COLOR = 1 << 33;
        /// The window has a title (tsl).
        const TITLE = 1 << 34;
        /// The window has a directory, OSC 7 (Swd).
        const PATH = 1 << 35;
        /// The clipboard can be set, OSC 52 (Ms).
        const CLIPBOARD = 1 << 36;
        /// Hyperlinks, OSC 8 (Hls).
        const HYPERLINKS = 1 << 37;
        /// Bracketed paste (Enbp).
        const PASTE = 1 << 38;
        /// Focus reports (Enfcs).
        const FOCUS = 1 << 39;
        /// xterm's modifyOtherKeys (Eneks).
        const EXTENDED_KEYS = 1 << 40;
        /// kitty's keyboard protocol.
        const KITTY_KEYS = 1 << 41;
        /// Synchronised updates, mode 2026 (Sync).
        const SYNC = 1 << 42;
        /// Left and right margins, DECSLRM (Cmg).
        const MARGINS = 1 << 43;
        /// Rectangles can be filled, DECFRA (Rect).
        const RECTANGLES = 1 << 44;
        /// Mouse reports (kmous).
        const MOUSE = 1 << 45;
        /// Sixel pictures (Sxl).
        const SIXEL = 1 << 46;
        /// The progress bar of OSC 9;4 (Spb).
        const PROGRESS = 1 << 47;
        /// Bold does not brighten the first eight colours (Nobr).
        const NO_BRIGHT = 1 << 48;
        /// Descends from the VT100 (XT, or clear begins with CSI): questions and unknown modes do no harm.
        const VT100 = 1 << 49;
        /// Line drawing must be done with the DEC set although the client speaks UTF-8 (U8=0).
        const FORCE_LINE_DRAWING = 1 << 50;
        /// Text is laid out by its direction (Bidi), so that what borders part must be isolated.
        const BIDI = 1 << 51;
    }
}

/// How many colours a terminal has.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Colors {
    /// None.
    #[default]
    None,
    /// The first eight.
    Eight,
    /// Sixteen.
    Sixteen,
    /// The 256 of xterm.
    Indexed,
    /// 24 bits.
    Rgb,
}

/// Why a terminal cannot be used; the words are tmux's.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CapsError {
    /// It cannot clear its screen.
    #[error("terminal does not support clear")]
    NoClear,
    /// It cannot move its cursor.
    #[error("terminal does not support cup")]
    NoMove,
}

/// What a client said of its terminal when it connected.
#[derive(Clone, Copy, Debug, Default)]
pub struct Claim<'a> {
    /// TERM.
    pub term: &'a str,
    /// COLORTERM, empty when it is not set.
    pub colorterm: &'a str,
    /// Whether the client writes UTF-8 (its locale, or -u).
    pub utf8: bool,
    /// Features given with -T, separated by commas.
    pub features: &'a str,
}

/// What a client's terminal can do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Caps {
    /// The name in TERM.
    pub term: String,
    /// Abilities.
    pub abilities: Ability,
    /// Colours.
    pub colors: Colors,
    /// Whether characters beyond ASCII are written, as UTF-8.
    pub utf8: bool,
    /// The features that were named or found, a bit for each row of [`FEATURES`].
    features: u32,
    /// What terminal-overrides says of this terminal; applied again after each new feature.
    overrides: Vec<String>,
}

impl Caps {
    /// The abilities of a terminal. `features` and `overrides` are the entries of the options terminal-features and
    /// terminal-overrides (`pattern:name:name=value...`).
    pub fn new(claim: Claim<'_>, features: &[&str], overrides: &[&str]) -> Caps {
        let row = TERMINALS.iter().find(|row| matches(row.pattern, claim.term)).unwrap_or(&table::UNKNOWN);
        let mut caps = Caps {
            term: claim.term.to_owned(),
            abilities: row.abilities,
            colors: row.colors,
            utf8: claim.utf8,
            features: 0,
            overrides: Vec::new(),
        };
        caps.colors = caps.colors.max(colors_in_name(claim.term));
        for entry in overrides {
            if let Some(rest) = entry_for(entry, claim.term) {
                caps.overrides.push(rest.to_owned());
            }
        }
        caps.apply_overrides();
        caps.add_features(claim.features);
        for entry in features {
            if let Some(rest) = entry_for(entry, claim.term) {
                caps.add_features(rest);
            }
        }
        let colorterm = claim.colorterm.to_ascii_lowercase();
        if colorterm == "truecolor" || colorterm == "24bit" {
            caps.add_features("RGB");
        } else if colorterm.contains("256") {
            caps.add_features("256");
        }
        if caps.has(Ability::VT100) {
            caps.add_features("bpaste,focus,title");
        }
        if caps.colors == Colors::Rgb {
            caps.add_features("RGB");
        }
        caps
    }

    /// True when the terminal can do all of `abilities`.
    pub fn has(&self, abilities: Ability) -> bool {
        self.abilities.contains(abilities)
    }

    /// True when the terminal has a capability that is known by this name.
    pub fn has_named(&self, name: &str) -> bool {
        match name {
            "colors" => self.colors != Colors::None,
            "RGB" | "Tc" | "setrgbf" | "setrgbb" => self.colors == Colors::Rgb,
            "setab" | "setaf" => self.colors >= Colors::Eight,
            name => ABILITIES.iter().any(|row| row.names.contains(&name) && self.has(row.ability)),
        }
    }

    /// Whether the terminal can be used at all.
    pub fn check(&self) -> Result<(), CapsError> {
        if !self.has(Ability::CLEAR) {
            return Err(CapsError::NoClear);
        }
        if self.has(Ability::MOVE) { Ok(()) } else { Err(CapsError::NoMove) }
    }

    /// Adds features by name, separated by `,` or `:`; as tmux it stops at the first unknown one. True if any is new.
    pub fn add_features(&mut self, names: &str) -> bool {
        let before = self.features;
        for name in names.split([',', ':']).filter(|name| !name.is_empty()) {
            let Some(index) = FEATURES.iter().position(|row| row.name.eq_ignore_ascii_case(name)) else { break };
            let row = &FEATURES[index];
            self.features |= 1 << index;
            self.abilities |= row.abilities;
            self.colors = self.colors.max(row.colors);
        }
        self.apply_overrides();
        self.features != before
    }

    /// The names of the features, separated by commas (`#{client_termfeatures}`).
    pub fn feature_names(&self) -> String {
        let known = FEATURES.iter().enumerate().filter(|(index, _)| self.features & 1 << index != 0);
        known.map(|(_, row)| row.name).collect::<Vec<_>>().join(",")
    }

    /// What the terminal calls itself (the answer to XTVERSION). True if that told something new.
    pub fn identify(&mut self, answer: &str) -> bool {
        let before = self.clone();
        if let Some(row) = PRODUCTS.iter().find(|row| answer.starts_with(row.answer)) {
            self.abilities |= row.abilities;
            self.add_features(row.features);
        }
        *self != before
    }

    /// The parameters of the answer to primary device attributes (CSI c). True if they told something new.
    pub fn identify_primary(&mut self, params: &[u16]) -> bool {
        let mut new = false;
        for param in params.iter().skip(1) {
            new |= match param {
                4 => self.add_features("sixel"),
                21 => self.add_features("margins"),
                28 => self.add_features("rectfill"),
                52 => self.add_features("clipboard"),
                _ => false,
            };
        }
        new
    }

    /// The first parameter of the answer to secondary device attributes (CSI > c). True if it told something new.
    pub fn identify_secondary(&mut self, kind: u16) -> bool {
        match u8::try_from(kind) {
            Ok(b'M') => self.identify("mintty "),
            Ok(b'T') => self.identify("tmux "),
            Ok(b'U') => self.identify("rxvt-unicode "),
            _ => false,
        }
    }

    /// Whether line drawing needs the DEC special graphics set.
    pub fn needs_line_drawing(&self) -> bool {
        !self.utf8 || self.has(Ability::FORCE_LINE_DRAWING)
    }

    /// The nearest style this terminal can show.
    pub fn reduce(&self, style: Style) -> Style {
        let mut style = style;
        if self.colors == Colors::None {
            style = color::as_reverse(style);
        }
        let (fg, bright) = color::reduce(style.fg, self.colors);
        let (bg, _) = color::reduce(style.bg, self.colors);
        if bright {
            style.attrs |= Attrs::BOLD;
        }
        style.fg = color::apart(fg, bg, self.colors);
        style.bg = bg;
        if !self.has(Ability::UNDERLINE_COLOR) || style.attrs.underline() == Underline::None {
            style.us = Color::DEFAULT;
        }
        style.attrs = self.reduce_attrs(style.attrs);
        style
    }

    fn reduce_attrs(&self, attrs: Attrs) -> Attrs {
        if attrs.is_empty() {
            return attrs;
        }
        let mut attrs = attrs;
        if attrs.contains(Attrs::ITALIC) && !self.has(Ability::ITALIC) {
            attrs |= Attrs::REVERSE;
        }
        for (attr, ability) in ATTR_ABILITIES {
            if !self.has(*ability) {
                attrs.remove(*attr);
            }
        }
        if !matches!(attrs.underline(), Underline::None | Underline::Single) && !self.has(Ability::UNDERLINE_STYLE) {
            attrs = attrs.with_underline(Underline::Single);
        }
        if self.has(Ability::UNDERLINE) { attrs } else { attrs.with_underline(Underline::None) }
    }

    fn apply_overrides(&mut self) {
        for entry in std::mem::take(&mut self.overrides) {
            entry.split(':').for_each(|part| self.apply_override(part));
            self.overrides.push(entry);
        }
    }

    /// One `name`, `name@` or `name=value` of terminal-overrides. Sequences of their own are not used, only the fact
    /// that there is one.
    fn apply_override(&mut self, part: &str) {
        let (name, value) = part.split_once('=').map_or((part, None), |(name, value)| (name, Some(value)));
        let (name, off) = name.strip_suffix('@').map_or((name, false), |name| (name, true));
        match (name, off) {
            ("colors", _) => self.colors = value.and_then(|value| value.parse().ok()).map_or(Colors::None, colors_of),
            ("Tc" | "RGB" | "setrgbf" | "setrgbb", false) => self.colors = Colors::Rgb,
            ("Tc" | "RGB" | "setrgbf" | "setrgbb", true) => self.colors = self.colors.min(Colors::Indexed),
            ("setaf" | "setab", true) => self.colors = Colors::None,
            ("U8", _) => self.abilities.set(Ability::FORCE_LINE_DRAWING, value == Some("0")),
            _ => {
                for row in ABILITIES.iter().filter(|row| row.names.contains(&name)) {
                    self.abilities.set(row.ability, !off);
                }
            }
        }
    }
}

/// Which ability an attribute needs.
static ATTR_ABILITIES: &[(Attrs, Ability)] = &[
    (Attrs::BOLD, Ability::BOLD),
    (Attrs::DIM, Ability::DIM),
    (Attrs::ITALIC, Ability::ITALIC),
    (Attrs::BLINK, Ability::BLINK),
    (Attrs::REVERSE, Ability::REVERSE),
    (Attrs::HIDDEN, Ability::HIDDEN),
    (Attrs::STRIKE, Ability::STRIKE),
    (Attrs::OVERLINE, Ability::OVERLINE),
];

/// Colours for the number in terminfo.
fn colors_of(count: u32) -> Colors {
    match count {
        0..=7 => Colors::None,
        8..=15 => Colors::Eight,
        16..=255 => Colors::Sixteen,
        256..=0xffff => Colors::Indexed,
        _ => Colors::Rgb,
    }
}

/// What the ending of a terminal's name says.
fn colors_in_name(term: &str) -> Colors {
    if term.ends_with("-direct") {
        Colors::Rgb
    } else if term.ends_with("-256color") {
        Colors::Indexed
    } else if term.ends_with("-16color") {
        Colors::Sixteen
    } else {
        Colors::None
    }
}

/// The part of an option's entry after its pattern, if the pattern fits.
fn entry_for<'a>(entry: &'a str, term: &str) -> Option<&'a str> {
    let (pattern, rest) = entry.split_once(':')?;
    matches(pattern, term).then_some(rest)
}

/// A shell pattern with `*` and `?`.
fn matches(pattern: &str, text: &str) -> bool {
    let (pattern, text) = (pattern.as_bytes(), text.as_bytes());
    let (mut p, mut t, mut star) = (0, 0, None);
    while t < text.len() {
        match pattern.get(p) {
            Some(b'*') => {
                star = Some((p, t));
                p += 1;
            }
            Some(&byte) if byte == b'?' || byte == text[t] => {
                p += 1;
                t += 1;
            }
            _ => {
                let Some((star_p, star_t)) = star else { return false };
                star = Some((star_p, star_t + 1));
                p = star_p + 1;
                t = star_t + 1;
            }
        }
    }
    pattern[p..].iter().all(|byte| *byte == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn caps(term: &str) -> Caps {
        Caps::new(Claim { term, utf8: true, ..Claim::default() }, &[], &[])
    }

    #[test]
    fn patterns_match_as_the_shell_does() {
        assert!(matches("xterm*", "xterm-256color") && matches("*", "") && matches("s?reen*", "screen"));
        assert!(matches("*256*", "xterm-256color") && !matches("xterm", "xterm-256color") && !matches("?", ""));
    }

    #[test]
    fn a_name_and_the_options_make_the_features() {
        let xterm = Caps::new(
            Claim { term: "xterm-256color", colorterm: "truecolor", utf8: true, features: "" },
            &["xterm*:clipboard:ccolour:cstyle:focus:title", "screen*:title"],
            &[],
        );
        assert_eq!(xterm.feature_names(), "bpaste,ccolour,clipboard,cstyle,focus,RGB,title");
        assert_eq!(xterm.colors, Colors::Rgb);
        assert_eq!(caps("xterm-256color").colors, Colors::Indexed);
        assert_eq!(caps("screen").feature_names(), "bpaste,focus,title");
        assert_eq!(caps("vt100").colors, Colors::None);
    }

    #[test]
    fn an_override_takes_away_and_stays() {
        let claim = Claim { term: "xterm", utf8: true, ..Claim::default() };
        let mut caps = Caps::new(claim, &[], &["xterm*:smcup@:rmcup@:colors=8:Ms@", "linux:AX"]);
        assert!(!caps.has(Ability::ALTERNATE) && caps.colors == Colors::Eight);
        caps.add_features("clipboard");
        assert!(!caps.has(Ability::CLIPBOARD));
        assert!(!caps.add_features("nonsense,sync") && !caps.has(Ability::SYNC));
    }

    #[test]
    fn a_terminal_tells_more_when_asked() {
        let mut caps = caps("xterm-256color");
        assert!(!caps.has(Ability::SYNC));
        assert!(caps.identify("foot(1.2)") && caps.has(Ability::SYNC) && caps.colors == Colors::Rgb);
        assert!(!caps.identify("foot(1.2)") && !caps.identify("who knows"));
        assert!(caps.identify_primary(&[62, 4]) && caps.has(Ability::SIXEL));
        assert!(caps.identify_secondary(u16::from(b'M')));
    }

    #[test]
    fn a_dumb_terminal_is_refused_in_tmux_words() {
        assert_eq!(caps("dumb").check().unwrap_err().to_string(), "terminal does not support clear");
        assert_eq!(caps("vt100").check(), Ok(()));
    }

    #[test]
    fn styles_come_down_to_what_there_is() {
        let style = Style {
            fg: Color::rgb(255, 0, 0),
            bg: Color::DEFAULT,
            us: Color::ansi(2),
            attrs: Attrs::ITALIC.with_underline(Underline::Curly),
        };
        let linux = caps("linux").reduce(style);
        assert_eq!((linux.fg, linux.us), (Color::ansi(1), Color::DEFAULT));
        assert_eq!(linux.attrs, (Attrs::REVERSE | Attrs::BOLD).with_underline(Underline::Single));
        assert_eq!(caps("foot").reduce(style), style);
        let flat = Style { bg: Color::ansi(4), ..Style::default() };
        assert_eq!(caps("vt100").reduce(flat).attrs, Attrs::REVERSE);
    }

    #[test]
    fn tables_are_sound() {
        for row in TERMINALS {
            assert!(!row.about.is_empty() && row.abilities.contains(Ability::CLEAR) == (row.pattern != "dumb"));
        }
        assert!(FEATURES.len() <= 32);
        for row in FEATURES {
            assert!(!row.about.is_empty());
            let mut caps = caps("vt100");
            caps.add_features(row.name);
            assert!(caps.feature_names().split(',').any(|name| name == row.name));
        }
        for row in PRODUCTS {
            let mut caps = caps("vt100");
            caps.identify(row.answer);
            let names = caps.feature_names();
            assert!(row.features.split(',').all(|name| names.split(',').any(|have| have == name)), "{}", row.answer);
        }
        for row in ABILITIES {
            assert!(!row.about.is_empty() && !row.names.is_empty());
        }
    }
}
