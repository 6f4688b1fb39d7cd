//! The tables of terminals, features and abilities.

use super::{Ability, Colors};

/// What is known of the terminals of a name in TERM.
#[derive(Debug)]
pub struct TerminalRow {
    /// The name, with `*` and `?`.
    pub pattern: &'static str,
    /// What it can do.
    pub abilities: Ability,
    /// Its colours, at least; an ending such as -256color can add to them.
    pub colors: Colors,
    /// Which terminal this is.
    pub about: &'static str,
}

/// A feature as terminal-features names it.
#[derive(Debug)]
pub struct FeatureRow {
    /// The name.
    pub name: &'static str,
    /// The abilities it stands for.
    pub abilities: Ability,
    /// The colours it stands for.
    pub colors: Colors,
    /// What it is.
    pub about: &'static str,
}

/// A terminal that says who it is (XTVERSION).
#[derive(Debug)]
pub struct ProductRow {
    /// How its answer begins.
    pub answer: &'static str,
    /// Its features, separated by commas.
    pub features: &'static str,
    /// What else it can do.
    pub abilities: Ability,
}

/// What terminal-overrides calls an ability.
#[derive(Debug)]
pub struct AbilityRow {
    /// Names of capabilities, any of which sets or clears it.
    pub names: &'static [&'static str],
    /// The ability.
    pub ability: Ability,
    /// What it is.
    pub about: &'static str,
}

const fn all(parts: &[Ability]) -> Ability {
    let mut bits = 0;
    let mut at = 0;
    while at < parts.len() {
        bits |= parts[at].bits();
        at += 1;
    }
    Ability::from_bits_retain(bits)
}

/// A VT100 and nothing more.
const VT100: Ability = all(&[
    Ability::CLEAR,
    Ability::MOVE,
    Ability::AUTO_MARGIN,
    Ability::DEFERRED_WRAP,
    Ability::ERASE_LINE,
    Ability::REGION,
    Ability::REVERSE_INDEX,
    Ability::MOVE_BY,
    Ability::KEYPAD,
    Ability::LINE_DRAWING,
    Ability::BOLD,
    Ability::UNDERLINE,
    Ability::BLINK,
    Ability::REVERSE,
    Ability::VT100,
]);

/// A VT220 with colours: the console of Linux, screen.
const VT220: Ability = all(&[
    VT100,
    Ability::ERASE_CHARS,
    Ability::MOVE_COLUMN,
    Ability::MOVE_ROW,
    Ability::HIDE_CURSOR,
    Ability::DIM,
    Ability::DEFAULT_COLOR,
    Ability::ATTRIBUTE_OFF,
]);

/// What everything that calls itself xterm can do.
const XTERM: Ability = all(&[
    VT220,
    Ability::BACK_COLOR_ERASE,
    Ability::SCROLL_UP,
    Ability::SCROLL_DOWN,
    Ability::ALTERNATE,
    Ability::ITALIC,
    Ability::HIDDEN,
    Ability::STRIKE,
    Ability::CURSOR_STYLE,
    Ability::MOUSE,
    Ability::FOCUS,
    Ability::PASTE,
]);

/// What the newer terminals have in common.
const MODERN: Ability = all(&[
    XTERM,
    Ability::REPEAT,
    Ability::UNDERLINE_STYLE,
    Ability::UNDERLINE_COLOR,
    Ability::CURSOR_COLOR,
    Ability::CLIPBOARD,
    Ability::HYPERLINKS,
    Ability::SYNC,
    Ability::TITLE,
]);

