"""The door at which tasks ask for the keys of blob, where their machines have none of their own.

    owner: ticket (address, a random key) ─▶ in the task, through Spark ─▶ executor: connects
    owner: ◀─ whoever connects is sent the keys, encrypted with the ticket's ─▶ executor: opens blob

So no key of blob lies in a job, in an environment or in a log, and who has no ticket learns nothing. A ticket is worth
what Spark's own connections keep of it, and nothing once the door is closed. Whoever connects need not say anything,
and is not waited for.
"""

from __future__ import annotations

import contextlib
import os
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass, field

import msgspec
import structlog
from cryptography.fernet import Fernet, InvalidToken

from storage.persist.location import BlobAccess

_PATIENCE_S = 10.0
_BYTES_MAX = 1 << 16
_log = structlog.get_logger("arrangements")


@dataclass(frozen=True, slots=True)
class KeyTicket:
    """The right to be told the keys at a door."""

    host: str
    port: int
    key: bytes = field(repr=False)


class KeyDoor:
    """A door that answers in a thread of its own, until closed. `access` returns the keys, as they are now. Raises
    OSError without a port."""

    def __init__(self, access: Callable[[], BlobAccess | None]) -> None:
        self._access = access
        # Spark's executors find the driver by the same address.
        self._listening = socket.create_server((os.environ.get("SPARK_LOCAL_IP", "127.0.0.1"), 0))
        host, port, *_ = self._listening.getsockname()
        self.ticket = KeyTicket(host, port, Fernet.generate_key())
        threading.Thread(target=self._answer, name="keys of blob", daemon=True).start()

    def close(self) -> None:
        """Closes the door."""
        # A thread that waits for connections is not told of the end by `close` alone.
        with contextlib.suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()

    def _answer(self) -> None:
        seal = Fernet(self.ticket.key)
        while True:
            try:
                asking, _ = self._listening.accept()
            except OSError:
                return
            with contextlib.suppress(OSError), asking:
                asking.settimeout(_PATIENCE_S)
                asking.sendall(seal.encrypt(msgspec.msgpack.encode(self._access())))


def told_access(ticket: KeyTicket) -> BlobAccess | None:
    """Returns the keys that the ticket is for; None where there are none, or the door can't be reached: then a process
    has to do with its own."""
    try:
        with socket.create_connection((ticket.host, ticket.port), timeout=_PATIENCE_S) as asking:
            told = b"".join(iter(lambda: asking.recv(_BYTES_MAX), b""))
        return msgspec.msgpack.decode(Fernet(ticket.key).decrypt(told), type=BlobAccess | None)
    except (OSError, InvalidToken, msgspec.DecodeError) as error:
        _log.warning("the keys of blob are not told", reason=f"{type(error).__name__}: {error}")
        return None
