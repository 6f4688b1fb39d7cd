//! A client on a real pty. What it writes is read on a thread and shown on a screen of our own `term`.

use std::fs::File;
use std::io::{Read, Write};
use std::process::Child;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::thread::JoinHandle;

use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize};
use term::{Cursor, Event, Modes, Size, Terminal};

use super::{Home, LIMIT, process, pty, wait::poll};

/// How long the reading thread waits before it looks whether the terminal was closed.
const LOOK: Timespec = Timespec { tv_sec: 0, tv_nsec: 20_000_000 };

/// The terminal with a program in it; the program is killed with this value.
pub struct Tty {
    what: String,
    child: Child,
    master: Option<Master>,
    output: Receiver<Vec<u8>>,
    terminal: Terminal,
    written: Vec<u8>,
    code: Option<i32>,
}

/// Our side of the pty, and the thread that reads it.
struct Master {
    file: Arc<File>,
    closed: Arc<AtomicBool>,
    reader: JoinHandle<()>,
}

/// What the terminal shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Screen {
    /// The rows, without blanks at their ends.
    pub rows: Vec<String>,
    /// Where the cursor is.
    pub cursor: Cursor,
    /// The modes that are on.
    pub modes: Modes,
    /// Whether the alternate screen is shown.
    pub alternate: bool,
}

impl Screen {
    /// All rows as one text.
    pub fn text(&self) -> String {
        self.rows.join("\n")
    }

    /// Whether a text stands in one of the rows.
    pub fn has(&self, text: &str) -> bool {
        self.rows.iter().any(|row| row.contains(text))
    }

    /// The last row.
    pub fn bottom(&self) -> &str {
        self.rows.last().map_or("", String::as_str)
    }

    /// What is left switched on that a program must not leave behind; empty when the terminal is clean.
    pub fn left_on(&self) -> Vec<&'static str> {
        let mut left = Vec::new();
        let mut check = |is_left: bool, what| left.extend(is_left.then_some(what));
        check(self.alternate, "the alternate screen");
        check(!self.modes.contains(Modes::CURSOR), "a hidden cursor");
        check(self.modes.intersects(Modes::ALL_MOUSE | Modes::MOUSE_SGR | Modes::MOUSE_UTF8), "the mouse");
        check(self.modes.contains(Modes::BRACKETED_PASTE), "bracketed paste");
        check(self.modes.contains(Modes::FOCUS), "focus reports");
        check(self.modes.contains(Modes::APPLICATION_CURSOR), "application cursor keys");
        check(self.modes.contains(Modes::APPLICATION_KEYPAD), "the application keypad");
        check(self.modes.intersects(Modes::ALL_KEYS_EXTENDED), "extended keys");
        check(self.modes.contains(Modes::THEME_UPDATES), "theme reports");
        check(self.modes.contains(Modes::SYNC), "a synchronised update");
        left
    }
}

impl Tty {
    /// Opens a terminal and calls the program in it.
    #[track_caller]
    pub fn open(home: &Home, args: &[&str], cols: u16, rows: u16) -> Tty {
        let mut words = vec![home.program().display().to_string()];
        words.extend(home.words(args));
        Tty::start(home, &words, args.join(" "), Size { cols, rows })
    }

    /// Opens a terminal with a shell in it that has job control, as a user's desktop would; `$T` is the program's call.
    #[track_caller]
    pub fn open_shell(home: &Home, cols: u16, rows: u16) -> Tty {
        let words = ["/bin/sh".to_owned(), "-i".to_owned()];
        Tty::start(home, &words, "sh -i".to_owned(), Size { cols, rows })
    }

    #[track_caller]
    fn start(home: &Home, words: &[String], what: String, size: Size) -> Tty {
        let (master, slave) = pty::open();
        set_size(&master, size);
        let mut command = home.command(pty::IN_A_TERMINAL);
        command.arg("--ctty").args(words).env("T", home.call());
        let child = pty::spawn(command, slave);
        let (to, output) = channel();
        let (file, closed) = (Arc::new(master), Arc::new(AtomicBool::new(false)));
        let (read, is_closed) = (Arc::clone(&file), Arc::clone(&closed));
        let reader = std::thread::spawn(move || {
            let mut buffer = vec![0; 65536];
            while !is_closed.load(Ordering::Relaxed) {
                let ready = rustix::event::poll(&mut [PollFd::new(&*read, PollFlags::IN)], Some(&LOOK));
                if ready == Ok(0) {
                    continue;
                }
                match (&*read).read(&mut buffer) {
                    Ok(count @ 1..) if to.send(buffer[..count].to_vec()).is_ok() => {}
                    _ => return,
                }
            }
        });
        let terminal = Terminal::new(size, 0);
        let master = Some(Master { file, closed, reader });
        Tty { what, child, master, output, terminal, written: Vec::new(), code: None }
    }

    /// Takes what was written since the last look; answers what the program asks of its terminal.
    fn pump(&mut self) {
        loop {
            match self.output.try_recv() {
                Ok(bytes) => {
                    self.terminal.feed(&bytes);
                    self.written.extend(bytes);
                    for event in self.terminal.take_events() {
                        if let (Event::Reply(reply), Some(master)) = (event, &self.master) {
                            // A program that has ended hears no answer.
                            let _ = (&*master.file).write_all(&reply);
                        }
                    }
                }
                Err(TryRecvError::Empty | TryRecvError::Disconnected) => return,
            }
        }
    }

