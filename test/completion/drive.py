"""Types lines into an interactive shell on a pseudo-terminal, a TAB after each, and prints what then stands there.

Reads {"command", "setup", "lines"} as JSON from standard input; prints a JSON list: per line the screen's text after
the TAB, and the milliseconds until something appeared. What a busy machine says late is cut off: callers try again.
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
import time

# Silence from the start after which nothing is offered: a machine may be busy.
NOTHING = 4.0
READY = "shell-is-ready"
LONGEST = 15.0
# Silence after which a shell has said what it has to say.
QUIET = 0.25
# The same where nothing but an echo is due.
ECHO = 0.06


def main():
    task = json.load(sys.stdin)
    pid, terminal = pty.fork()
    if pid == 0:
        os.execvp(task["command"][0], task["command"])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 60, 160, 0, 0))

    def read(until=None, quiet=QUIET):
        """What comes until it says `until`, or is quiet again after it said something."""
        text, first, start = "", None, time.monotonic()
        last = start
        while time.monotonic() - start < LONGEST:
            ready, _, _ = select.select([terminal], [], [], 0.002)
            now = time.monotonic()
            if ready:
                text += os.read(terminal, 65536).decode("utf8", "replace")
                first = first or now
                last = now
            elif until is None and now - last > (quiet if first else NOTHING):
                break
            if until is not None and until in text:
                break
        return text, ((first or last) - start) * 1000

    def type_in(text):
        os.write(terminal, text.encode())

    # The word is split, so that the echo of the command does not look like its output.
    type_in(task["setup"] + f"; echo {READY[:5]}''{READY[5:]}\n")
    read(until=READY)
    read()
    results = []
    for line in task["lines"]:
        type_in(line)
        read(quiet=ECHO)
        type_in("\t")
        text, millis = read()
        results.append({"text": plain(text), "millis": millis})
        type_in("\x15\x03")
        read(quiet=ECHO)
    print(json.dumps(results))
    os.close(terminal)


def plain(text):
    return re.sub(r"\x1b(\[[0-9;?]*[a-zA-Z]|[=>]|\][^\x07]*\x07)", "", text)


main()