/// Terminals by name; the first row that fits counts.
pub static TERMINALS: &[TerminalRow] = &[
    TerminalRow {
        pattern: "xterm-kitty",
        abilities: all(&[MODERN, Ability::KITTY_KEYS, Ability::OVERLINE, Ability::NO_BRIGHT]),
        colors: Colors::Rgb,
        about: "kitty",
    },
    TerminalRow {
        pattern: "xterm-ghostty",
        abilities: all(&[MODERN, Ability::KITTY_KEYS, Ability::EXTENDED_KEYS, Ability::OVERLINE]),
        colors: Colors::Rgb,
        about: "Ghostty",
    },
    TerminalRow {
        pattern: "alacritty*",
        abilities: all(&[MODERN, Ability::KITTY_KEYS]),
        colors: Colors::Rgb,
        about: "Alacritty",
    },
    TerminalRow {
        pattern: "foot*",
        abilities: all(&[MODERN, Ability::KITTY_KEYS, Ability::EXTENDED_KEYS, Ability::OVERLINE, Ability::PATH]),
        colors: Colors::Rgb,
        about: "foot",
    },
    TerminalRow {
        pattern: "wezterm*",
        abilities: all(&[MODERN, Ability::EXTENDED_KEYS, Ability::OVERLINE]),
        colors: Colors::Rgb,
        about: "WezTerm",
    },
    TerminalRow {
        pattern: "contour*",
        abilities: all(&[MODERN, Ability::OVERLINE]),
        colors: Colors::Rgb,
        about: "Contour",
    },
    TerminalRow {
        pattern: "iterm2*",
        abilities: all(&[MODERN, Ability::EXTENDED_KEYS, Ability::PATH, Ability::PROGRESS]),
        colors: Colors::Rgb,
        about: "iTerm2",
    },
    TerminalRow {
        pattern: "mintty*",
        abilities: all(&[MODERN, Ability::EXTENDED_KEYS, Ability::OVERLINE]),
        colors: Colors::Rgb,
        about: "mintty",
    },
    TerminalRow {
        pattern: "konsole*",
        abilities: all(&[XTERM, Ability::TITLE]),
        colors: Colors::Indexed,
        about: "Konsole",
    },
    TerminalRow {
        pattern: "vte*",
        abilities: all(&[XTERM, Ability::TITLE, Ability::OVERLINE, Ability::UNDERLINE_STYLE]),
        colors: Colors::Indexed,
        about: "GNOME's terminal and its kin",
    },
    TerminalRow {
        pattern: "xterm*",
        abilities: XTERM,
        colors: Colors::Eight,
        about: "xterm and all that call themselves so",
    },
    TerminalRow {
        pattern: "tmux*",
        abilities: all(&[
            VT220,
            Ability::SCROLL_UP,
            Ability::SCROLL_DOWN,
            Ability::ALTERNATE,
            Ability::ITALIC,
            Ability::HIDDEN,
            Ability::STRIKE,
            Ability::OVERLINE,
            Ability::UNDERLINE_STYLE,
            Ability::CURSOR_STYLE,
            Ability::CURSOR_COLOR,
            Ability::TITLE,
            Ability::MOUSE,
        ]),
        colors: Colors::Eight,
        about: "tmux, or rove, inside itself",
    },
    TerminalRow {
        pattern: "screen*",
        abilities: all(&[VT220, Ability::SCROLL_UP, Ability::ALTERNATE, Ability::MOUSE]),
        colors: Colors::Eight,
        about: "screen, or an older tmux",
    },
    TerminalRow {
        pattern: "rxvt-unicode*",
        abilities: all(&[
            VT220,
            Ability::BACK_COLOR_ERASE,
            Ability::SCROLL_UP,
            Ability::SCROLL_DOWN,
            Ability::ALTERNATE,
            Ability::ITALIC,
            Ability::TITLE,
            Ability::MOUSE,
        ]),
        colors: Colors::Eight,
        about: "rxvt-unicode",
    },
    TerminalRow {
        pattern: "rxvt*",
        abilities: all(&[VT220, Ability::BACK_COLOR_ERASE, Ability::ALTERNATE, Ability::MOUSE]),
        colors: Colors::Eight,
        about: "rxvt",
    },
    TerminalRow { pattern: "st-*", abilities: all(&[XTERM, Ability::TITLE]), colors: Colors::Eight, about: "st" },
    TerminalRow { pattern: "st", abilities: XTERM, colors: Colors::Eight, about: "st" },
    TerminalRow {
        pattern: "putty*",
        abilities: all(&[VT220, Ability::BACK_COLOR_ERASE, Ability::ALTERNATE, Ability::TITLE, Ability::MOUSE]),
        colors: Colors::Eight,
        about: "PuTTY",
    },
    TerminalRow {
        pattern: "linux*",
        abilities: all(&[VT220, Ability::BACK_COLOR_ERASE]),
        colors: Colors::Eight,
        about: "the console of Linux",
    },
    TerminalRow { pattern: "vt2*", abilities: VT220, colors: Colors::None, about: "VT220" },
    TerminalRow { pattern: "vt100*", abilities: VT100, colors: Colors::None, about: "VT100" },
    TerminalRow { pattern: "vt102*", abilities: VT100, colors: Colors::None, about: "VT102" },
    TerminalRow {
        pattern: "ansi*",
        abilities: all(&[
            Ability::CLEAR,
            Ability::MOVE,
            Ability::AUTO_MARGIN,
            Ability::ERASE_LINE,
            Ability::MOVE_BY,
            Ability::BOLD,
            Ability::REVERSE,
            Ability::UNDERLINE,
        ]),
        colors: Colors::Eight,
        about: "a PC's ANSI.SYS and its kin",
    },
    TerminalRow {
        pattern: "dumb",
        abilities: Ability::AUTO_MARGIN,
        colors: Colors::None,
        about: "no terminal at all; refused",
    },
];

