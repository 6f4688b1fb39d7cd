#!/usr/bin/env python3
"""Records what a tmux answers to the lines of case files: record.py TMUX FILE...

A case is a server of its own. Its lines:
  < WORDS   a command of a client of its own; then "> " its output, "! " its errors, "= " its status unless 0
  c WORDS   a line of a control client, which attaches at the first; then "> " the block's lines, "! " those of an error
  t WORDS   a terminal client of 80x24 connects with a command
  k KEYS    keys are typed at it, escapes as in Python
  o %N TEXT the program of a pane writes, escapes as in Python
  f PATH TEXT  a file in /tmp holds this, escapes as in Python
  # TEXT    a remark
  ~ ANSWER  what we answer to the next line instead, where we mean to; a remark says why
A blank line begins the next case.
"""
import os, pty, shlex, subprocess, sys, tempfile, threading, time, fcntl, termios, struct

TMUX = sys.argv[1]


class Case:
    def __init__(self):
        self.folder = tempfile.mkdtemp()
        self.socket = os.path.join(self.folder, "s")
        self.environment = {"HOME": "/home/u", "SHELL": "/bin/sh", "PATH": "/usr/bin:/bin", "TERM": "xterm-256color",
                            "LC_ALL": "C.UTF-8", "TMUX_TMPDIR": self.folder, "TZ": "UTC"}
        self.control = None
        self.terminal = None

    def command(self, words):
        return [TMUX, "-S", self.socket, "-f", "/dev/null", *words]

    def run(self, words):
        try:
            return subprocess.run(self.command(words), env=self.environment, cwd="/tmp", capture_output=True, text=True,
                                  timeout=5, stdin=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            return None

    def control_line(self, line):
        if self.control is None:
            self.control = subprocess.Popen(self.command(["-C", "attach"]), env=self.environment, cwd="/tmp", text=True,
                                            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            self.block()
        self.control.stdin.write(line + "\n")
        self.control.stdin.flush()
        return self.block()

    def block(self):
        lines, inside = [], False
        for line in self.control.stdout:
            line = line.rstrip("\n")
            if line.startswith("%begin "):
                inside = True
            elif line.startswith(("%end ", "%error ")):
                return ("! " if line.startswith("%error") else "> "), lines
            elif inside:
                lines.append(line)
        return "> ", lines

    def start_terminal(self, words):
        child, master = pty.fork()
        if child == 0:
            os.chdir("/tmp")
            os.execve(TMUX, self.command(words), self.environment)
        fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.terminal = master

        def drain():
            try:
                while os.read(master, 65536):
                    pass
            except OSError:
                pass
        threading.Thread(target=drain, daemon=True).start()
        time.sleep(0.5)

    def end(self):
        self.run(["kill-server"])
        if self.control:
            self.control.kill()


def unescape(text):
    return text.encode().decode("unicode_escape").encode("latin-1")


def record(path):
    out, case = [], Case()
    for line in open(path).read().splitlines():
        if not line:
            case.end()
            case = Case()
        if line[:2] in ("> ", "! ", "= ") or line in (">", "!"):
            continue
        out.append(line)
        kind, rest = line[:2], line[2:]
        if kind == "< ":
            ran = case.run(shlex.split(rest))
            if ran is None:
                out.append("= waits")
                continue
            out += [("> " + text).rstrip() for text in ran.stdout.splitlines()]
            out += [("! " + text).rstrip() for text in ran.stderr.splitlines()]
            out += [f"= {ran.returncode}"] if ran.returncode else []
        elif kind == "c ":
            try:
                mark, lines = case.control_line(rest)
            except BrokenPipeError:
                case.control = None
                mark, lines = "= ", ["gone"]
            out += [(mark + text).rstrip() for text in lines]
        elif kind == "t ":
            case.start_terminal(shlex.split(rest))
        elif kind == "k ":
            os.write(case.terminal, unescape(rest))
            time.sleep(0.3)
        elif kind == "f ":
            file, text = rest.split(" ", 1)
            os.makedirs(os.path.dirname(file), exist_ok=True)
            open(file, "wb").write(unescape(text))
        elif kind == "o ":
            pane, text = rest.split(" ", 1)
            tty = case.run(["display-message", "-p", "-t", pane, "#{pane_tty}"]).stdout.strip()
            with open(tty, "wb", buffering=0) as file:
                file.write(unescape(text))
            time.sleep(0.2)
    case.end()
    open(path, "w").write("\n".join(out) + "\n")


for path in sys.argv[2:]:
    record(path)
