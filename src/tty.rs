//! One drawn client's terminal: what it shows, what it can do, and the bytes it has yet to take.
//!
//! Bytes in, bytes out: whoever has the terminal writes [`Tty::pending`] to it and tells with [`Tty::written`] how much
//! went. While a frame has not been taken no other is made, so that a slow terminal skips frames.

#[cfg(test)]
mod tests;

use draw::run::{Range, RangeKind};
use draw::{Projection, Seen, compose};
use keymap::TerminalReply;
use mux::client::{BorderRange, RangeOf, StatusRange};
use mux::{Client, ClientId, Mux, Now, PaneId, SessionId, World};
use term::caps::{Ability, Caps, CapsError};
use term::frame::{ClientModes, CursorLook, Frame, Keys};
use term::paint;
use term::size::Size;

/// Most bytes besides frames that wait for a terminal; what would pass it is dropped.
const RAW_LIMIT: usize = 16 << 20;

/// One drawn client's terminal.
#[derive(Debug)]
pub struct Tty {
    client: ClientId,
    /// What the terminal can do.
    pub caps: Caps,
    projection: Projection,
    seen: Seen,
    /// What it shall show.
    frame: Frame,
    /// What it shows once all pending bytes are there.
    shown: Frame,
    out: Vec<u8>,
    /// How much of `out` was taken.
    taken: usize,
    entered: bool,
    /// The model knows the features of the terminal.
    told: bool,
    /// Everything is painted anew next time.
    anew: bool,
    /// The terminal turned out to be another one: what leaves it clean is another thing too.
    leaves_anew: bool,
}

impl Tty {
    /// The terminal of a client, which is blank and not yet taken over.
    ///
    /// # Errors
    /// The terminal cannot be drawn on; the text is what the user is told.
    pub fn new(mux: &Mux, client: &Client) -> Result<Tty, CapsError> {
        let caps = mux.caps_of(client);
        caps.check()?;
        let size = client.size.map_or(Size { cols: 0, rows: 0 }, |(cols, rows)| Size { cols, rows });
        Ok(Tty {
            client: client.id,
            caps,
            projection: Projection::default(),
            seen: Seen::default(),
            frame: Frame::new(size),
            shown: Frame::new(size),
            out: Vec::new(),
            taken: 0,
            entered: false,
            told: false,
            anew: false,
            leaves_anew: false,
        })
    }

    /// Takes the terminal over: the alternate screen and its modes; the first time it is asked who it is.
    pub fn enter(&mut self) {
        if self.entered {
            return;
        }
        self.entered = true;
        self.out.extend(paint::enter(&self.caps));
        self.out.extend(paint::questions(&self.caps));
        let size = self.shown.size();
        self.shown = Frame::new(size);
        self.seen = Seen::default();
    }

    /// Draws what the client shall see now, if that is another picture and the terminal has taken the last one; if it
    /// has not, this is to be called again once it has. Returns whether there are bytes to write.
    pub fn update(&mut self, mux: &mut Mux, world: &dyn World, now: Now) -> bool {
        self.take_replies(mux);
        if mux.repaint.contains(&self.client) {
            mux.repaint.retain(|client| *client != self.client);
            self.repaint();
        }
        if !self.entered {
            return false;
        }
        if !self.pending().is_empty() {
            return true;
        }
        let Some(scene) = self.projection.project(mux, self.client, world, now) else { return false };
        compose(&scene, &mut self.seen, &mut self.frame);
        let start = if scene.status_top { 0 } else { scene.view_rows() };
        let view = (scene.offset.0.into(), scene.offset.1.into());
        drop(scene);
        if std::mem::take(&mut self.anew) {
            self.blank();
        }
        paint::paint_into(&mut self.out, &self.shown, &self.frame, &self.caps);
        self.shown.copy_from(&self.frame);
        self.tell_ranges(mux, start);
        if let Some(client) = mux.clients.get_mut(&self.client).filter(|client| client.view != view) {
            client.view = view;
            // The status line may tell of it.
            mux.visible += 1;
        }
        !self.out.is_empty()
    }

    /// The terminal is blanked, and known to be: cursor and modes stay.
    fn blank(&mut self) {
        self.out.extend(paint::clear(&self.caps));
        let mut blank = Frame::new(self.frame.size());
        blank.cursor = self.shown.cursor.map(|_| (0, 0));
        blank.look = self.shown.look;
        blank.modes = self.shown.modes;
        blank.title.clone_from(&self.shown.title);
        blank.path.clone_from(&self.shown.path);
        blank.progress = self.shown.progress;
        self.shown = blank;
    }

    /// Bytes the terminal has yet to take.
    pub fn pending(&self) -> &[u8] {
        &self.out[self.taken..]
    }

    /// The terminal has taken `count` bytes more of [`Tty::pending`].
    pub fn written(&mut self, count: usize) {
        self.taken = self.taken.saturating_add(count).min(self.out.len());
        if self.taken == self.out.len() {
            self.out.clear();
            self.taken = 0;
        }
    }

