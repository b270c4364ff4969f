"""Types lines into an interactive shell on a pseudo-terminal, a TAB after each, and prints what then stands there.

Reads {"command", "setup", "lines"} as JSON from standard input; prints a JSON list: per line the screen's text after
the TAB. The shell has said what it has to say when it waits for the next key: it woke up, has read all that was typed,
sleeps again, and has no child. So a busy machine changes nothing (without /proc, silence has to do instead).
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

READY = "shell-is-ready"
LONGEST = 60.0
# Silence, in seconds, that ends the text where there is no /proc.
QUIET = 1.0
TIOCGPTN = 0x80045430


def naps(pid):
    """How often the shell has gone to sleep."""
    with open(f"/proc/{pid}/status") as status:
        return int(re.search(r"^voluntary_ctxt_switches:\s*(\d+)", status.read(), re.MULTILINE)[1])


def waits_for_a_key(pid, keyboard):
    """Whether the shell edits a line, has read everything typed and sleeps, without a child it could be waiting for."""
    if termios.tcgetattr(keyboard)[3] & termios.ICANON:
        return False
    if struct.unpack("i", fcntl.ioctl(keyboard, termios.FIONREAD, b"\0" * 4))[0] > 0:
        return False
    if has_child(pid):
        return False
    with open(f"/proc/{pid}/stat") as stat:
        return stat.read().rsplit(") ", 1)[1][0] == "S"


def has_child(pid):
    return any(children(pid, thread) for thread in os.listdir(f"/proc/{pid}/task"))


def children(pid, thread):
    try:
        with open(f"/proc/{pid}/task/{thread}/children") as file:
            return file.read()
    except FileNotFoundError:
        # The thread has ended meanwhile.
        return ""


def main():
    task = json.load(sys.stdin)
    pid, terminal = pty.fork()
    if pid == 0:
        os.execvp(task["command"][0], task["command"])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 60, 160, 0, 0))

    knows = os.path.exists(f"/proc/{pid}/task/{pid}/children")
    if knows:
        number = struct.unpack("I", fcntl.ioctl(terminal, TIOCGPTN, b"\0" * 4))[0]
        keyboard = os.open(f"/dev/pts/{number}", os.O_RDWR | os.O_NOCTTY)

    slept = 0

    def read(until=None, echo="", asks=False):
        """What comes until it says `until`, or until the shell, woken by what was typed, waits for a key; where it `asks`
        the program, not before it has."""
        text, idle = "", 0
        asked = not (asks and knows)
        start = last = time.monotonic()
        while time.monotonic() - start < LONGEST:
            ready, _, _ = select.select([terminal], [], [], 0.003)
            now = time.monotonic()
            asked = asked or has_child(pid)
            if ready:
                text += os.read(terminal, 65536).decode("utf8", "replace")
                last, idle = now, 0
            elif until is None and asked and echo in plain(text):
                done = naps(pid) > slept and waits_for_a_key(pid, keyboard) if knows else now - last > QUIET
                # Seen twice, so that it is not between two steps of its work.
                idle = idle + 1 if done else 0
                if idle > 1:
                    return text
            if until is not None and until in text:
                return text
        raise TimeoutError(f"The shell did not come back. It said: {text!r}")

    def type_in(text):
        nonlocal slept
        slept = naps(pid) if knows else 0
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
