"""Runs a command on a pseudo-terminal and acts on it like a person, by a JSON object in the first line of standard input.

  command   words
  env       the whole environment: Python would add to its own
  streams   what its standard input, output and error are: tty (default), pipe or closed
  steps     each waits until `after` (a regular expression) was seen in what came since the step before. Then it sends
            `send` to the terminal, or notes the terminal's modes (`look`), and a line on standard error says so

Prints a JSON object: code (as a shell reports it: 128 and the number of a signal), tty, stdout and stderr as text, left (steps that never came), modes
(before, of every look, and after).
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


def modes(terminal):
    flags = termios.tcgetattr(terminal)[3]
    return {"echo": bool(flags & termios.ECHO), "lines": bool(flags & termios.ICANON), "signals": bool(flags & termios.ISIG)}


def child(command, env, terminal, ends):
    os.setsid()
    fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)
    for number, end in enumerate(ends):
        if end is None:
            os.close(number)
        else:
            os.dup2(end, number)
    os.closerange(3, 256)
    os.execvpe(command[0], command, env)


def main():
    spec = json.loads(sys.stdin.buffer.raw.readline())
    master, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 80, 0, 0))
    before = modes(terminal)
    ends, readers, ours = [], {master: "tty"}, []
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        kind = spec.get("streams", {}).get(name, "tty")
        if kind == "pipe":
            # A piped standard input is at its end at once.
            reader, writer = os.pipe()
            ends.append(reader if number == 0 else writer)
            if number == 0:
                os.close(writer)
            else:
                readers[reader] = name
            ours.append(ends[-1])
        else:
            ends.append(None if kind == "closed" else terminal)
    # Numbers below 3 would be overwritten while they are handed over.
    ends = [end if end is None else fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in ends]
    pid = os.fork()
    if pid == 0:
        child(spec["command"], spec["env"], terminal, ends)
    for end in ours + [end for end in ends if end is not None]:
        os.close(end)

    texts = {"tty": b"", "stdout": b"", "stderr": b""}
    looks, seen = [], 0
    steps, status, after = list(spec.get("steps", [])), None, None
    # What the command wrote last is read when nobody has the terminal open any more.
    while readers:
        ready, _, _ = select.select(list(readers), [], [], 0.005)
        for fd in ready:
            name = readers[fd]
            try:
                data = os.read(fd, 65536)
            except OSError:
                data = b""
            if not data:
                del readers[fd]
                os.close(fd)
                continue
            texts[name] += data
        if steps and status is None:
            step = steps[0]
            shown = re.search(step["after"], texts["tty"][seen:].decode("utf-8", "replace"))
            if shown:
                steps.pop(0)
                seen = len(texts["tty"])
                if step.get("look"):
                    looks.append(modes(terminal))
                if "send" in step:
                    os.write(master, step["send"].encode())
                print("step", file=sys.stderr, flush=True)
        if status is None:
            done, raw = os.waitpid(pid, os.WNOHANG)
            if done:
                status, after = raw, modes(terminal)
                os.close(terminal)
    print(json.dumps({
        "code": 128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.waitstatus_to_exitcode(status),
        **{name: text.decode("utf-8", "replace") for name, text in texts.items()},
        "left": len(steps),
        "modes": {"before": before, "looks": looks, "after": after},
    }))


main()
