//! The status lines, and what covers one of them: a message or a prompt.

use super::client::cursor_named;
use super::style::{self, Stage, colour, runs};
use crate::scene::{Input, Message, PanePrompt, Place, StatusLine};
use mux::option::chain;
use mux::prompt::Prompt;
use mux::style::Look;
use mux::values::OptionScope;
use mux::{Client, PaneId, Window};
use term::frame::CursorLook;
use term::size::Size;

/// The status lines of a session.
pub(super) fn status(stage: &Stage<'_>, lines: u16) -> Vec<StatusLine> {
    if lines == 0 {
        return Vec::new();
    }
    let mut look = stage.session_style("status-style").look;
    for (name, part) in [("status-fg", &mut look.fg), ("status-bg", &mut look.bg)] {
        let own = colour(&stage.text(name));
        if !own.is_default() {
            *part = mux::style::Colour::Color(own);
        }
    }
    let chain = stage.mux.option_chain(OptionScope::Session(stage.session));
    let formats: Vec<(u32, &str)> = chain::items(&chain, "status-format").collect();
    let line = |at: u16| {
        let format = formats.iter().find(|(index, _)| *index == u32::from(at)).map_or("", |(_, text)| text);
        let text = stage.mux.expand_status(stage.client, format, stage.world, stage.now);
        StatusLine { base: look.of_cell(), runs: runs(&text, look) }
    };
    (0..lines).map(line).collect()
}

/// The message or the prompt of a client, and how the cursor looks in a prompt.
pub(super) fn message(
    stage: &Stage<'_>,
    client: &Client,
    size: Size,
    lines: u16,
) -> (Option<Message>, Option<CursorLook>) {
    let line = stage.text("message-line").parse().unwrap_or(0u16).min(lines.saturating_sub(1));
    let (x, cols) = mux::prompt::area(&stage.session_style("message-style"), size.cols);
    if let Some(message) = &client.message {
        let base = stage.session_style("message-style").look;
        let runs = formatted(stage, &message.text, false, base);
        return (Some(Message { line, x, cols, base: base.of_cell(), runs, input: None }), None);
    }
    let Some(prompt) = &client.prompt else { return (None, None) };
    let (message, look) = asked(stage, prompt);
    (Some(Message { line, x, cols, ..message }), Some(look))
}

/// The prompts over panes of a window, on the row nearest to the status line.
pub(super) fn over_panes(stage: &Stage<'_>, window: &Window, active: PaneId) -> Vec<PanePrompt> {
    let top = stage.text("status-position") == "top";
    let prompt = |id: &PaneId| {
        let prompt = stage.mux.panes.get(id)?.prompt.as_deref()?;
        let rect = window.rect(*id)?;
        let row = if top { 0 } else { rect.height.saturating_sub(1) };
        let place = Place { x: rect.x, y: rect.y + row as i32, cols: rect.width.min(u16::MAX.into()) as u16, rows: 1 };
        Some(PanePrompt { place, active: *id == active, message: asked(stage, prompt).0 })
    };
    window.panes().iter().filter_map(prompt).collect()
}

/// A question with what is typed, and how the cursor looks in it.
fn asked(stage: &Stage<'_>, prompt: &Prompt) -> (Message, CursorLook) {
    let (style, cursor) = match prompt.vi_command {
        true => ("message-command-style", "prompt-command-cursor-style"),
        false => ("message-style", "prompt-cursor-style"),
    };
    let base = stage.session_style(style).look;
    let runs = formatted(stage, prompt.question(), prompt.vi_command, base);
    let (shape, blink) = cursor_named(&stage.text(cursor));
    let look = CursorLook { shape, blink, color: colour(&stage.text("prompt-cursor-colour")) };
    (Message { base: base.of_cell(), runs, input: Some(input(prompt)), ..Message::default() }, look)
}

fn formatted(stage: &Stage<'_>, text: &str, command: bool, base: Look) -> Vec<crate::run::Run> {
    let extra = [
        ("message".to_owned(), text.to_owned()),
        ("command_prompt".to_owned(), if command { "1" } else { "0" }.to_owned()),
    ];
    style::runs(&stage.expand(&stage.text("message-format"), None, &extra), base)
}

fn input(prompt: &Prompt) -> Input {
    let cursor = prompt.input.iter().take(prompt.cursor).map(|c| c.len_utf8()).sum();
    Input { text: prompt.text(), cursor, quoting: prompt.quoting }
}
