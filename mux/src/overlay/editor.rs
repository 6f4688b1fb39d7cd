//! A paste buffer or a setting in the user's editor, in a popup: option `editor`.

use super::{Change, Edited, Ends, Opening, Then};
use crate::Mux;
use crate::event::Event;
use crate::id::{ClientId, PaneId};
use crate::input::Now;
use crate::mode::list::Ask;
use crate::mode::list::customize::Change as SettingChange;
use crate::queue::{Item, State};
use crate::world::World;
use std::rc::Rc;

impl Mux {
    /// Open a paste buffer in the user's editor, over a client.
    pub(crate) fn edit_buffer(&mut self, world: &mut dyn World, client: ClientId, name: &str, list: PaneId) {
        let Some(data) = self.buffers.get(name).map(|buffer| buffer.data.clone()) else { return };
        self.edit(world, client, &data, Edited::Buffer(name.to_owned()), list);
    }

    /// Open a text in the user's editor, over a client.
    pub(crate) fn edit(&mut self, world: &mut dyn World, client: ClientId, data: &[u8], what: Edited, list: PaneId) {
        let editor = self.globals.server.text("editor");
        let Some((cols, rows)) = self.clients.get(&client).and_then(|client| client.size) else { return };
        if editor.is_empty() {
            return;
        }
        // Beside the socket, where nobody else can read it.
        let directory = self.identity.socket.rsplit_once('/').map_or("/tmp", |(directory, _)| directory).to_owned();
        let path = format!("{directory}/edit-{:032x}", world.random());
        if world.write_file(&path, data, false).is_err() {
            return;
        }
        let part = |cells: u16| (u32::from(cells) * 9 / 10) as u16;
        let size = (part(cols), part(rows));
        let opening = Opening {
            at: ((cols / 2).saturating_sub(size.0 / 2), (rows / 2).saturating_sub(size.1 / 2)),
            size,
            argv: vec![format!("{editor} {path}")],
            cwd: directory,
            session: self.clients.get(&client).and_then(|client| client.session),
            look: Change { ends: Some((Ends::Exit, false)), ..Change::default() },
            then: Then::Take { path: path.clone(), what, list },
            ..Opening::default()
        };
        if !matches!(self.open_popup(world, client, opening), Ok(Some(_))) {
            world.remove_file(&path);
        }
    }

    /// An editor ended: what it left is taken over, when it ended well.
    pub(super) fn edited(&mut self, world: &mut dyn World, now: Now, (client, then): (ClientId, Then), status: i32) {
        let Then::Take { path, what, list } = then else { return };
        let text = world.read_file(&path).ok().filter(|text| status == 0 && !text.is_empty());
        world.remove_file(&path);
        let Some(text) = text else { return };
        match what {
            Edited::Buffer(name) => self.buffer_edited(now, name, text),
            Edited::Setting(change) => self.setting_edited(client, list, change, &text),
        }
        self.make_list(now, world, list);
    }

    fn buffer_edited(&mut self, now: Now, name: String, mut text: Vec<u8>) {
        let Some(before) = self.buffers.get(&name) else { return };
        // Editors end a file with a line feed that the buffer need not have had.
        if text.last() == Some(&b'\n') && before.data.last() != Some(&b'\n') {
            text.pop();
        }
        if text != before.data && matches!(self.buffers.set(&name, text, now.seconds()), Ok(true)) {
            self.event(Event::BufferChanged(name));
            self.changed();
        }
    }

    /// A setting was edited: as if the text had been the answer to the question for it.
    fn setting_edited(&mut self, client: ClientId, list: PaneId, change: Box<SettingChange>, text: &[u8]) {
        let text = String::from_utf8_lossy(text.strip_suffix(b"\n").unwrap_or(text)).into_owned();
        let answer = move |mux: &mut Mux, context: &mut crate::queue::Context<'_>| {
            mux.list_answered(context, list, Ask::Change(change.clone()), Some(&text));
            crate::jobs::DONE
        };
        let item = Item::callback(Rc::new(State::default()), answer);
        self.queues.append(Some(client), [item]);
    }
}
