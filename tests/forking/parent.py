"""`python -m tests.forking.parent`: has imported all that servers, nurseries and replicas need, and forks them.

It has one thread. Each order is a byte over its standard input, which is a socket, with four descriptors: a connection,
and the streams of the process that is to be. The process is told over the connection what it is to become; who ordered
it hears there its process id, and its exit status once it has ended. When the standard input closes, so does this.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import selectors
import socket
import sys
from dataclasses import dataclass

from model.process.collecting import set_aside
from planner.syntax.parse import prepare_parsing
from tests.forking.becoming import MESSAGE_BYTES_MAX, Becoming, become, run
from tests.forking.spares import keep_spares

NUMBER_BYTES = 8
_DESCRIPTORS = 4
_MODULES = (
    "server.start.serve",
    "server.options",
    "server.evaluation.worker",
    "compute.replica.process.main",
    "compute.render",
)


@dataclass(frozen=True, slots=True)
class _Child:
    pid: int
    pidfd: int
    connection: socket.socket


@dataclass(frozen=True, slots=True)
class _Forked:
    """What a process knows that was just forked."""

    connection: socket.socket
    streams: list[int]


def _import_all() -> None:
    """Imports what these processes import when they start, and soon after."""
    for each in _MODULES:
        importlib.import_module(each)
    prepare_parsing()


def main() -> None:
    """Forks until there is nobody to order it; in a process that was forked, runs what that is to be."""
    _import_all()
    set_aside()
    assert len(os.listdir("/proc/self/task")) == 1, "what has threads can't be forked"
    forked = _fork_as_ordered(socket.socket(fileno=os.dup(sys.stdin.fileno())))
    if forked is None:
        return
    told = Becoming.unpacked(forked.connection.recv(MESSAGE_BYTES_MAX))
    forked.connection.close()
    become(told, forked.streams)
    module = keep_spares(told.spares) or told.module
    run(module)


def _fork_as_ordered(orders: socket.socket) -> _Forked | None:
    """Returns in each process that it forks, and None in this one once the orders have ended."""
    children: dict[int, _Child] = {}
    with selectors.DefaultSelector() as selector:
        selector.register(orders, selectors.EVENT_READ)
        while True:
            for key, _ in selector.select():
                if key.fd in children:
                    selector.unregister(key.fd)
                    _tell_end(children.pop(key.fd))
                    continue
                data, descriptors, _, _ = socket.recv_fds(orders, 1, _DESCRIPTORS)
                if not data:
                    return None
                connection, streams = socket.socket(fileno=descriptors[0]), descriptors[1:]
                pid = os.fork()
                if not pid:
                    orders.close()
                    for child in children.values():
                        child.connection.close()
                        os.close(child.pidfd)
                    return _Forked(connection, streams)
                for stream in streams:
                    os.close(stream)
                child = _Child(pid, os.pidfd_open(pid), connection)
                children[child.pidfd] = child
                selector.register(child.pidfd, selectors.EVENT_READ)
                # The process reads from the other end; what is written here reaches who ordered it.
                _tell(connection, pid)


def _tell_end(child: _Child) -> None:
    _, status = os.waitpid(child.pid, 0)
    os.close(child.pidfd)
    _tell(child.connection, os.waitstatus_to_exitcode(status))
    child.connection.close()


def _tell(connection: socket.socket, number: int) -> None:
    with contextlib.suppress(OSError):  # nobody wants to know any longer
        connection.send(number.to_bytes(NUMBER_BYTES, signed=True))


if __name__ == "__main__":
    main()