/// A name that no row fits is taken for a VT220 with eight colours.
pub(super) static UNKNOWN: TerminalRow =
    TerminalRow { pattern: "*", abilities: VT220, colors: Colors::Eight, about: "an unknown terminal" };

const fn feature(name: &'static str, abilities: Ability, colors: Colors, about: &'static str) -> FeatureRow {
    FeatureRow { name, abilities, colors, about }
}

/// Features in tmux's order, in which they are listed.
pub static FEATURES: &[FeatureRow] = &[
    feature("256", Ability::DEFAULT_COLOR, Colors::Indexed, "256 colours"),
    feature("bpaste", Ability::PASTE, Colors::None, "bracketed paste"),
    feature("ccolour", Ability::CURSOR_COLOR, Colors::None, "the cursor's colour"),
    feature("clipboard", Ability::CLIPBOARD, Colors::None, "the clipboard, OSC 52"),
    feature("hyperlinks", Ability::HYPERLINKS, Colors::None, "hyperlinks, OSC 8"),
    feature("cstyle", Ability::CURSOR_STYLE, Colors::None, "the cursor's form"),
    feature("extkeys", Ability::EXTENDED_KEYS, Colors::None, "extended keys"),
    feature("focus", Ability::FOCUS, Colors::None, "focus reports"),
    feature("ignorefkeys", Ability::empty(), Colors::None, "function keys as built in, not as terminfo says"),
    feature("margins", Ability::MARGINS, Colors::None, "left and right margins"),
    feature("mouse", Ability::MOUSE, Colors::None, "mouse reports"),
    feature("osc7", Ability::PATH, Colors::None, "the working directory, OSC 7"),
    feature("overline", Ability::OVERLINE, Colors::None, "overline"),
    feature("progressbar", Ability::PROGRESS, Colors::None, "the progress bar, OSC 9;4"),
    feature("rectfill", Ability::RECTANGLES, Colors::None, "filling of rectangles"),
    feature("RGB", Ability::DEFAULT_COLOR, Colors::Rgb, "24-bit colours"),
    feature("sixel", Ability::SIXEL, Colors::None, "sixel pictures"),
    feature("strikethrough", Ability::STRIKE, Colors::None, "strikethrough"),
    feature("sync", Ability::SYNC, Colors::None, "synchronised updates"),
    feature("title", Ability::TITLE, Colors::None, "the window's title"),
    feature(
        "usstyle",
        Ability::UNDERLINE_STYLE.union(Ability::UNDERLINE_COLOR),
        Colors::None,
        "forms and colours of underlines",
    ),
];

