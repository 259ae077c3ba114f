"""LISTEN and NOTIFY: who listens on which channel, and what waits to be told.

A transaction's notes become everybody's when it commits, in the order of commits, each once for a transaction; so does
the beginning of listening. A session is told between its transactions. Nothing of this is kept: a server that ends
takes the listeners with it.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from server.pgwire.backend import Client
from server.pgwire.messages import NotificationResponse

_CHANNEL_BYTES_MAX = 63
_PAYLOAD_BYTES_MAX = 7_999
_NOTE_BYTES = 100
"""The memory that a note takes beside its texts."""
_TRANSACTION_BYTES_MAX = 16 << 20
_WAITING_BYTES_MAX = 4 << 20
_AT_ONCE = 250


@dataclass(frozen=True, slots=True)
class Note:
    """A message on a channel."""

    channel: str
    payload: str

    @property
    def bytes(self) -> int:
        return _NOTE_BYTES + len(self.channel) + len(self.payload)


@dataclass(frozen=True, slots=True)
class ListeningChange:
    """The beginning or the end of listening on a channel; None: on all channels."""

    channel: str | None
    begins: bool


def checked_note(channel: str, payload: str) -> Note:
    """Returns a note. Raises SqlError 22023 for an impossible channel, and for a payload that is too long."""
    if not channel:
        raise SqlError(Sqlstate.INVALID_PARAMETER_VALUE, "channel name cannot be empty")
    if len(channel.encode()) > _CHANNEL_BYTES_MAX:
        raise SqlError(Sqlstate.INVALID_PARAMETER_VALUE, "channel name too long")
    if len(payload.encode()) > _PAYLOAD_BYTES_MAX:
        raise SqlError(Sqlstate.INVALID_PARAMETER_VALUE, "payload string too long")
    return Note(channel, payload)


class PendingNotes:
    """The notes and changes of listening of a transaction that has not committed."""

    __slots__ = ("_bytes", "changes", "notes")

    def __init__(self) -> None:
        self.notes: dict[Note, None] = {}
        self.changes: list[ListeningChange] = []
        self._bytes = 0

    @property
    def place(self) -> tuple[int, int]:
        """Returns the present end, for a savepoint."""
        return len(self.notes), len(self.changes)

    def add(self, note: Note) -> None:
        """Adds a note, which counts once. Raises SqlError 54000 when the transaction has too many."""
        if note in self.notes:
            return
        if self._bytes + note.bytes > _TRANSACTION_BYTES_MAX:
            raise _too_many(f"The notifications of a transaction have {_TRANSACTION_BYTES_MAX} bytes at most.")
        self._bytes += note.bytes
        self.notes[note] = None

    def cut(self, place: tuple[int, int]) -> None:
        """Forgets everything behind a savepoint."""
        while len(self.notes) > place[0]:
            self._bytes -= self.notes.popitem()[0].bytes
        del self.changes[place[1] :]


class Listener:
    """A session that may listen. `ready` tells whether its client may be told now."""

    def __init__(self, client: Client, ready: Callable[[], bool]) -> None:
        self._client = client
        self._ready = ready
        self.channels: dict[str, None] = {}
        self._waiting: deque[tuple[int, Note]] = deque()
        self._waiting_bytes = 0
        self._unread_bytes = 0
        self._ended = False

    def hear(self, sender: int, note: Note) -> None:
        """Takes a note of the session with the pid `sender`. The client's connection ends when too many wait."""
        if self._ended:
            return
        self._waiting.append((sender, note))
        self._waiting_bytes += note.bytes
        self.tell()
        if self._waiting_bytes > _WAITING_BYTES_MAX:
            self._end()

    def tell(self) -> None:
        """Tells the client everything that waits, unless the client is in a transaction."""
        if not self._waiting or not self._ready():
            return
        # What a client does not read lies in the connection's buffer.
        self._unread_bytes = 0 if self._client.taking else self._unread_bytes + self._waiting_bytes
        for sender, note in self._taken():
            # It may have ceased to listen in the transaction that kept the note waiting.
            if note.channel in self.channels:
                self._client.notify(NotificationResponse(sender, note.channel, note.payload))
        if self._unread_bytes > _WAITING_BYTES_MAX:
            self._end()

    def _taken(self) -> Iterator[tuple[int, Note]]:
        while self._waiting:
            yield self._waiting.popleft()
        self._waiting_bytes = 0

    def _end(self) -> None:
        self._ended = True
        self._waiting.clear()
        self._waiting_bytes = 0
        self._client.terminate(
            _too_many(f"A session that does not read them holds {_WAITING_BYTES_MAX} bytes at most.")
        )


class Listeners:
    """All listeners, by channel."""

    def __init__(self) -> None:
        self._listeners: dict[str, dict[Listener, None]] = {}
        self._turn = asyncio.Lock()
        self._under_way: set[asyncio.Task[None]] = set()

    async def publish(self, sender: int, own: Listener, pending: PendingNotes) -> None:
        """Makes a committed transaction's notes and changes those of everybody; goes on when the caller is cancelled.
        `sender` is the pid of the session, `own` its listener."""
        for change in pending.changes:
            self._change(own, change)
        if any(note.channel in self._listeners for note in pending.notes):
            task = asyncio.create_task(self._tell(sender, pending.notes), name="notify")
            self._under_way.add(task)
            task.add_done_callback(self._under_way.discard)
            await asyncio.shield(task)

    async def _tell(self, sender: int, notes: dict[Note, None]) -> None:
        told = 0
        # One transaction after the other, in the order in which they have committed.
        async with self._turn:
            for note in notes:
                for listener in tuple(self._listeners.get(note.channel, ())):
                    listener.hear(sender, note)
                    told += 1
                    if told % _AT_ONCE == 0:
                        await asyncio.sleep(0)

    def forget(self, listener: Listener) -> None:
        """Ends all listening of a session."""
        self._change(listener, ListeningChange(None, begins=False))

    def _change(self, listener: Listener, change: ListeningChange) -> None:
        if change.begins:
            assert change.channel is not None, "nobody listens on all channels"
            listener.channels[change.channel] = None
            self._listeners.setdefault(change.channel, {})[listener] = None
            return
        for channel in (change.channel,) if change.channel is not None else tuple(listener.channels):
            if channel in listener.channels:
                del listener.channels[channel]
                del self._listeners[channel][listener]
                if not self._listeners[channel]:
                    del self._listeners[channel]


def _too_many(detail: str) -> SqlError:
    return SqlError(Sqlstate.PROGRAM_LIMIT_EXCEEDED, "too many notifications", detail=detail)
