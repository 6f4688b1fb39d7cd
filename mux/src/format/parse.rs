//! Format text to a tree, once. Everything but values is decided here; nothing is looked up.

use super::quote::unescape;
use super::skip;

/// How deep formats may nest, in text and through the values they expand.
pub(super) const DEPTH_LIMIT: usize = 100;

/// A compiled format.
#[derive(Clone, Debug, Default)]
pub struct Template {
    pub(super) nodes: Vec<Node>,
    /// The text, kept where it has a `%`: a format that goes through strftime is compiled after that.
    pub(super) dated: Option<Box<str>>,
}

#[derive(Clone, Debug)]
pub(super) enum Node {
    Text(Box<str>),
    /// `#(command)`, and the command as a format of its own.
    Job(Box<str>, Template),
    Replace(Box<Replace>),
    /// What follows is broken: the expansion ends here.
    Stop,
}

/// One `#{...}`.
#[derive(Clone, Debug)]
pub(super) struct Replace {
    pub(super) modifiers: Vec<Modifier>,
    pub(super) body: Body,
}

/// One modifier before the `:`.
#[derive(Clone, Debug)]
pub(super) struct Modifier {
    /// Its letter or sign.
    pub(super) name: &'static str,
    pub(super) arguments: Vec<Template>,
}