/// Terminals by their answer to XTVERSION: tmux's rows first, then those it has none for.
pub static PRODUCTS: &[ProductRow] = &[
    ProductRow {
        answer: "mintty ",
        features: "256,RGB,bpaste,clipboard,mouse,strikethrough,title,ccolour,cstyle,extkeys,margins,overline,usstyle",
        abilities: Ability::REPEAT,
    },
    ProductRow {
        answer: "tmux ",
        features: "256,RGB,bpaste,clipboard,mouse,strikethrough,title,ccolour,cstyle,extkeys,focus,overline,usstyle,\
                   hyperlinks,progressbar",
        abilities: Ability::REPEAT,
    },
    ProductRow {
        answer: "rxvt-unicode ",
        features: "256,bpaste,ccolour,cstyle,mouse,title,ignorefkeys",
        abilities: Ability::empty(),
    },
    ProductRow {
        answer: "iTerm2 ",
        features: "256,RGB,bpaste,clipboard,mouse,strikethrough,title,cstyle,extkeys,margins,usstyle,sync,osc7,\
                   hyperlinks,progressbar",
        abilities: Ability::REPEAT,
    },
    ProductRow {
        answer: "foot(",
        features: "256,RGB,bpaste,clipboard,mouse,strikethrough,title,ccolour,cstyle,extkeys,usstyle,sync,osc7,\
                   hyperlinks",
        abilities: Ability::REPEAT.union(Ability::KITTY_KEYS),
    },
    ProductRow {
        answer: "WezTerm ",
        features: "256,RGB,bpaste,clipboard,mouse,strikethrough,title,ccolour,cstyle,extkeys,focus,usstyle",
        abilities: Ability::REPEAT.union(Ability::SYNC).union(Ability::HYPERLINKS),
    },
    ProductRow {
        answer: "XTerm(",
        features: "256,RGB,bpaste,clipboard,mouse,strikethrough,title,ccolour,cstyle,extkeys,focus",
        abilities: Ability::REPEAT,
    },
    ProductRow {
        answer: "kitty(",
        features: "256,RGB,bpaste,clipboard,mouse,strikethrough,title,ccolour,cstyle,focus,usstyle,sync,hyperlinks",
        abilities: Ability::REPEAT.union(Ability::KITTY_KEYS),
    },
    ProductRow {
        answer: "ghostty ",
        features: "256,RGB,bpaste,clipboard,mouse,strikethrough,title,ccolour,cstyle,extkeys,focus,overline,usstyle,\
                   sync,hyperlinks",
        abilities: Ability::REPEAT.union(Ability::KITTY_KEYS),
    },
];

const fn ability(names: &'static [&'static str], ability: Ability, about: &'static str) -> AbilityRow {
    AbilityRow { names, ability, about }
}