    /// What is shown now.
    pub fn screen(&mut self) -> Screen {
        self.pump();
        let text = String::from_utf8_lossy(&self.terminal.capture(&term::capture::Capture::default())).into_owned();
        let mut rows: Vec<String> = text.lines().map(|row| row.trim_end().to_owned()).collect();
        rows.resize(usize::from(self.terminal.size().rows), String::new());
        Screen {
            rows,
            cursor: self.terminal.cursor(),
            modes: *self.terminal.modes(),
            alternate: self.terminal.alternate_on(),
        }
    }

    /// The rows as they look, with colours and attributes.
    pub fn looks(&mut self) -> Vec<String> {
        self.pump();
        let all = term::capture::Capture { escapes: true, keep_trailing: true, ..Default::default() };
        String::from_utf8_lossy(&self.terminal.capture(&all)).lines().map(str::to_owned).collect()
    }

    /// Every byte written so far.
    pub fn written(&mut self) -> &[u8] {
        self.pump();
        &self.written
    }

    /// Waits until the screen is as `condition` wants it, and gives it.
    #[track_caller]
    pub fn wait_until(&mut self, what: &str, mut condition: impl FnMut(&Screen) -> bool) -> Screen {
        let found = poll(LIMIT, || {
            let screen = self.screen();
            condition(&screen).then_some(screen)
        });
        match found {
            Some(screen) => screen,
            None => panic!("waited {} s for: {what}\n{}", LIMIT.as_secs(), self.picture()),
        }
    }

    /// Waits until a text is shown.
    #[track_caller]
    pub fn wait_text(&mut self, text: &str) -> Screen {
        self.wait_until(&format!("{text:?} on the screen"), |screen| screen.has(text))
    }

    /// The screen in a frame, for messages.
    fn picture(&mut self) -> String {
        let screen = self.screen();
        let edge = format!("+{}+\n", "-".repeat(usize::from(self.terminal.size().cols)));
        let rows: String = screen.rows.iter().map(|row| format!("|{row}\n")).collect();
        let state = match self.code() {
            Some(code) => format!("ended with {code}"),
            None => "runs".to_owned(),
        };
        let (cursor, alternate, what) = (screen.cursor, screen.alternate, &self.what);
        format!("{edge}{rows}{edge}cursor {},{}, alternate {alternate}; `{what}` {state}", cursor.col, cursor.row)
    }

    /// Types.
    #[track_caller]
    pub fn type_keys(&mut self, keys: &str) {
        (&*self.file()).write_all(keys.as_bytes()).unwrap();
    }

    /// Makes the terminal another size.
    #[track_caller]
    pub fn resize(&mut self, cols: u16, rows: u16) {
        self.pump();
        self.terminal.resize(Size { cols, rows });
        set_size(&*self.file(), Size { cols, rows });
    }

    fn file(&self) -> Arc<File> {
        Arc::clone(&self.master.as_ref().expect("the terminal is open").file)
    }

    /// Closes the terminal under the program, as a dropped connection does.
    pub fn close(&mut self) {
        if let Some(master) = self.master.take() {
            master.closed.store(true, Ordering::Relaxed);
            master.reader.join().unwrap();
        }
    }

    /// The process in the terminal.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// The exit code, once it has ended.
    pub fn code(&mut self) -> Option<i32> {
        if self.code.is_none() {
            self.code = self.child.try_wait().unwrap().map(|status| status.code().unwrap_or(-1));
        }
        self.code
    }

    /// Waits for the end of the program; gives its exit code and what it left on the screen.
    #[track_caller]
    pub fn wait_end(&mut self) -> (i32, Screen) {
        let code = poll(LIMIT, || {
            self.pump();
            self.code()
        });
        let Some(code) = code else { panic!("waited {} s for its end\n{}", LIMIT.as_secs(), self.picture()) };
        // What it wrote last may still be on its way from the reading thread, which ends with the other side of the pty.
        poll(LIMIT, || {
            self.pump();
            matches!(self.output.try_recv(), Err(TryRecvError::Disconnected)).then_some(())
        });
        (code, self.screen())
    }

    /// Whether the terminal line is as shells have it: echo, whole lines, signals.
    pub fn is_cooked(&self) -> bool {
        let attributes = tcgetattr(&*self.file()).unwrap();
        attributes.local_modes.contains(LocalModes::ECHO | LocalModes::ICANON | LocalModes::ISIG)
    }
}

fn set_size(master: impl std::os::fd::AsFd, size: Size) {
    // With a size in pixels, so that no program asks for one and takes a late answer for the size after it.
    let (ws_xpixel, ws_ypixel) = (size.cols * 8, size.rows * 16);
    tcsetwinsize(master, Winsize { ws_row: size.rows, ws_col: size.cols, ws_xpixel, ws_ypixel }).unwrap();
}

impl Drop for Tty {
    fn drop(&mut self) {
        if self.code().is_none() {
            process::signal(self.pid(), process::Signal::KILL);
            let _ = self.child.wait();
        }
        self.close();
    }
}
