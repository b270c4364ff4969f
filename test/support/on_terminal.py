"""Runs a command on a pseudo-terminal: `on_terminal.py COLUMNS COMMAND...`. Relays both directions, exits as the command did."""

import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios


def main():
    columns, command = int(sys.argv[1]), sys.argv[2:]
    pid, terminal = pty.fork()
    if pid == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        os.execvp(command[0], command)
    sources = [0, terminal]
    while True:
        ready, _, _ = select.select(sources, [], [])
        if 0 in ready:
            data = os.read(0, 65536)
            if data:
                os.write(terminal, data)
            else:
                sources.remove(0)
        if terminal in ready:
            try:
                data = os.read(terminal, 65536)
            except OSError:
                data = b""
            if not data:
                break
            os.write(1, data)
    _, status = os.waitpid(pid, 0)
    code = os.waitstatus_to_exitcode(status)
    if code < 0:
        # Ended by a signal: a shell would say 128 and some, which an exit code may be, too.
        signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    sys.exit(code)


main()
