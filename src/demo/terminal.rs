//! A terminal with `rove attach` in it, as a window of the user's desktop would be.

use std::io::{Read, Write};
use std::sync::{Arc, Mutex};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

use super::cli::Rove;

/// What of the program's output is kept, to show when something went wrong.
const KEPT: usize = 16 * 1024;

/// The terminal; the program in it ends with this value.
pub(super) struct Terminal {
    child: Box<dyn Child + Send + Sync>,
    output: Arc<Mutex<Vec<u8>>>,
    _master: Box<dyn MasterPty + Send>,
}

impl Terminal {
    pub(super) fn open(rove: &Rove, args: &[&str], (cols, rows): (u16, u16)) -> Result<Terminal, String> {
        let failed = |error: String| format!("cannot open a terminal: {error}");
        let size = PtySize { rows, cols, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).map_err(|error| failed(error.to_string()))?;
        let words = rove.words(args);
        let mut command = CommandBuilder::new(&words[0]);
        command.args(&words[1..]);
        rove.environment().iter().for_each(|(name, value)| command.env(name, value));
        Rove::surroundings().iter().for_each(|name| command.env_remove(name));
        let child = pair.slave.spawn_command(command).map_err(|error| failed(error.to_string()))?;
        let mut reader = pair.master.try_clone_reader().map_err(|error| failed(error.to_string()))?;
        let writer = pair.master.take_writer().map_err(|error| failed(error.to_string()))?;
        let output = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&output);
        // A terminal must be read all the time, or the program in it stands still. It ends with the other side.
        std::thread::spawn(move || drain(&mut reader, writer, &kept));
        Ok(Terminal { child, output, _master: pair.master })
    }

    /// The words of a client that ended, when it has.
    pub(super) fn ended(&mut self) -> Option<String> {
        let status = self.child.try_wait().ok()??;
        let said = self.output.lock().map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
        Some(format!("rove attach ended with {status:?}: {}", said.trim()))
    }
}

fn drain(reader: &mut dyn Read, mut writer: Box<dyn Write + Send>, kept: &Mutex<Vec<u8>>) {
    let mut buffer = [0; 4096];
    while let Ok(count @ 1..) = reader.read(&mut buffer) {
        let bytes = &buffer[..count];
        // The one question that every terminal answers, so that nobody waits for it.
        if bytes.windows(3).any(|window| window == b"\x1b[c") {
            let _ = writer.write_all(b"\x1b[?62c");
        }
        let Ok(mut kept) = kept.lock() else { return };
        kept.extend_from_slice(bytes);
        let surplus = kept.len().saturating_sub(KEPT);
        kept.drain(..surplus);
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
