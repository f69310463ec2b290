"""Programs in forks of one process that has the large libraries loaded: most of a start is loading them.

The folder of `Forks` has two commands, ``cpmines``, and ``run``, which takes a program as ``python -c``
does. Each is a small program that passes its arguments, folder, environment and standard streams to the
server, and ends as the fork does.
What is tested of a process itself (signals, what is imported) is tested on one that was started.
"""

from __future__ import annotations

import atexit
import gc
import marshal
import os
import select
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from tempfile import mkdtemp

__all__ = ["Forks"]

LOADED = (
    *("numpy", "ortools.sat.python.cp_model", "pysat.solvers", "rich.console", "rich.table"),
    *("cpmines.cli", "cpmines.compare", "cpmines.registry"),
)
COMMANDS = {"cpmines": '"from cpmines.__main__ import main; main()"', "run": "sys.argv.pop(1)"}

CLIENT = """#!{python} -IS
import marshal, os, signal, socket, sys
text = {text}
with socket.socket(socket.AF_UNIX) as server:
    server.connect({address!r})
    said = marshal.dumps((text, sys.argv, os.getcwd(), dict(os.environ)))
    socket.send_fds(server, [len(said).to_bytes(8, "big")], [0, 1, 2])
    server.sendall(said)
    for descriptor in (0, 1, 2):
        os.close(descriptor)
    code = int(server.recv(99) or b"70")
if code < 0:
    signal.signal(-code, signal.SIG_DFL)
    os.kill(os.getpid(), -code)
os._exit(code)
"""


class Forks:
    """A server, and the folder with the commands that use it."""

    def __init__(self) -> None:
        self.folder = Path(mkdtemp())
        address = str(self.folder / "socket")
        self.process = subprocess.Popen(
            [sys.executable, __file__, address], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert self.process.stdout is not None
        self.process.stdout.readline()
        for name, text in COMMANDS.items():
            path = self.folder / name
            path.write_text(CLIENT.format(python=sys.executable, text=text, address=address))
            path.chmod(0o755)

    def program(self, text: str, *words: str) -> list[str]:
        """The command that takes the place of ``python -c``."""
        return [str(self.folder / "run"), text, *words]

    def end(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()
        for path in self.folder.iterdir():
            path.unlink()
        self.folder.rmdir()


def serve(address: str) -> None:
    """Fork for each client, until standard input ends."""
    for name in LOADED:
        import_module(name)
    gc.freeze()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(address)
        listener.listen(64)
        print(flush=True)
        while sys.stdin not in select.select([listener, sys.stdin], [], [])[0]:
            client, _ = listener.accept()
            if os.fork() == 0:
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                listener.close()
                answer(client)
                return
            client.close()


def answer(client: socket.socket) -> None:
    """Become the program of a client; a process between it and the server tells how it ended."""
    size, descriptors, _, _ = socket.recv_fds(client, 8, 3)
    said = bytearray()
    while len(said) < int.from_bytes(size, "big"):
        said += client.recv(1 << 20)
    text, words, folder, environment = marshal.loads(said)
    for place, descriptor in enumerate(descriptors):
        os.dup2(descriptor, place)
        os.close(descriptor)
    if program := os.fork():
        _, status = os.waitpid(program, 0)
        with suppress(OSError):
            client.sendall(str(os.waitstatus_to_exitcode(status)).encode())
        os._exit(0)
    client.close()
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.path[:] = [*filter(None, environment.get("PYTHONPATH", "").split(os.pathsep)), *sys.path[1:]]
    sys.argv = words
    run(text)


def run(text: str) -> None:
    """Run a program to its end, without taking apart what is loaded: that takes longer than all the rest."""
    code, killed = 0, False
    try:
        exec(compile(text, "<string>", "exec"), {"__name__": "__main__"})
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
    except BaseException as error:
        sys.excepthook(type(error), error, error.__traceback__)
        code, killed = 1, isinstance(error, KeyboardInterrupt)
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, OSError, ValueError):
            stream.flush()
    if killed:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)
    os._exit(code)


if __name__ == "__main__":
    serve(sys.argv[1])
