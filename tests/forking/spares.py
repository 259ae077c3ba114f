"""Processes that a forked server has ready, for the Python of ours that it is going to start.

A server starts its nursery and its replica as children of its own (`subprocess.Popen`). It has threads by then and
can't be forked any more, so they are forked before it runs, and wait. The first process that it starts of a module is
the one that waits; those after it are started truly. When the server goes, however it goes, those that still wait end.
"""

from __future__ import annotations

import os
import resource
import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.forking.becoming import MESSAGE_BYTES_MAX, Becoming, become

_STREAMS = 3
_spares: dict[str, tuple[int, socket.socket]] = {}
"""By module, the process that waits and where it is told."""


def keep_spares(modules: Sequence[str]) -> str | None:
    """Forks a process for each module. Returns None in this one, at once; in a process that waited, the module that it
    is to run, once it has been told; one that nobody needs ends here."""
    for module in modules:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        pid = os.fork()
        if not pid:
            ours.close()
            for _, other in _spares.values():
                other.close()
            _spares.clear()
            message, streams, _, _ = socket.recv_fds(theirs, MESSAGE_BYTES_MAX, _STREAMS)
            theirs.close()
            if not message:
                os._exit(0)
            told = Becoming.unpacked(message)
            become(told, streams)
            return told.module
        theirs.close()
        _spares[module] = pid, ours
    if modules:
        subprocess.Popen = _PopenOfSpares  # type: ignore[misc]
    return None


class _PopenOfSpares(subprocess.Popen[Any]):
    """Starts processes as its base class does, but for those that wait already.

    `_execute_child` is where the base class, with all pipes made, starts the process whose id it keeps from then on.
    """

    def _execute_child(self, args: Any, *rest: Any) -> None:
        names = (
            "executable preexec_fn close_fds pass_fds cwd env startupinfo creationflags shell p2cread p2cwrite c2pread "
            "c2pwrite errread errwrite restore_signals gid gids uid umask start_new_session process_group"
        )
        told = dict(zip(names.split(), rest, strict=True))
        module = args[3] if list(args[:3]) == [sys.executable, "-P", "-m"] else None
        if module not in _spares or told["pass_fds"] or told["preexec_fn"] is not None:
            super()._execute_child(args, *rest)  # type: ignore[misc]
            return
        self.pid, connection = _spares.pop(module)
        self._child_created = True
        becoming = Becoming(
            module,
            tuple(args[4:]),
            dict(os.environ if told["env"] is None else told["env"]),
            told["cwd"],
            _umask(),
            resource.getrlimit(resource.RLIMIT_STACK),
            told["start_new_session"],
        )
        ends = [told["p2cread"], told["c2pwrite"], told["errwrite"]]
        streams = [target if end == -1 else end for target, end in enumerate(ends)]
        with connection:
            socket.send_fds(connection, [becoming.packed()], streams)
        self._close_pipe_fds(*(told[name] for name in names.split()[9:15]))  # type: ignore[attr-defined]


def _umask() -> int:
    """This process's mask, which can only be asked for here without being changed for a moment."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1], 8) for line in lines if line.startswith("Umask:"))
