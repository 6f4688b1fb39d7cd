//! What is said of a setting beside the list.

use super::{Section, Setting, environment, owned, place};
use crate::mode::list::{Item, List};
use crate::option::{Kind, OptionDef, OptionValue, Scope, find};
use crate::style::{Colour, Look, Markup};
use crate::target::Found;
use crate::values::OptionScope;
use crate::{Mux, Now, PaneId, World};

/// A line of what is said: its text, and an example of a style behind it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Line {
    /// The text.
    pub text: String,
    /// A style to show.
    pub example: Option<Look>,
}

impl From<String> for Line {
    fn from(text: String) -> Line {
        Line { text, example: None }
    }
}

impl From<&str> for Line {
    fn from(text: &str) -> Line {
        text.to_owned().into()
    }
}

impl List {
    /// What is said of the current setting.
    pub fn setting_lines(&self, mux: &Mux, pane: PaneId, world: &dyn World, now: Now) -> Vec<Line> {
        let Some(Item::Setting(setting)) = self.current_item() else { return Vec::new() };
        let place = place(mux, self, pane);
        let lines = match &**setting {
            Setting::Heading(_) => None,
            Setting::Option(section, name, key) => {
                let of = OptionOf { mux, world, now, place, section, name };
                of.lines(key.as_ref())
            }
            Setting::Variable(section, name) => variable(mux, place, section, name),
            Setting::Key(table, key, _) => binding(mux, table, *key),
        };
        lines.unwrap_or_default()
    }
}

/// An option at a place.
struct OptionOf<'a> {
    mux: &'a Mux,
    world: &'a dyn World,
    now: Now,
    place: Found,
    section: &'a Section,
    name: &'a str,
}

impl OptionOf<'_> {
    fn lines(&self, key: Option<&crate::option::ItemKey>) -> Option<Vec<Line>> {
        let (owner, value) = owned(self.mux, self.section, self.place, self.name)?;
        let row = find(self.name);
        let user_hook = self.mux.is_user_hook(owner, self.name);
        let is_hook = user_hook || row.is_some_and(|row| row.hook);
        let what = if is_hook { "hook" } else { "option" };
        let mut lines: Vec<Line> = vec![row.map_or("There is no description of it.", |row| row.about).into()];
        lines.push(Line::default());
        lines.push(format!("This is a {} {what}.", scope_name(row)).into());
        if let OptionValue::Array(items) = value {
            let Some(key) = key else {
                lines.push(format!("This is an array {what}.").into());
                lines.extend(is_hook.then(|| self.fired(owner)));
                return Some(lines);
            };
            lines.push(format!("This is an array {what}, key {key}.").into());
            lines.push(Line::default());
            self.value(&mut lines, row, items.get(key)?, is_hook);
            return Some(lines);
        }
        lines.push(Line::default());
        self.value(&mut lines, row, &value.text(), is_hook);
        lines.extend(is_hook.then(|| self.fired(owner)));
        let Some(row) = row else { return Some(lines) };
        self.kind(&mut lines, row, &value.text());
        let start = row.start(self.mux.identity.face).text();
        if start != value.text() {
            lines.push(format!("The default is: {}", with_unit(&start, row)).into());
        }
        self.further(&mut lines, row, owner);
        Some(lines)
    }

    /// How often a hook ran, and when last.
    fn fired(&self, owner: OptionScope) -> Line {
        let runs = match self.mux.monitors.get(owner, self.name) {
            Some(monitor) => crate::hook::Runs { count: monitor.count, last: monitor.fired },
            None => self.mux.hooks.runs(owner, self.name),
        };
        let last = ("hook_fire_time".to_owned(), runs.last.to_string());
        let when = self.mux.expand_at(None, self.place, "#{t/p:hook_fire_time}", &[last], self.world, self.now);
        let last = if runs.last == 0 { String::new() } else { format!(", last {when}") };
        format!("This hook has been fired {} times{last}.", runs.count).into()
    }

    fn value(&self, lines: &mut Vec<Line>, row: Option<&OptionDef>, text: &str, is_hook: bool) {
        let label = if is_hook { "Hook command" } else { "Option value" };
        let shown = row.map_or(text.to_owned(), |row| with_unit(text, row));
        lines.push(format!("{label}: {shown}").into());
        if row.is_none_or(|row| matches!(row.kind, Kind::Text | Kind::Style)) {
            let expanded = self.expand(text);
            if expanded != text {
                lines.push(format!("This expands to: {expanded}").into());
            }
        }
    }

    fn expand(&self, text: &str) -> String {
        self.mux.expand_at(None, self.place, text, &[], self.world, self.now)
    }

    /// What may be said of a value by its kind.
    fn kind(&self, lines: &mut Vec<Line>, row: &OptionDef, text: &str) {
        match row.kind {
            Kind::Choice(words) => lines.push(format!("Available values are: {}", words.join(", ")).into()),
            Kind::Colour => {
                let look = Look { fg: Colour::parse(text).unwrap_or_default(), ..Look::default() };
                lines.push(Line { text: "This is a colour option: ".into(), example: Some(look) });
            }
            Kind::Style => {
                let look = Markup::parse(&self.expand(text)).unwrap_or_default().look;
                lines.push(Line { text: "This is a style option: ".into(), example: Some(look) });
            }
            _ => {}
        }
    }

    /// The values of owners further along.
    fn further(&self, lines: &mut Vec<Line>, row: &OptionDef, owner: OptionScope) {
        let owners = self.section.owners(self.place);
        let further: Vec<OptionScope> = owners.into_iter().skip_while(|other| *other != owner).skip(1).collect();
        if !further.is_empty() {
            lines.push(Line::default());
        }
        for owner in further {
            let Some(value) = super::store(self.mux, owner).and_then(|store| store.get(self.name)) else { continue };
            let label = match owner {
                OptionScope::Window(_) => {
                    format!("Window value (from window {})", self.place.index.unwrap_or_default())
                }
                _ => "Global value".to_owned(),
            };
            lines.push(format!("{label}: {}", with_unit(&value.text(), row)).into());
        }
    }
}