/// What the modifiers work on; which kind it is follows from them.
#[derive(Clone, Debug)]
pub(super) enum Body {
    /// `l:` and the text itself.
    Literal(Box<str>),
    Character(Template),
    Colour(Template),
    /// `A:` and its pictures.
    Cycle(Box<str>),
    /// `I:`, what is asked for, and what there is when its argument asks for nothing.
    Terminal(Box<str>, Box<Body>),
    Loop(Loop, Box<Branches>),
    /// `N:` as the modifier's argument says.
    Exists(Template),
    Search(Template),
    Repeat(Option<Box<(Template, Template)>>),
    /// `!:` and `!!:`.
    Truth {
        negated: bool,
        of: Template,
    },
    /// `&&:` and `||:`.
    Logic {
        all: bool,
        of: Vec<Template>,
    },
    /// A comparison, by its sign, of two sides; `None` without a comma.
    Compare(&'static str, Option<Box<(Template, Template)>>),
    Conditional(Box<Conditional>),
    /// `e|...|:`
    Arithmetic(Option<Box<(Template, Template)>>),
    /// Text with formats in it.
    Inner(Template),
    /// A name.
    Name(Box<str>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Loop {
    Sessions,
    Windows,
    Panes,
    Clients,
    Options,
    Environment,
}

/// What a loop expands: for all, and for the current one when that differs.
#[derive(Clone, Debug)]
pub(super) struct Branches {
    pub(super) all: Template,
    pub(super) active: Option<Template>,
}

#[derive(Clone, Debug)]
pub(super) struct Conditional {
    /// Condition as a name, as a format, and the value.
    pub(super) cases: Vec<(Box<str>, Template, Template)>,
    /// The value when no condition holds.
    pub(super) otherwise: Option<Template>,
}

/// One-letter names.
const ALIASES: &[(u8, &str)] = &[
    (b'D', "pane_id"),
    (b'F', "window_flags"),
    (b'H', "host"),
    (b'I', "window_index"),
    (b'P', "pane_index"),
    (b'S', "session_name"),
    (b'T', "pane_title"),
    (b'W', "window_name"),
    (b'h', "host_short"),
];

const WITHOUT_ARGUMENTS: &[&str] =
    &["l", "a", "b", "d", "n", "w", "E", "T", "S", "W", "P", "O", "V", "L", "!", "<", ">", "A"];
const DOUBLE: &[&str] = &["||", "&&", "!!", "!=", "==", "<=", ">="];
const WITH_ARGUMENTS: &[&str] =
    &["I", "m", "C", "L", "N", "P", "S", "O", "V", "s", "t", "=", "p", "R", "e", "q", "W", "c", "A"];

impl Template {
    /// Compiles a format. Broken text is not an error: it expands up to where it breaks, as it does in tmux.
    pub fn new(text: &str) -> Template {
        Template::at(text, 0)
    }

    /// Compiles a format that is expanded `depth` formats deep; past the limit it is empty.
    pub(super) fn at(text: &str, depth: usize) -> Template {
        if depth >= DEPTH_LIMIT || text.is_empty() {
            return Template::default();
        }
        let dated = text.contains('%').then(|| Box::from(text));
        let mut scan = Scan { text, place: 0, depth: depth + 1, style_end: None, open_styles: 0 };
        let mut nodes = Vec::new();
        let mut plain = String::new();
        while let Some(node) = scan.next_node(&mut plain) {
            if !plain.is_empty() {
                nodes.push(Node::Text(std::mem::take(&mut plain).into()));
            }
            let stop = matches!(node, Node::Stop);
            nodes.push(node);
            if stop {
                break;
            }
        }
        if !plain.is_empty() {
            nodes.push(Node::Text(plain.into()));
        }
        Template { nodes, dated }
    }

    /// The text, when the format has nothing to expand.
    pub fn as_text(&self) -> Option<&str> {
        match self.nodes.as_slice() {
            [] => Some(""),
            [Node::Text(text)] => Some(text),
            _ => None,
        }
    }
}

/// How many unclosed `#[` are looked into for their end.
const OPEN_STYLES: usize = 16;

struct Scan<'a> {
    text: &'a str,
    place: usize,
    depth: usize,
    /// Where the `#[...]` that was seen last ends.
    style_end: Option<usize>,
    open_styles: usize,
}

impl Scan<'_> {
    /// The next thing to expand; plain text before it is put into `plain`.
    fn next_node(&mut self, plain: &mut String) -> Option<Node> {
        loop {
            let rest = &self.text[self.place..];
            let Some(hash) = rest.find('#') else {
                plain.push_str(rest);
                self.place = self.text.len();
                return None;
            };
            plain.push_str(&rest[..hash]);
            let start = self.place + hash;
            let Some(c) = self.text[start + 1..].chars().next() else {
                self.place = self.text.len();
                return None;
            };
            self.place = start + 1 + c.len_utf8();
            match c {
                '(' => return Some(self.job()),
                '{' => return Some(self.replace(start)),
                '[' | '#' => {
                    let hashes = self.text[start..].bytes().take_while(|&b| b == b'#').count();
                    let bracket = start + hashes;
                    if self.text.as_bytes().get(bracket) == Some(&b'[') {
                        self.style(start);
                        plain.push_str(&self.text[start..=bracket]);
                        self.place = bracket + 1;
                    } else {
                        plain.push(c);
                    }
                }
                '}' | ',' => plain.push(c),
                c => match self.alias(c) {
                    Some(node) => return Some(node),
                    None => plain.extend(['#', c]),
                },
            }
        }
    }

    fn style(&mut self, start: usize) {
        if self.style_end.is_some_and(|end| start < end) || self.open_styles > OPEN_STYLES {
            return;
        }
        self.style_end = skip(&self.text[start..], "]").map(|end| start + end);
        self.open_styles += usize::from(self.style_end.is_none());
    }

    /// `#S` and the like; not inside a style.
    fn alias(&self, c: char) -> Option<Node> {
        if self.style_end.is_some_and(|end| self.place <= end) {
            return None;
        }
        let (_, name) = ALIASES.iter().find(|(letter, _)| char::from(*letter) == c)?;
        Some(Node::Replace(Box::new(Replace { modifiers: Vec::new(), body: Body::Name(Box::from(*name)) })))
    }

    fn job(&mut self) -> Node {
        let rest = &self.text[self.place..];
        let mut depth = 1usize;
        for (index, byte) in rest.bytes().enumerate() {
            match byte {
                b'(' => depth += 1,
                b')' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                self.place += index + 1;
                return Node::Job(Box::from(&rest[..index]), Template::at(&rest[..index], self.depth));
            }
        }
        Node::Stop
    }

    fn replace(&mut self, start: usize) -> Node {
        let Some(end) = skip(&self.text[start..], "}") else { return Node::Stop };
        let inside = &self.text[self.place..(start + end).max(self.place)];
        self.place = start + end + 1;
        let (modifiers, rest) = modifiers(inside, self.depth);
        let body = body(&modifiers, rest, self.depth);
        Node::Replace(Box::new(Replace { modifiers, body }))
    }
}

/// The modifiers and what follows their `:`; none, and the whole text, when it does not begin with modifiers.
fn modifiers(text: &str, depth: usize) -> (Vec<Modifier>, &str) {
    let ends = |place: usize| matches!(text.as_bytes().get(place), Some(b';' | b':'));
    let mut list = Vec::new();
    let mut place = 0;
    while !matches!(text.as_bytes().get(place), None | Some(b':')) {
        place += usize::from(text.as_bytes()[place] == b';');
        let rest = &text[place..];
        let named = |names: &[&'static str]| names.iter().copied().find(|name| rest.starts_with(name));
        let plain = named(WITHOUT_ARGUMENTS).filter(|_| ends(place + 1));
        let plain = plain.or_else(|| named(DOUBLE).filter(|_| ends(place + 2)));
        if let Some(name) = plain.or_else(|| named(WITH_ARGUMENTS).filter(|_| ends(place + 1))) {
            list.push(Modifier { name, arguments: Vec::new() });
            place += name.len();
            continue;
        }
        let Some(name) = named(WITH_ARGUMENTS) else { break };
        let Some((arguments, length)) = arguments(&rest[1..], depth) else { break };
        list.push(Modifier { name, arguments });
        place += 1 + length;
    }
    if text.as_bytes().get(place) == Some(&b':') { (list, &text[place + 1..]) } else { (Vec::new(), text) }
}

/// The arguments after a modifier's letter and how long they are: one without a mark around it, or several between
/// marks of the same sign.
fn arguments(text: &str, depth: usize) -> Option<(Vec<Template>, usize)> {
    let mark = text.chars().next()?;
    if !mark.is_ascii_punctuation() || mark == '-' {
        let end = skip(text, ":;")?;
        return Some((vec![Template::at(&unescape(&text[..end]), depth)], end));
    }
    let bytes = text.as_bytes();
    let is_end = |place: usize| matches!(bytes.get(place), Some(b';' | b':'));
    let ends = format!("{mark};:");
    let mut list = Vec::new();
    let mut place = 0;
    loop {
        if bytes[place] == mark as u8 && is_end(place + 1) {
            place += 1;
            break;
        }
        let Some(length) = skip(&text[place + 1..], &ends) else { break };
        list.push(Template::at(&unescape(&text[place + 1..place + 1 + length]), depth));
        place += 1 + length;
        if is_end(place) {
            break;
        }
    }
    Some((list, place))
}

/// What the text after the modifiers is.
fn body(modifiers: &[Modifier], text: &str, depth: usize) -> Body {
    let has = |name: &str| modifiers.iter().any(|modifier| modifier.name == name);
    let last = |names: &[&str]| modifiers.iter().rev().map(|modifier| modifier.name).find(|name| names.contains(name));
    let whole = || Template::at(text, depth);
    let pair = || {
        let comma = skip(text, ",")?;
        Some(Box::new((Template::at(&text[..comma], depth), Template::at(&text[comma + 1..], depth))))
    };
    if has("I") {
        let rest: Vec<Modifier> = modifiers.iter().filter(|modifier| modifier.name != "I").cloned().collect();
        return Body::Terminal(Box::from(text), Box::new(body(&rest, text, depth)));
    }
    if has("A") {
        return Body::Cycle(Box::from(text));
    }
    if has("l") {
        return Body::Literal(Box::from(text));
    }
    if has("a") {
        return Body::Character(whole());
    }
    if has("c") {
        return Body::Colour(whole());
    }
    let loops = [
        ("S", Loop::Sessions),
        ("W", Loop::Windows),
        ("P", Loop::Panes),
        ("L", Loop::Clients),
        ("O", Loop::Options),
        ("V", Loop::Environment),
    ];
    if let Some((_, kind)) = loops.iter().find(|(name, _)| has(name)) {
        let branches = match pair().filter(|_| matches!(kind, Loop::Sessions | Loop::Windows | Loop::Panes)) {
            Some(pair) => Branches { all: pair.0, active: Some(pair.1) },
            None => Branches { all: whole(), active: None },
        };
        return Body::Loop(*kind, Box::new(branches));
    }
    if has("N") {
        return Body::Exists(whole());
    }
    if has("C") {
        return Body::Search(whole());
    }
    if has("R") {
        return Body::Repeat(pair());
    }
    if has("!") || has("!!") {
        return Body::Truth { negated: has("!"), of: whole() };
    }
    if let Some(sign) = last(&["||", "&&"]) {
        return Body::Logic { all: sign == "&&", of: operands(text, depth) };
    }
    if let Some(sign) = last(&["m", "<", ">", "==", "!=", ">=", "<="]) {
        return Body::Compare(sign, pair());
    }
    if let Some(rest) = text.strip_prefix('?') {
        return Body::Conditional(Box::new(conditional(rest, depth)));
    }
    if modifiers.iter().any(|modifier| modifier.name == "e" && (1..=3).contains(&modifier.arguments.len())) {
        return Body::Arithmetic(pair());
    }
    if text.contains("#{") { Body::Inner(whole()) } else { Body::Name(Box::from(text)) }
}

fn operands(text: &str, depth: usize) -> Vec<Template> {
    let mut list = Vec::new();
    let mut rest = text;
    while let Some(comma) = skip(rest, ",") {
        list.push(Template::at(&rest[..comma], depth));
        rest = &rest[comma + 1..];
    }
    list.push(Template::at(rest, depth));
    list
}

fn conditional(text: &str, depth: usize) -> Conditional {
    let mut cases = Vec::new();
    let mut rest = text;
    loop {
        let Some(comma) = skip(rest, ",") else {
            return Conditional { cases, otherwise: Some(Template::at(rest, depth)) };
        };
        let condition = &rest[..comma];
        rest = &rest[comma + 1..];
        let end = skip(rest, ",");
        let value = Template::at(&rest[..end.unwrap_or(rest.len())], depth);
        cases.push((Box::from(condition), Template::at(condition, depth), value));
        match end {
            Some(end) => rest = &rest[end + 1..],
            None => return Conditional { cases, otherwise: None },
        }
    }
}
