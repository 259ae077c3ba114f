"""The door at which tasks ask for secrets: a socket in a directory of this user alone.

Spark keeps its work in memory, and on disk when memory is short. A task therefore gets a ticket instead of a secret,
and asks for the ticket's secrets when it runs. Both sides prove that they have the door's key before anything is said.
A ticket is void once its task has ended.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from multiprocessing import AuthenticationError
from multiprocessing.connection import Client, Connection, Listener
from pathlib import Path

import msgspec

from model.ids.global_id import GlobalId
from model.time.clock import SystemRandomness


@dataclass(frozen=True, slots=True)
class Ticket:
    """The right of a task to ask for its secrets."""

    path: str
    key: bytes = field(repr=False)
    name: str = field(repr=False)


class SecretDoor:
    """A door that answers in a thread of its own, until closed."""

    def __init__(self, directory: Path) -> None:
        randomness = SystemRandomness()
        self._path = directory / f"door-{randomness.token()[:16]}"
        self._key = randomness.token().encode()
        self._randomness = randomness
        self._open: dict[str, Mapping[GlobalId, str]] = {}
        self._listener = Listener(str(self._path), "AF_UNIX", authkey=self._key)
        self._path.chmod(0o600)
        threading.Thread(target=self._answer, name="secrets of tasks", daemon=True).start()

    @contextlib.contextmanager
    def ticket(self, secrets: Mapping[GlobalId, str]) -> Iterator[Ticket]:
        """Provides a ticket for as long as the task is under way."""
        name = self._randomness.token()
        self._open[name] = secrets
        try:
            yield Ticket(str(self._path), self._key, name)
        finally:
            del self._open[name]

    def _answer(self) -> None:
        while True:
            # Whoever has not the key, or goes away, is not heard.
            with contextlib.suppress(AuthenticationError, OSError, EOFError), self._listener.accept() as asking:
                secrets = self._open.get(asking.recv_bytes(1024).decode(errors="replace"), {})
                asking.send_bytes(msgspec.json.encode({str(id_): value for id_, value in secrets.items()}))


def redeemed(ticket: Ticket) -> Mapping[GlobalId, str]:
    """Returns the secrets of a ticket; none once the task has ended. Raises OSError when the door can't be reached."""
    asking: Connection
    with Client(ticket.path, "AF_UNIX", authkey=ticket.key) as asking:
        asking.send_bytes(ticket.name.encode())
        told = msgspec.json.decode(asking.recv_bytes(), type=dict[str, str])
    return {GlobalId.parse(id_): value for id_, value in told.items()}