    /// The terminal has another size, which [`mux::Input::ClientResized`] tells the model: what it shows is not known
    /// any more.
    pub fn resize(&mut self, size: (u16, u16)) {
        let size = Size { cols: size.0, rows: size.1 };
        if self.frame.size() != size {
            self.repaint();
        }
    }

    /// Everything is painted anew by the next [`Tty::update`].
    pub fn repaint(&mut self) {
        self.anew = true;
        self.seen = Seen::default();
    }

    /// Bytes for the terminal besides what is drawn ([`mux::Effect::Terminal`]); they go between frames.
    pub fn raw(&mut self, bytes: &[u8]) {
        if self.entered && self.pending().len().saturating_add(bytes.len()) <= RAW_LIMIT {
            self.out.extend_from_slice(bytes);
        }
    }

    /// Gives the terminal back as it was: what is pending of it first, as it may end in the middle of a sequence. The
    /// bytes are to be written to the end; [`Tty::enter`] takes the terminal over again.
    pub fn leave(&mut self) -> Vec<u8> {
        let mut bytes = self.out.split_off(self.taken);
        self.out.clear();
        self.taken = 0;
        if self.entered {
            bytes.extend(paint::leave(&self.caps));
        }
        self.entered = false;
        bytes
    }

    /// What leaves the terminal clean, for a client whose server can't do it any more.
    pub fn farewell(&self) -> Vec<u8> {
        paint::leave(&self.caps)
    }

    /// The same, when it is no longer what it was.
    pub fn take_new_farewell(&mut self) -> Option<Vec<u8>> {
        std::mem::take(&mut self.leaves_anew).then(|| self.farewell())
    }

    /// What the terminal said of itself since the last time.
    fn take_replies(&mut self, mux: &mut Mux) {
        let Some(client) = mux.clients.get_mut(&self.client) else { return };
        let mut new = false;
        let before = self.caps.clone();
        for reply in std::mem::take(&mut client.replies) {
            let short = |number: u32| u16::try_from(number).unwrap_or(0);
            new |= match reply {
                TerminalReply::Version(text) => {
                    client.term_type.clone_from(&text);
                    self.caps.identify(&text)
                }
                TerminalReply::PrimaryAttributes(numbers) => {
                    let numbers: Vec<u16> = numbers.into_iter().map(short).collect();
                    self.caps.identify_primary(&numbers)
                }
                TerminalReply::SecondaryAttributes(numbers) => {
                    numbers.first().is_some_and(|kind| self.caps.identify_secondary(short(*kind)))
                }
                _ => false,
            };
        }
        if new || !std::mem::replace(&mut self.told, true) {
            client.features = self.caps.feature_names().split(',').map(str::to_owned).collect();
        }
        if new {
            self.repaint();
            self.doubt_modes(&before);
            self.leaves_anew = true;
        }
    }

    /// The terminal can do more than was thought: what was not sent to it for that reason is sent now.
    fn doubt_modes(&mut self, before: &Caps) {
        // Kitty keeps a stack of these, and what is on it must not go there twice.
        let asked = before.has(Ability::EXTENDED_KEYS) || before.has(Ability::KITTY_KEYS);
        let keys = if asked { self.shown.modes.keys } else { Keys::default() };
        self.shown.modes = ClientModes { keys, ..ClientModes::default() };
        self.shown.look = CursorLook::default();
        self.shown.title = None;
        self.shown.path = None;
    }

    /// Tells the model what can be clicked on the status lines, which begin at row `start`.
    fn tell_ranges(&self, mux: &mut Mux, start: u16) {
        let lines = (u32::from(start)..).zip(&self.seen.status_ranges);
        let ranges = lines.flat_map(|(row, line)| line.iter().filter_map(move |range| status_range(row, range)));
        if let Some(client) = mux.clients.get_mut(&self.client)
            && !ranges.clone().eq(client.status_ranges.iter().cloned())
        {
            client.status_ranges = ranges.collect();
        }
        let texts = self.seen.border_ranges.iter();
        let buttons = texts.flat_map(|(pane, line)| line.iter().filter_map(|range| border_range(*pane, range)));
        let buttons: Vec<BorderRange> = buttons.collect();
        if let Some(client) = mux.clients.get_mut(&self.client) {
            client.border_ranges = buttons;
        }
    }
}

fn border_range(pane: u32, range: &Range) -> Option<BorderRange> {
    let RangeKind::Control(control) = range.kind else { return None };
    let control = u8::try_from(control).ok()?;
    Some(BorderRange { pane: PaneId(pane), from: range.start.into(), to: range.end.into(), control })
}

fn status_range(row: u32, range: &Range) -> Option<StatusRange> {
    let what = match &range.kind {
        RangeKind::Left => RangeOf::Left,
        RangeKind::Right => RangeOf::Right,
        RangeKind::Window(index) => RangeOf::Window(i32::try_from(*index).ok()?),
        RangeKind::Pane(id) => RangeOf::Pane(PaneId(*id)),
        RangeKind::Session(id) => RangeOf::Session(SessionId(*id)),
        RangeKind::User(text) => RangeOf::User(text.clone()),
        RangeKind::Control(number) => RangeOf::Control(u8::try_from(*number).ok()?),
    };
    Some(StatusRange { row, from: range.start.into(), to: range.end.into(), what })
}
