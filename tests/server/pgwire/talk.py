"""The same conversation with PostgreSQL and with a running server, as a client without a driver holds it."""

from __future__ import annotations

import socket
import struct
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from tests.server.pgwire.frames import TERMINATE, Message, error_fields, query, startup

Oid = Callable[[str], int]
"""The oid of a type (`int4`, `mood`) or, after `table `, of a relation, on whichever server is spoken to."""

Turn = Callable[[Oid], bytes] | bytes
"""What a client says before it waits for ReadyForQuery."""

_FIELD = struct.Struct(">IhIhih")
_TOLD = "SVCMDHPWstcdn"


class Talk:
    """One connection that has started up."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self._buffer = b""
        self._oids: dict[str, int] = {}
        self._names: dict[int, str] = {}
        self._socket.sendall(startup({"user": "headwater", "database": "headwater"}))
        hello = self.until("Z")
        (key,) = (body for kind, body in hello if kind == "K")
        self.pid, self.secret = struct.unpack(">II", key)

    def send(self, data: bytes) -> None:
        self._socket.sendall(data)

    def until(self, last: str) -> list[Message]:
        """Messages up to the first whose type is one of `last`."""
        heard: list[Message] = []
        while not heard or heard[-1][0] not in last:
            heard.append(self._message())
        return heard

    def abandon(self) -> None:
        """Closes without a word."""
        self._socket.close()

    def close(self) -> None:
        self._socket.sendall(TERMINATE)
        self._socket.close()

    def _message(self) -> Message:
        while len(self._buffer) < 5 or len(self._buffer) < 1 + struct.unpack_from(">i", self._buffer, 1)[0]:
            data = self._socket.recv(1 << 16)
            assert data, "the server closed the connection"
            self._buffer += data
        end = 1 + struct.unpack_from(">i", self._buffer, 1)[0]
        message = chr(self._buffer[0]), self._buffer[5:end]
        self._buffer = self._buffer[end:]
        return message

    def learn(self) -> None:
        """Asks for the oids that were given to what users created."""
        for sql in (
            "SELECT typname, oid FROM pg_type WHERE oid >= 16384",
            "SELECT 'table ' || relname, oid FROM pg_class WHERE oid >= 16384 AND relkind IN ('r', 'v', 'm')",
            "SELECT typname, oid FROM pg_type WHERE typname IN ('int4', 'int8', 'text', 'bool', 'numeric')",
        ):
            self.send(query(sql))
            for kind, body in self.until("Z"):
                if kind == "D":
                    size = struct.unpack_from(">i", body, 2)[0]
                    name, oid = body[6 : 6 + size].decode(), int(body[10 + size :])
                    self._oids[name] = oid
                    self._names[oid] = name

    def oid(self, name: str) -> int:
        return self._oids[name]

    def say(self, turn: Turn) -> list[str]:
        """What a turn is answered with, in words in which two servers can be compared."""
        self.send(turn if isinstance(turn, bytes) else turn(self.oid))
        return [self._told(message) for message in self.until("Z")]

    def _told(self, message: Message) -> str:
        kind, body = message
        match kind:
            case "T":
                return "T " + " ".join(self._columns(body))
            case "t":
                oids = struct.unpack_from(f">{len(body[2:]) // 4}I", body, 2)
                return "t " + " ".join(self._names.get(oid, str(oid)) for oid in oids)
            case "E" | "N":
                told = error_fields(body)
                return f"{kind} " + " ".join(f"{key}={told[key]}" for key in _TOLD if key in told)
            case _:
                return f"{kind} {body!r}"

    def _columns(self, body: bytes) -> Iterator[str]:
        at = 2
        for _ in range(struct.unpack_from(">h", body)[0]):
            end = body.index(b"\0", at)
            table, number, type_, size, modifier, format_ = _FIELD.unpack_from(body, end + 1)
            name, relation = body[at:end].decode(), self._names.get(table, str(table))
            yield f"{name}:{self._names.get(type_, type_)}:{size}:{modifier}:{format_}:{relation}.{number}"
            at = end + 1 + _FIELD.size


@contextmanager
def talking(port: int, setup: Sequence[str] = ()) -> Iterator[Talk]:
    """A conversation after `setup`'s statements; what they made is known by name."""
    talk = Talk(port)
    try:
        for sql in setup:
            heard = talk.say(query(sql))
            assert not any(each.startswith("E") for each in heard), heard
        if setup:
            talk.learn()
        yield talk
    finally:
        talk.close()
