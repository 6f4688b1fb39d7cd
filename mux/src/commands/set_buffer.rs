//! Paste buffers: set-buffer, delete-buffer, show-buffer, list-buffers, load-buffer, save-buffer, paste-buffer.

use super::*;
use crate::target::Kind;

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "set-buffer",
        alias: Some("setb"),
        template: Template::text("ab:t:n:w", 0, Some(1)),
        usage: "[-aw] [-b buffer-name] [-n new-buffer-name] [-t target-client] [data]",
    },
    "Set a paste buffer",
    set,
)
.client('t', true)
.after_hook();

pub(crate) static DELETE: Row = Row::new(
    Signature {
        name: "delete-buffer",
        alias: Some("deleteb"),
        template: Template::text("b:", 0, Some(0)),
        usage: "[-b buffer-name]",
    },
    "Delete a paste buffer",
    delete,
)
.after_hook();

pub(crate) static SHOW: Row = Row::new(
    Signature {
        name: "show-buffer",
        alias: Some("showb"),
        template: Template::text("b:", 0, Some(0)),
        usage: "[-b buffer-name]",
    },
    "Show a paste buffer",
    show,
)
.after_hook()
.read_only();

pub(crate) static LIST: Row = Row::new(
    Signature {
        name: "list-buffers",
        alias: Some("lsb"),
        template: Template::text("F:f:O:r", 0, Some(0)),
        usage: "[-F format] [-f filter] [-O order]",
    },
    "List paste buffers",
    list,
)
.after_hook()
.read_only();

pub(crate) static LOAD: Row = Row::new(
    Signature {
        name: "load-buffer",
        alias: Some("loadb"),
        template: Template::text("b:t:w", 1, Some(1)),
        usage: "[-b buffer-name] [-t target-client] path",
    },
    "Load a file into a paste buffer",
    load,
)
.client('t', true)
.after_hook();

pub(crate) static SAVE: Row = Row::new(
    Signature {
        name: "save-buffer",
        alias: Some("saveb"),
        template: Template::text("ab:", 1, Some(1)),
        usage: "[-a] [-b buffer-name] path",
    },
    "Save a paste buffer to a file",
    save,
)
.after_hook();

pub(crate) static PASTE: Row = Row::new(
    Signature {
        name: "paste-buffer",
        alias: Some("pasteb"),
        template: Template::text("db:prSs:t:", 0, Some(0)),
        usage: "[-dprS] [-s separator] [-b buffer-name] [-t target-pane]",
    },
    "Paste a buffer into a pane",
    paste,
)
.target(Spec::of('t', Kind::Pane))
.after_hook();

/// Put data into a buffer, the named one or a new one.
pub(crate) fn store(mux: &mut Mux, context: &Context<'_>, name: Option<String>, data: Vec<u8>) -> Outcome {
    let now = context.now.seconds();
    match name {
        Some(name) => {
            if mux.buffers.set(&name, data, now).map_err(|error| error.to_string())? {
                mux.event(Event::BufferChanged(name));
            }
        }
        None => mux.add_buffer(data, now),
    }
    DONE
}

fn named(mux: &Mux, context: &Context<'_>) -> Result<(String, Vec<u8>), CommandError> {
    let buffer = match context.get('b') {
        Some(name) => mux.buffers.get(&name).ok_or_else(|| format!("no buffer {name}"))?,
        None => mux.buffers.top().ok_or("no buffers")?,
    };
    Ok((buffer.name.clone(), buffer.data.clone()))
}

/// The same for commands that change buffers, which have other words.
fn kept(mux: &Mux, context: &Context<'_>) -> Result<(String, Vec<u8>), CommandError> {
    named(mux, context).map_err(|_| match context.get('b') {
        Some(name) => format!("unknown buffer: {name}").into(),
        None => "no buffer".into(),
    })
}

fn set(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    if let Some(new) = context.get('n') {
        let (old, _) = kept(mux, context)?;
        mux.buffers.rename(&old, &new).map_err(|error| error.to_string())?;
        mux.event(Event::BufferDeleted(old));
        mux.event(Event::BufferChanged(new));
        return DONE;
    }
    let Some(data) = context.argument(0) else { return Err("no data specified".into()) };
    if data.is_empty() {
        return DONE;
    }
    let mut bytes = Vec::new();
    let name = context.get('b');
    if let Some(before) = name.as_ref().filter(|_| context.has('a')).and_then(|name| mux.buffers.get(name)) {
        bytes.extend_from_slice(&before.data);
    }
    bytes.extend_from_slice(&crate::raw::bytes(&data));
    if let Some(client) = context.target_client.filter(|_| context.has('w')) {
        mux.set_clipboard(client, "", &bytes);
    }
    store(mux, context, name, bytes)
}

fn delete(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let (name, _) = kept(mux, context)?;
    mux.buffers.remove(&name).map_err(|error| error.to_string())?;
    mux.event(Event::BufferDeleted(name));
    DONE
}

fn show(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let (_, data) = named(mux, context)?;
    match context.client.and_then(|id| mux.clients.get(&id)) {
        Some(client) if client.session.is_none() && !client.is_control() => {
            let id = client.id;
            mux.effect(Effect::Stdout(id, data));
        }
        _ => mux.print_bytes(context, data, false),
    }
    DONE
}

