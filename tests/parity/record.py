#!/usr/bin/env python3
"""Records what a tmux answers to the lines of parity files: record.py TMUX FILE...

The lines are those of `mux/cases/record.py`, of which two are used here: `< WORDS`, a command of a client of its own, and
`c LINE`, a line of a control client. A blank line begins a server of its own. What is answered stands below each line:
"> " output, "! " an error, "= " a status. A line that has no answer within a second is left out.
"""
import os, select, shlex, subprocess, sys, tempfile

TMUX = sys.argv[1]


class Server:
    def __init__(self):
        self.folder = tempfile.mkdtemp()
        self.environment = {"HOME": self.folder, "SHELL": "/bin/sh", "PATH": "/usr/bin:/bin", "TERM": "xterm-256color",
                            "LC_ALL": "C.UTF-8", "TMUX_TMPDIR": self.folder, "TZ": "UTC"}
        self.control, self.rest, self.dead = None, b"", False

    def words(self, words):
        return [TMUX, "-S", os.path.join(self.folder, "s"), "-f", "/dev/null", *words]

    def run(self, words):
        return subprocess.run(self.words(words), env=self.environment, cwd="/", capture_output=True, text=True,
                              timeout=5, stdin=subprocess.DEVNULL)

    def line(self):
        while b"\n" not in self.rest:
            ready, _, _ = select.select([self.control.stdout], [], [], 1)
            read = os.read(self.control.stdout.fileno(), 1 << 16) if ready else b""
            if not read:
                return None
            self.rest += read
        line, self.rest = self.rest.split(b"\n", 1)
        return line.decode(errors="replace")

    def block(self):
        lines = None
        while (line := self.line()) is not None:
            if lines is None and line.startswith("%begin "):
                lines = []
            elif lines is not None and line.startswith(("%end ", "%error ")):
                mark = "! " if line.startswith("%error") else "> "
                return [(mark + text).rstrip() for text in lines]
            elif lines is not None:
                lines.append(line)
        self.control.kill()
        self.control = None
        return None

    def ask(self, line):
        if self.control is None:
            self.rest = b""
            self.control = subprocess.Popen(self.words(["-C", "attach"]), env=self.environment, cwd="/",
                                            stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
            self.dead = self.block() is None
            if self.dead:
                return None
        self.control.stdin.write(line.encode() + b"\n")
        return self.block()

    def end(self):
        if self.control:
            self.control.kill()
        self.run(["kill-server"])


for path in sys.argv[2:]:
    out, server = [], Server()
    for line in open(path).read().splitlines():
        if line[:2] in ("> ", "! ", "= ") or line in (">", "!"):
            continue
        answer = []
        if not line:
            server.end()
            server = Server()
        elif line.startswith("< "):
            ran = server.run(shlex.split(line[2:]))
            answer = [("> " + text).rstrip() for text in ran.stdout.splitlines()]
            answer += [("! " + text).rstrip() for text in ran.stderr.splitlines()]
            answer += [f"= {ran.returncode}"] if ran.returncode else []
        elif line.startswith("c ") and server.dead:
            answer = None
        elif line.startswith("c "):
            answer = server.ask(line[2:])
        if answer is None:
            print(f"{path}: no answer: {line}", file=sys.stderr)
        else:
            out += [line, *answer]
    server.end()
    open(path, "w").write("\n".join(out) + "\n")