/// Abilities by their names in terminal-overrides.
pub static ABILITIES: &[AbilityRow] = &[
    ability(&["clear"], Ability::CLEAR, "clears the screen"),
    ability(&["cup"], Ability::MOVE, "moves the cursor"),
    ability(&["am"], Ability::AUTO_MARGIN, "wraps at the right margin"),
    ability(&["xenl"], Ability::DEFERRED_WRAP, "wraps only with the next character"),
    ability(&["bce"], Ability::BACK_COLOR_ERASE, "erases with the background colour"),
    ability(&["el"], Ability::ERASE_LINE, "erases to the end of the row"),
    ability(&["ech"], Ability::ERASE_CHARS, "erases a number of cells"),
    ability(&["rep"], Ability::REPEAT, "repeats a character"),
    ability(&["csr"], Ability::REGION, "has a scroll region"),
    ability(&["indn"], Ability::SCROLL_UP, "scrolls up by a number"),
    ability(&["rin"], Ability::SCROLL_DOWN, "scrolls down by a number"),
    ability(&["ri"], Ability::REVERSE_INDEX, "scrolls down by one"),
    ability(&["cub", "cuf", "cuu", "cud"], Ability::MOVE_BY, "moves the cursor by a number"),
    ability(&["hpa"], Ability::MOVE_COLUMN, "moves the cursor to a column"),
    ability(&["vpa"], Ability::MOVE_ROW, "moves the cursor to a row"),
    ability(&["smcup", "rmcup"], Ability::ALTERNATE, "has an alternate screen"),
    ability(&["smkx", "rmkx"], Ability::KEYPAD, "has application keys"),
    ability(&["smacs", "rmacs", "acsc", "enacs"], Ability::LINE_DRAWING, "draws lines"),
    ability(&["civis"], Ability::HIDE_CURSOR, "hides the cursor"),
    ability(&["bold"], Ability::BOLD, "bold"),
    ability(&["dim"], Ability::DIM, "dim"),
    ability(&["sitm"], Ability::ITALIC, "italics"),
    ability(&["smul"], Ability::UNDERLINE, "underline"),
    ability(&["blink"], Ability::BLINK, "blink"),
    ability(&["rev", "smso"], Ability::REVERSE, "reverse"),
    ability(&["invis"], Ability::HIDDEN, "hidden text"),
    ability(&["smxx"], Ability::STRIKE, "strikethrough"),
    ability(&["Smol"], Ability::OVERLINE, "overline"),
    ability(&["Smulx"], Ability::UNDERLINE_STYLE, "forms of underlines"),
    ability(&["Setulc", "Setulc1", "setal"], Ability::UNDERLINE_COLOR, "colours of underlines"),
    ability(&["AX", "op"], Ability::DEFAULT_COLOR, "default colours one by one"),
    ability(&["rmul"], Ability::ATTRIBUTE_OFF, "attributes off one by one"),
    ability(&["Ss", "Se"], Ability::CURSOR_STYLE, "forms of the cursor"),
    ability(&["Cs", "Cr"], Ability::CURSOR_COLOR, "colour of the cursor"),
    ability(&["tsl", "fsl"], Ability::TITLE, "title of the window"),
    ability(&["Swd"], Ability::PATH, "directory of the window"),
    ability(&["Ms"], Ability::CLIPBOARD, "clipboard"),
    ability(&["Hls"], Ability::HYPERLINKS, "hyperlinks"),
    ability(&["Enbp", "Dsbp"], Ability::PASTE, "bracketed paste"),
    ability(&["Enfcs", "Dsfcs"], Ability::FOCUS, "focus reports"),
    ability(&["Eneks", "Dseks"], Ability::EXTENDED_KEYS, "extended keys"),
    ability(&["kkbd"], Ability::KITTY_KEYS, "kitty's keys"),
    ability(&["Sync"], Ability::SYNC, "synchronised updates"),
    ability(&["Cmg", "Clmg", "Enmg", "Dsmg"], Ability::MARGINS, "left and right margins"),
    ability(&["Rect"], Ability::RECTANGLES, "fills rectangles"),
    ability(&["kmous"], Ability::MOUSE, "mouse reports"),
    ability(&["Sxl"], Ability::SIXEL, "sixel pictures"),
    ability(&["Spb"], Ability::PROGRESS, "progress bar"),
    ability(&["Bidi"], Ability::BIDI, "text in both directions"),
    ability(&["Nobr"], Ability::NO_BRIGHT, "bold does not brighten"),
    ability(&["XT"], Ability::VT100, "descends from the VT100"),
];