fn list(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let format =
        context.get('F').unwrap_or_else(|| "#{buffer_name}: #{buffer_size} bytes: \"#{buffer_sample}\"".to_owned());
    let filter = context.get('f');
    let sorting = listing::sorting(context)?;
    let mut buffers: Vec<&crate::buffer::Buffer> = mux.buffers.iter().collect();
    let compare = |order: listing::Order, a: &&crate::buffer::Buffer, b: &&crate::buffer::Buffer| match order {
        listing::Order::Creation => std::cmp::Ordering::Equal,
        listing::Order::Size => a.data.len().cmp(&b.data.len()),
        _ => std::cmp::Ordering::Equal,
    };
    sorting.sort(&mut buffers, compare, |buffer| buffer.name.clone());
    let full = [Some(&format), filter.as_ref()].into_iter().flatten().any(|text| text.contains("buffer_full"));
    let values = |buffer: &&crate::buffer::Buffer| {
        let mut values = buffer.values();
        if full {
            values.push(("buffer_full".to_owned(), String::from_utf8_lossy(&buffer.data).into_owned()));
        }
        values
    };
    let values: Vec<Vec<(String, String)>> = buffers.iter().map(values).collect();
    for extra in values {
        // A buffer stands nowhere.
        let found = crate::target::Found::default();
        if let Some(filter) = &filter
            && !crate::format::is_true(&mux.expand_at(
                context.client,
                found,
                filter,
                &extra,
                context.world,
                context.now,
            ))
        {
            continue;
        }
        let text = mux.expand_at(context.client, found, &format, &extra, context.world, context.now);
        mux.print(context, &text);
    }
    DONE
}

/// A path as the client that named it sees it.
fn path(mux: &Mux, context: &Context<'_>) -> String {
    let path = context.argument(0).unwrap_or_default();
    let path = mux.expand_in(context, context.target, &path);
    if path.starts_with('/') || path == "-" {
        return path;
    }
    format!("{}/{path}", mux.default_cwd(context.client, None, context.world))
}

fn load(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let path = path(mux, context);
    let (name, clipboard) = (context.get('b'), context.target_client.filter(|_| context.has('w')));
    if path == "-" {
        let Some(client) = context
            .client
            .filter(|id| mux.clients.get(id).is_some_and(|client| client.session.is_none() && !client.is_control()))
        else {
            return Err("Bad file descriptor: -".into());
        };
        let wait = mux.read_stdin(client);
        context.run_after(vec![Item::callback(context.state.clone(), move |mux, context| {
            let data = mux.take_stdin(client);
            if let Some(client) = clipboard {
                mux.set_clipboard(client, "", &data);
            }
            store(mux, context, name, data)
        })]);
        return Ok(Flow::Wait(wait));
    }
    let data = context.world.read_file(&path).map_err(|error| format!("{error}: {path}"))?;
    if let Some(client) = clipboard {
        mux.set_clipboard(client, "", &data);
    }
    store(mux, context, name, data)
}

fn save(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let (_, data) = named(mux, context)?;
    let path = path(mux, context);
    if path == "-" {
        let Some(client) = context
            .client
            .filter(|id| mux.clients.get(id).is_some_and(|client| client.session.is_none() && !client.is_control()))
        else {
            return Err("Bad file descriptor: -".into());
        };
        mux.effect(Effect::Stdout(client, data));
        return DONE;
    }
    context.world.write_file(&path, &data, context.has('a')).map_err(|error| format!("{error}: {path}"))?;
    DONE
}

fn paste(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let Some(pane) = context.target.pane else { return DONE };
    if mux.panes.get(&pane).is_some_and(crate::Pane::dead) {
        return Err("target pane has exited".into());
    }
    let buffer = match context.get('b') {
        Some(name) => Some(mux.buffers.get(&name).ok_or_else(|| format!("no buffer {name}"))?),
        None => mux.buffers.top(),
    };
    let Some((name, data)) = buffer.map(|buffer| (buffer.name.clone(), buffer.data.clone())) else { return DONE };
    let separator = match context.get('s') {
        Some(separator) => separator,
        None if context.has('r') => "\n".to_owned(),
        None => "\r".to_owned(),
    };
    let data = if context.has('S') { data } else { harmless(&data) };
    mux.paste(pane, &data, separator.as_bytes(), context.has('p'));
    if context.has('d') {
        mux.buffers.remove(&name).map_err(|error| error.to_string())?;
        mux.event(Event::BufferDeleted(name));
    }
    DONE
}

/// A buffer as it is pasted without -S: controls that a terminal would act on are shown instead (`^C`, `M-^A`), so that
/// what was copied somewhere can't type commands into a pane.
fn harmless(data: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(data.len());
    for chunk in data.utf8_chunks() {
        for letter in chunk.valid().chars() {
            match letter {
                '\n' | '\t' | '\x07' | '\x08' | '\r' => out.push(letter as u8),
                '\0'..='\x1f' | '\x7f' => put_visible(&mut out, letter as u8),
                _ => out.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes()),
            }
        }
        chunk.invalid().iter().for_each(|byte| put_visible(&mut out, *byte));
    }
    out
}

/// A byte as vis(3) shows it.
fn put_visible(out: &mut Vec<u8>, byte: u8) {
    if byte == 0xa0 {
        return out.extend_from_slice(b"\\240");
    }
    let low = byte & 0x7f;
    if byte != low {
        out.push(b'M');
    }
    match low {
        0..=0x1f | 0x7f => out.extend([b'^', low ^ 0x40]),
        _ => out.extend([b'-', low]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_pasted_does_nothing() {
        assert_eq!(harmless(b"a\x03\x1b[31m\x7f\\ \t\r\n\x07"), b"a^C^[[31m^?\\ \t\r\n\x07");
        assert_eq!(harmless("é日\u{85}".as_bytes()), "é日\u{85}".as_bytes());
        assert_eq!(harmless(b"\xff\x81\xa0\xe3"), b"M^?M^A\\240M-c");
    }
}
