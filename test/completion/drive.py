"""Types lines into an interactive shell on a pseudo-terminal, a TAB after each, and prints what then stands there.

Reads {"command", "setup", "lines"} as JSON from standard input; prints a JSON list: per line the screen's text after
the TAB. The shell has said what it has to say when it waits for the next key: it woke up, has read all that was typed,
sleeps again, and has no child. So a busy machine changes nothing. Needs /proc.
"""

import fcntl
import json
import os
import pty
import re
import select
import struct
import sys
import termios

READY = "shell-is-ready"
TIOCGPTN = 0x80045430


def has_child(pid):
    for thread in os.listdir(f"/proc/{pid}/task"):
        try:
            with open(f"/proc/{pid}/task/{thread}/children") as file:
                if file.read():
                    return True
        except FileNotFoundError:
            # The thread has ended meanwhile.
            pass
    return False


def main():
    task = json.load(sys.stdin)
    pid, terminal = pty.fork()
    if pid == 0:
        os.execvp(task["command"][0], task["command"])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 60, 160, 0, 0))
    number = struct.unpack("I", fcntl.ioctl(terminal, TIOCGPTN, b"\0" * 4))[0]
    keyboard = os.open(f"/dev/pts/{number}", os.O_RDWR | os.O_NOCTTY)
    slept = 0

    def naps():
        """How often the shell has gone to sleep."""
        with open(f"/proc/{pid}/status") as status:
            return int(re.search(r"^voluntary_ctxt_switches:\s*(\d+)", status.read(), re.MULTILINE)[1])

    def waits_for_a_key():
        """Whether the shell edits a line, has read everything typed and sleeps, with no child to wait for."""
        edits = not termios.tcgetattr(keyboard)[3] & termios.ICANON
        unread = struct.unpack("i", fcntl.ioctl(keyboard, termios.FIONREAD, b"\0" * 4))[0]
        with open(f"/proc/{pid}/stat") as stat:
            sleeps = stat.read().rsplit(") ", 1)[1][0] == "S"
        return edits and unread == 0 and sleeps and naps() > slept and not has_child(pid)

    def read(until=None, echo="", asks=False):
        """What comes until it says `until`, or until the shell waits for a key; if it `asks` the program, not before."""
        text, idle, asked = "", 0, not asks
        while until is None or until not in text:
            asked = asked or has_child(pid)
            if select.select([terminal], [], [], 0.003)[0]:
                text += os.read(terminal, 65536).decode("utf8", "replace")
                idle = 0
            elif until is None and asked and echo in plain(text):
                # Seen twice, so that it is not between two steps of its work.
                idle = idle + 1 if waits_for_a_key() else 0
                if idle > 1:
                    break
        return text

    def type_in(text):
        nonlocal slept
        slept = naps()
        os.write(terminal, text.encode())

    # The word is split, so that the echo of the command does not look like its output.
    type_in(task["setup"] + f"; echo {READY[:5]}''{READY[5:]}\n")
    read(until=READY)
    read()
    results = []
    for line in task["lines"]:
        type_in(line)
        read(echo=line.strip()[-3:])
        type_in("\t")
        results.append(plain(read(asks=True)))
        for key in "\x15\x03":
            type_in(key)
            read()
    print(json.dumps(results))
    os.close(terminal)


def plain(text):
    return re.sub(r"\x1b(\[[0-9;?]*[a-zA-Z]|[=>]|\][^\x07]*\x07)", "", text)


main()
