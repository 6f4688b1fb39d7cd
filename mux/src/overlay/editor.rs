//! A paste buffer or a setting in the user's editor, in a modal pane: option `editor`.

use crate::Mux;
use crate::event::Event;
use crate::id::{ClientId, PaneId};
use crate::input::{Exit, Now};
use crate::layout::Rect;
use crate::mode::list::Ask;
use crate::mode::list::customize::Change as SettingChange;
use crate::queue::{Item, State};
use crate::spawn::Wanted;
use crate::world::World;
use std::rc::Rc;

/// An editor that runs.
#[derive(Debug, Clone)]
pub(crate) struct Editor {
    /// The file it was given.
    path: String,
    /// What is in that.
    what: Edited,
    /// The pane whose list it was opened from.
    list: PaneId,
    client: ClientId,
}

/// What can be edited in a file.
#[derive(Debug, Clone)]
pub(crate) enum Edited {
    /// A paste buffer, by its name.
    Buffer(String),
    /// A setting, by what the new text changes.
    Setting(Box<SettingChange>),
}

impl Editor {
    /// One of a paste buffer that runs already.
    pub(crate) fn of_buffer(path: String, name: String, list: PaneId) -> Editor {
        Editor { path, what: Edited::Buffer(name), list, client: ClientId::default() }
    }

    /// What a next server has to know of it: pane, file, buffer and the list's pane. A setting's list goes with its
    /// server, and with it who asked for the text.
    pub(crate) fn saved(&self, pane: PaneId) -> Option<(PaneId, String, String, PaneId)> {
        match &self.what {
            Edited::Buffer(name) => Some((pane, self.path.clone(), name.clone(), self.list)),
            Edited::Setting(_) => None,
        }
    }
}

impl Mux {
    /// Open a paste buffer in the user's editor.
    pub(crate) fn edit_buffer(&mut self, world: &mut dyn World, client: ClientId, name: &str, list: PaneId) {
        let Some(data) = self.buffers.get(name).map(|buffer| buffer.data.clone()) else { return };
        self.edit(world, client, &data, Edited::Buffer(name.to_owned()), list);
    }

    /// Open a text in the user's editor, in a modal pane over the client's window; not when that has one already.
    pub(crate) fn edit(&mut self, world: &mut dyn World, client: ClientId, data: &[u8], what: Edited, list: PaneId) {
        self.forget_closed_editors(world);
        let editor = self.globals.server.text("editor");
        let Some(session) = self.clients.get(&client).and_then(|client| client.session) else { return };
        let Some(window) = self.sessions.get(&session).and_then(|session| session.current_window()) else { return };
        let Some(size) = self.windows.get(&window).filter(|entry| entry.modal.is_none()).map(|entry| entry.size())
        else {
            return;
        };
        if editor.is_empty() {
            return;
        }
        // Beside the socket, where nobody else can read it.
        let directory = self.identity.socket.rsplit_once('/').map_or("/tmp", |(directory, _)| directory).to_owned();
        let path = format!("{directory}/edit-{:032x}", world.random());
        if world.write_file(&path, data, false).is_err() {
            return;
        }
        let (width, height) = ((size.width * 9 / 10).max(1), (size.height * 9 / 10).max(1));
        let start = |whole: u32, part: u32| (whole / 2).saturating_sub(part / 2) as i32;
        let rect = Rect { x: start(size.width, width), y: start(size.height, height), width, height };
        let argv = vec![format!("{editor} {path}")];
        let wanted = Wanted { argv, cwd: Some(directory), client: Some(client), ..Wanted::default() };
        match self.open_modal(world, session, window, rect, &wanted) {
            Ok(pane) => _ = self.editors.insert(pane, Editor { path, what, list, client }),
            Err(_) => world.remove_file(&path),
        }
    }

    /// The files of editors whose panes were closed over them have no reader any more.
    fn forget_closed_editors(&mut self, world: &mut dyn World) {
        let panes = &self.panes;
        self.editors.retain(|pane, editor| {
            let there = panes.contains_key(pane);
            if !there {
                world.remove_file(&editor.path);
            }
            there
        });
    }

    /// A pane's program ended. When it was an editor, what it left is taken over, if it ended well, and the pane goes.
    pub(crate) fn editor_exited(&mut self, world: &mut dyn World, now: Now, pane: PaneId, exit: Exit) -> bool {
        self.forget_closed_editors(world);
        let Some(Editor { path, what, list, client }) = self.editors.remove(&pane) else { return false };
        let text = world.read_file(&path).ok().filter(|text| exit == Exit::Status(0) && !text.is_empty());
        world.remove_file(&path);
        if let Some(text) = text {
            match what {
                Edited::Buffer(name) => self.buffer_edited(now, name, text),
                Edited::Setting(change) => self.setting_edited(client, list, change, &text),
            }
            self.make_list(now, world, list);
        }
        true
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
