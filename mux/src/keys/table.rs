//! How long a client's key table lasts, and the keys that users define.

use crate::Mux;
use crate::id::{ClientId, SessionId};
use crate::input::Now;
use crate::timer::Timer;
use keymap::Key;
use std::time::Duration;

impl Mux {
    /// The prefix key: the next key is looked up in its table, for a time when there is one.
    pub(super) fn prefix_typed(&mut self, now: Now, id: ClientId) {
        self.set_table(id, Some("prefix".to_owned()));
        if let Ok(ms @ 1..) = u64::try_from(self.globals.server.number("prefix-timeout")) {
            self.timers.set(Timer::Prefix(id), now.instant + Duration::from_millis(ms));
        }
    }

    /// Nothing followed the prefix key in time.
    pub(crate) fn prefix_lapsed(&mut self, id: ClientId) {
        if let Some(client) = self.clients.get(&id)
            && client.table.as_deref() == Some("prefix")
            && client.repeat_until.is_none()
        {
            self.set_table(id, None);
        }
    }

    /// How long a key may be repeated; the first time that may be another time.
    pub(super) fn repeat_ms(&self, session: SessionId, again: bool) -> u64 {
        let ms = |name: &str| self.session_number(session, name).clamp(0, 2_000_000) as u64;
        match (ms("repeat-time"), ms("initial-repeat-time")) {
            (0, _) => 0,
            (_, first @ 1..) if !again => first,
            (repeat, _) => repeat,
        }
    }

    /// The sequences of `user-keys` become keys of a client.
    pub(crate) fn define_user_keys(&mut self, id: ClientId) {
        let chain = [&self.globals.server];
        let keys: Vec<(u32, String)> =
            crate::option::chain::items(&chain, "user-keys").map(|(at, text)| (at, text.to_owned())).collect();
        let Some(client) = self.clients.get_mut(&id) else { return };
        client.decoder.clear_defined();
        for (at, text) in keys {
            if let Some(key) = u16::try_from(at).ok().and_then(Key::user) {
                client.decoder.define(text.as_bytes(), key);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::fake::Bench;
    use crate::{Face, PaneId};
    use std::time::Duration;

    fn with(option: &str) -> (Bench, crate::ClientId) {
        let mut bench = Bench::new(Face::Tmux);
        bench.lines(&["new-session -d", option]);
        let client = bench.terminal((80, 24), &["attach"]);
        bench.typed(PaneId(0));
        (bench, client)
    }

    #[test]
    fn a_prefix_lapses_when_nothing_follows() {
        let (mut bench, client) = with("set -s prefix-timeout 500");
        bench.keys(client, b"\x02");
        bench.advance(Duration::from_millis(600));
        bench.keys(client, b"x");
        assert_eq!(bench.typed(PaneId(0)), b"x");
        let (mut bench, client) = with("set -s prefix-timeout 0");
        bench.keys(client, b"\x02");
        bench.advance(Duration::from_millis(600));
        bench.keys(client, b"o");
        assert_eq!(bench.typed(PaneId(0)), b"");
    }

    #[test]
    fn the_first_repetition_may_have_more_time() {
        let (mut bench, client) = with("set -g initial-repeat-time 1000");
        bench.line("bind -r r set -ga @n x");
        bench.keys(client, b"\x02r");
        bench.advance(Duration::from_millis(900));
        bench.keys(client, b"r");
        assert_eq!(bench.line("show -gv @n"), "xx");
        bench.advance(Duration::from_millis(600));
        bench.keys(client, b"r");
        assert_eq!((bench.line("show -gv @n"), bench.typed(PaneId(0))), ("xx".to_owned(), b"r".to_vec()));
    }

    #[test]
    fn a_sequence_of_the_users_is_a_key() {
        let (mut bench, client) = with("set -s user-keys[3] \u{1b}[999~");
        bench.line("bind -n User3 set -g @n 1");
        bench.keys(client, b"\x1b[999~");
        assert_eq!((bench.line("show -gv @n"), bench.typed(PaneId(0))), ("1".to_owned(), b"".to_vec()));
    }
}
