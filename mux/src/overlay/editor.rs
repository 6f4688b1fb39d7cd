//! A paste buffer in the user's editor, in a popup: option `editor`.

use super::{Change, Ends, Opening, Then};
use crate::Mux;
use crate::event::Event;
use crate::id::{ClientId, PaneId};
use crate::input::Now;
use crate::world::World;

impl Mux {
    /// Open a paste buffer in the user's editor, over a client.
    pub(crate) fn edit_buffer(&mut self, world: &mut dyn World, client: ClientId, name: &str, list: PaneId) {
        let editor = self.globals.server.text("editor");
        let Some(data) = self.buffers.get(name).map(|buffer| buffer.data.clone()) else { return };
        let Some((cols, rows)) = self.clients.get(&client).and_then(|client| client.size) else { return };
        if editor.is_empty() {
            return;
        }
        // Beside the socket, where nobody else can read it.
        let directory = self.identity.socket.rsplit_once('/').map_or("/tmp", |(directory, _)| directory).to_owned();
        let path = format!("{directory}/edit-{:032x}", world.random());
        if world.write_file(&path, &data, false).is_err() {
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
            then: Then::Buffer { path: path.clone(), name: name.to_owned(), list },
            ..Opening::default()
        };
        if !matches!(self.open_popup(world, client, opening), Ok(Some(_))) {
            world.remove_file(&path);
        }
    }

    /// An editor ended: what it left is the buffer, when it ended well.
    pub(super) fn edited(&mut self, world: &mut dyn World, now: Now, then: Then, status: i32) {
        let Then::Buffer { path, name, list } = then else { return };
        let text = world.read_file(&path).ok().filter(|text| status == 0 && !text.is_empty());
        world.remove_file(&path);
        let (Some(mut text), Some(before)) = (text, self.buffers.get(&name)) else { return };
        // Editors end a file with a line feed that the buffer need not have had.
        if text.last() == Some(&b'\n') && before.data.last() != Some(&b'\n') {
            text.pop();
        }
        if text != before.data && matches!(self.buffers.set(&name, text, now.seconds()), Ok(true)) {
            self.event(Event::BufferChanged(name));
            self.changed();
        }
        self.make_list(now, world, list);
    }
}
