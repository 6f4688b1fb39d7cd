//! send-keys: type keys into a pane, or give its mode a command.

use super::*;
use crate::target::Kind;
use keymap::Key;

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "send-keys",
        alias: Some("send"),
        template: Template::text("c:FHKlMN:Rt:X", 0, None),
        usage: "[-FHKlMRX] [-c target-client] [-N repeat-count] [-t target-pane] [key ...]",
    },
    "Send keys to a pane",
    run,
)
.target(Spec::of('t', Kind::Pane))
.client('c', true)
.after_hook();

fn run(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let Some(pane) = context.target.pane else { return DONE };
    let count = context.arguments().positional().len();
    let in_mode = mux.panes.get(&pane).is_some_and(crate::Pane::in_mode);
    let mut times = 1;
    if let Some(text) = context.get('N') {
        let text = mux.expand_in(context, context.target, &text);
        times =
            crate::number::number(&text, 1, i64::from(u32::MAX)).map_err(|error| format!("repeat count {error}"))?;
    }
    if context.has('X') {
        if !in_mode {
            return Err("not in a mode".into());
        }
        let words: Vec<String> = (0..count).filter_map(|at| context.argument(at)).collect();
        return mux.mode_command(context, pane, &words, times as u64);
    }
    if context.has('M') {
        let event = context.state.mouse_event.clone().ok_or("no mouse target")?;
        let client = context.client;
        let key = context.state.key;
        if !key.is_some_and(|key| mux.key_to_mode_without_table(context, pane, client, key, Some(&event), true)) {
            mux.mouse_to_pane(pane, &event);
        }
        return DONE;
    }
    if context.has('R') {
        if let Some(entry) = mux.panes.get_mut(&pane) {
            entry.terminal.feed(b"\x1bc");
            entry.terminal.take_events();
        }
        mux.effect(Effect::MarkPane(pane, crate::Mark::Replaced));
    }
    if count == 0 {
        if context.has('N')
            && let Some(mode) = mux.text_mode(pane)
        {
            mode.set_repeat(times as u64);
        }
        if context.has('N') || context.has('R') {
            return DONE;
        }
        if let Some(key) = context.state.key {
            for _ in 0..times {
                send(mux, context, pane, key);
            }
        }
        return DONE;
    }
    let texts: Vec<String> = (0..count).filter_map(|at| context.argument(at)).collect();
    let texts: Vec<String> = match context.has('F') {
        true => texts.iter().map(|text| mux.expand_in(context, context.target, text)).collect(),
        false => texts,
    };
    for _ in 0..times.min(100_000) {
        for text in &texts {
            for key in keys_of(context, text) {
                send(mux, context, pane, key);
            }
        }
    }
    DONE
}

/// The keys a word stands for: a byte, a name, or its characters.
fn keys_of(context: &Context<'_>, text: &str) -> Vec<Key> {
    if context.has('H') {
        return u8::from_str_radix(text, 16).map(|byte| vec![Key::literal(byte)]).unwrap_or_default();
    }
    if !context.has('l')
        && let Some(key) = keymap::parse_key(text)
        && key != Key::NONE
    {
        return vec![key];
    }
    text.chars().map(|c| crate::raw::byte(c).map_or_else(|| Key::char(c), Key::literal)).collect()
}

fn send(mux: &mut Mux, context: &mut Context<'_>, pane: PaneId, key: Key) {
    if context.has('K') {
        if let Some(client) = context.target_client {
            mux.client_key(context, client, key, None);
        }
        return;
    }
    mux.key_to_pane_or_mode(context, pane, key);
}
