"""The process that forks workers. The nursery imports every module that an evaluation may need, so a fork takes
milliseconds.

The nursery has one thread, and no state but its children. Orders arrive over standard input, a socket: a worker's
number with the worker's end of a connection starts a worker, a number alone ends a worker at once. When the environment
ends in any way, the socket closes, and the nursery ends its workers and itself.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import sys

from model.errors.deep_recursion import allow_deep_recursion
from model.process.collecting import set_aside
from server.evaluation import worker

ORDER_BYTES = 8


def main() -> None:
    """Serves until the socket closes."""
    allow_deep_recursion()
    orders = socket.socket(fileno=os.dup(sys.stdin.fileno()))
    children: dict[int, int] = {}
    # What is there now stays as it is: collections would copy the pages that children share.
    set_aside()
    try:
        while True:
            data, descriptors, _, _ = socket.recv_fds(orders, ORDER_BYTES, 1)
            if len(data) < ORDER_BYTES:
                break
            _reap(children)
            number = int.from_bytes(data)
            if descriptors:
                children[number] = _forked(orders, socket.socket(fileno=descriptors[0]))
            elif number in children:
                _end(children.pop(number))
    finally:
        for pid in children.values():
            _end(pid)


def _forked(orders: socket.socket, connection: socket.socket) -> int:
    pid = os.fork()
    if pid:
        connection.close()
        return pid
    try:
        orders.close()
        worker.serve(connection)
    finally:
        os._exit(0)


def _reap(children: dict[int, int]) -> None:
    """Forgets children that have ended by themselves, since their process ids may be reused."""
    for number, pid in list(children.items()):
        if os.waitpid(pid, os.WNOHANG)[0]:
            del children[number]


def _end(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, 0)


if __name__ == "__main__":
    main()