fn scope_name(row: Option<&OptionDef>) -> &'static str {
    match row.map(|row| row.scope) {
        None => "user",
        Some(Scope::Server) => "server",
        Some(Scope::Session) => "session",
        Some(Scope::Window) => "window",
        Some(Scope::WindowOrPane) => "window and pane",
    }
}

fn with_unit(text: &str, row: &OptionDef) -> String {
    if row.unit.is_empty() { text.to_owned() } else { format!("{text} {}", row.unit) }
}

fn variable(mux: &Mux, place: Found, section: &Section, name: &str) -> Option<Vec<Line>> {
    let variable = environment(mux, section, place)?.find(name)?;
    let global = *section == Section::GlobalEnvironment;
    let whose = if global { "global" } else { "session" };
    let mut lines: Vec<Line> = vec![format!("This is a {whose} environment variable.").into()];
    lines.extend(variable.hidden.then(|| Line::from("This variable is hidden.")));
    lines.push(Line::default());
    lines.push(match &variable.value {
        Some(value) => format!("Variable value: {value}").into(),
        None => "Variable is removed.".into(),
    });
    if let Some(global) = mux.environment.find(name).filter(|_| !global) {
        lines.push(match &global.value {
            Some(value) => format!("Global value: {value}").into(),
            None => "Global variable is removed.".into(),
        });
    }
    Some(lines)
}

fn binding(mux: &Mux, table: &str, key: keymap::Key) -> Option<Vec<Line>> {
    let binding = mux.keys.get(table, key)?;
    let note = binding.note.as_deref().unwrap_or("There is no note for this key.");
    let stop = if note.is_empty() || note.ends_with('.') { "" } else { "." };
    let command = binding.command.print();
    let mut lines: Vec<Line> = vec![
        format!("{note}{stop}").into(),
        Line::default(),
        format!("This key is in the {table} table.").into(),
        format!("Repeat: {}", if binding.repeat { "on" } else { "off" }).into(),
        Line::default(),
        format!("Command: {command}").into(),
    ];
    let default = mux.keys.default_of(table, key).map(|default| default.command.print());
    lines.extend(default.filter(|default| *default != command).map(|text| format!("The default is: {text}").into()));
    Some(lines)
}
