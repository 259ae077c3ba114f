"""Writes hashes or a stream of a Redis server. Documents and checkpoint change in one transaction of the server.

    headwater_checkpoints    a row a split of a sink, as JSON: whose it is, which session opened it last, how far it is
    t:<key>                  a document, a hash
    t                        changes, a stream

The server has no rollback. So everything that might be refused is checked before, the documents wait on this side until
all of them are known, and every step of the transaction checks that the row is as the session left it. A session that
was replaced by another thus changes nothing. Where a step fails after all, the row records that, and everything is
written anew.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

import pyarrow as pa
import pyarrow.compute as pc
import redis

from connectors.redis.keys import RedisKeys
from connectors.redis.pieces import (
    APPLY,
    BEHIND_NAME,
    EMPTIED,
    HASHES,
    MOVE,
    STREAM,
    document_fields,
    field_names,
    field_reader,
    hash_keys,
    pieces,
)
from connectors.redis.redis_connections import FAILURES, RedisSession, reason_of
from connectors.sinks.description import SinkDescription
from connectors.sinks.documents import duplicate_key
from connectors.sinks.fences import (
    CHECKPOINTS,
    SplitCheckpoint,
    fenced_off,
    is_part,
    not_as_expected,
    not_empty,
    opened_at,
    overlap,
)
from connectors.sinks.messages import DELETED, EXISTS, KeyRange, Open
from connectors.sinks.table_driver import TableDriver
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.physical.columns import column_name, rows_to_arrow
from model.time.timestamp import Timestamp

_VERSION_MIN = 7
_ATTEMPTS = 100
_SCANNED, _LOADED = 1_000, 1_000
_IN_MEMORY = 16 << 20
_LENGTH_BYTES = 8
_GLOB = re.compile(r"([*?\[\]\\^-])")


class RedisDriver(TableDriver):
    """A session with one Redis server. `token` is unique to the session."""

    failures = FAILURES

    def __init__(self, place: RedisKeys, token: str, directory: Path) -> None:
        super().__init__()
        self._place = place
        self._token = token
        self._directory = directory
        self._connected: RedisSession | None = None
        self._row = b""
        self._waiting: IO[bytes] | None = None
        self._apply = self._move = b""

    def abort(self) -> None:
        if self._connected is not None:
            self._connected.abort()

    def close(self) -> None:
        session, self._connected = self._connected, None
        if session is not None:
            session.close()
        if self._waiting is not None:
            self._waiting.close()

    @property
    def _session(self) -> RedisSession:
        assert self._connected is not None, "it is open"
        return self._connected

    @property
    def _own_field(self) -> str:
        return f"{self.written.name} {self.own.keys.begin}-{self.own.keys.end}"

    # Opening

    def open(self, request: Open) -> None:
        self._connected = session = RedisSession({**dict(self._place.settings), **request.secrets})
        self._require_server()
        self._apply, self._move = session.ask_all([("SCRIPT", "LOAD", APPLY), ("SCRIPT", "LOAD", MOVE)])
        if self._place.target == CHECKPOINTS:
            raise not_as_expected(CHECKPOINTS, "it tells how far sinks are")
        if request.sink.key is None:
            self._require_stream()
        for _ in range(_ATTEMPTS):
            session.ask("WATCH", CHECKPOINTS)
            changed, gone = self._taken_over(request, session.ask("HGETALL", CHECKPOINTS))
            session.ask("MULTI")
            session.ask("HSET", CHECKPOINTS, *changed)
            if gone:
                session.ask("HDEL", CHECKPOINTS, *gone)
            if session.ask("EXEC") is not None:
                return
        message = f'Redis keys "{self._place.target}": other sinks commit without a pause'
        raise SqlError(Sqlstate.CONNECTION_FAILURE, message)

    def _require_server(self) -> None:
        """Raises 0A000 for a server whose transactions do not suffice: too old, a cluster, or one that evicts keys."""
        said = dict(line.split(":", 1) for line in self._session.ask("INFO").decode().splitlines() if ":" in line)
        policy = said.get("maxmemory_policy", "")
        why = hint = None
        if int(said.get("redis_version", "0").split(".")[0]) < _VERSION_MIN:
            why = f"it is older than Redis {_VERSION_MIN}"
        elif said.get("cluster_enabled") == "1":
            why = "it is of a cluster, whose transactions have the keys of one slot"
        elif policy.startswith("allkeys-"):
            why = f"its maxmemory-policy is {policy}, by which it drops documents when its memory is full"
            hint = "noeviction, and the policies that begin with volatile-, drop none."
        if why is not None:
            message = f"this server can't be written to by a sink: {why}"
            raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, message, hint=hint)

    def _require_stream(self) -> None:
        kind = self._session.ask("TYPE", self._place.target).decode()
        if kind not in ("none", "stream"):
            raise not_as_expected(self._place.target, f"it is a {kind}, and not a stream")

    def _taken_over(self, request: Open, found: list[bytes]) -> tuple[list[str | bytes], list[bytes]]:
        """Returns the fields and values of the checkpoints to write, which take the sink over from other sessions,
        and the fields to delete."""
        name, target = request.sink.name, self._place.target
        known: dict[bytes, Mapping[str, Any]] = dict(zip(found[::2], map(json.loads, found[1::2]), strict=True))
        mine = {field: row for field, row in known.items() if row["sink"] == name}
        for field, row in known.items():
            if field not in mine and _overlap(row["target"], target):
                raise _another_sinks(row, field.decode())
        splits = [SplitCheckpoint(_keys(row), 0, Timestamp(row["frontier"])) for row in mine.values()]
        self.own = opened_at(request.keys, splits)
        if request.anew or any(row["target"] != target for row in mine.values()):
            self.own = replace(self.own, frontier=Timestamp(0))
        # A sink that has a row has found nothing there before.
        if not mine and request.frontier == 0 and not request.anew and not self._empty(request.sink):
            raise not_empty(target)
        changed: list[str | bytes] = []
        gone = [field for field, row in mine.items() if is_part(_keys(row), request.keys)]
        for field, row in mine.items():
            keys = _keys(row)
            if field not in gone and keys != request.keys and overlap(keys, request.keys):
                changed += [field, json.dumps({**row, "session": self._token})]
        self._row = self._at(self.own.frontier, self._token)
        return [*changed, self._own_field, self._row], gone

    def _at(self, frontier: Timestamp, session: str) -> bytes:
        """Returns the checkpoint of the session's split, at a frontier."""
        keys = [self.own.keys.begin, self.own.keys.end]
        row = {"sink": self.written.name, "target": self._place.target, "keys": keys}
        return json.dumps({**row, "session": session, "frontier": frontier}).encode()

    def _empty(self, sink: SinkDescription) -> bool:
        """Tells whether the destination has no documents yet."""
        if sink.key is None:
            return not self._session.ask("EXISTS", self._place.target)
        return not any(self._scanned())

    def _scanned(self) -> Iterator[list[bytes]]:
        """Yields the names of all documents; a name may occur twice."""
        pattern = _GLOB.sub(r"\\\1", f"{self._place.target}{BEHIND_NAME}") + "*"
        cursor = b"0"
        while True:
            cursor, names = self._session.ask("SCAN", cursor, "MATCH", pattern, "COUNT", _SCANNED)
            if names:
                yield names
            if cursor == b"0":
                return

    # Transactions

    def load(self, keys: pa.Table) -> pa.Table:
        desc = self.written.documents
        readers = [field_reader(type_) for type_ in desc.types]
        names = hash_keys(self._place.target, self.written, keys.columns).to_pylist()
        rows = []
        for start in range(0, len(names), _LOADED):
            asked = [("HMGET", name, *desc.names) for name in names[start : start + _LOADED]]
            for values in self._session.ask_all(asked):
                if any(value is not None for value in values):
                    rows.append([None if v is None else read(v) for v, read in zip(values, readers, strict=True)])
        return rows_to_arrow(map(tuple, rows), desc)

    def store(self, documents: pa.Table) -> None:
        waiting, sink = self._begun(), self.written
        if sink.key is None:
            self._put(waiting, STREAM, field_names(sink), document_fields(documents, sink))
            return
        names = hash_keys(self._place.target, sink, [documents.column(column_name(place)) for place in sink.key])
        deleted = documents.column(DELETED).combine_chunks()
        if not self.replaces:
            self._put(waiting, HASHES, [""], [names.filter(deleted)])
        come, come_names = documents.filter(pc.invert(deleted)), names.filter(pc.invert(deleted))
        if sink.enforced and not self.replaces:
            self._require_none(come, come_names)
        self._put(waiting, HASHES, ["", *field_names(sink)], [come_names, *document_fields(come, sink)])

    def _begun(self) -> IO[bytes]:
        """Returns the file that collects the open transaction. The first transaction that replaces everything begins
        with the deletions."""
        if self._waiting is None:
            self._waiting = tempfile.SpooledTemporaryFile(_IN_MEMORY, dir=str(self._directory))  # noqa: SIM115
            if self.replaces and self.written.key is None:
                self._wait(self._waiting, EMPTIED, (0,))
            elif self.replaces:
                for names in self._scanned():
                    self._put(self._waiting, HASHES, [""], [pa.array(names, pa.large_binary())])
        return self._waiting

    def _put(self, waiting: IO[bytes], kind: str, names: list[str] | tuple[str, ...], columns: list[pa.Array]) -> None:
        for piece in pieces(names, columns):
            self._wait(waiting, kind, piece)

    def _wait(self, waiting: IO[bytes], kind: str, piece: tuple[str | bytes | int, ...]) -> None:
        told = (self._own_field, self._row, self._at(Timestamp(0), ""), kind, self._place.target, *piece)
        packed = self._session.packed("EVALSHA", self._apply, 1, CHECKPOINTS, *told)
        waiting.write(len(packed).to_bytes(_LENGTH_BYTES) + packed)

    def _require_none(self, come: pa.Table, names: pa.Array) -> None:
        """Raises 23505 for a document whose key the destination has, though the sink says that it is new."""
        new = pc.invert(come.column(EXISTS).combine_chunks())
        asked = [("EXISTS", name) for name in names.filter(new).to_pylist()]
        for at, there in enumerate(self._session.ask_all(asked) if asked else ()):
            if there:
                raise duplicate_key(come.filter(new).slice(at, 1), self.written)

    def commit(self, frontier: Timestamp) -> None:
        waiting, session, row = self._begun(), self._session, self._at(frontier, self._token)
        waiting.seek(0)
        session.ask("MULTI")
        while length := waiting.read(_LENGTH_BYTES):
            # Each step's answer is awaited: a server that refuses one, since it is full, refuses all.
            session.send(waiting.read(int.from_bytes(length)))
            session.answers(1)
        session.ask("EVALSHA", self._move, 1, CHECKPOINTS, self._own_field, self._row, row)
        answers = session.ask("EXEC")
        for failure in answers:
            if isinstance(failure, redis.ResponseError):
                raise failure
        if not all(answers):
            raise fenced_off()
        self._row, self._waiting = row, None
        waiting.close()

    def failed(self, error: Exception) -> SqlError:
        return SqlError(Sqlstate.CONNECTION_FAILURE, f'Redis keys "{self._place.target}": {reason_of(error)}')


def _keys(row: Mapping[str, Any]) -> KeyRange:
    begin, end = row["keys"]
    return KeyRange(begin, end)


def _overlap(one: str, other: str) -> bool:
    """Tells whether two targets can have a key in common."""
    one, other = f"{one}{BEHIND_NAME}", f"{other}{BEHIND_NAME}"
    return one.startswith(other) or other.startswith(one)


def _another_sinks(row: Mapping[str, Any], field: str) -> SqlError:
    """Returns the error for keys that another sink writes: each sink would take the other's documents for its own."""
    return SqlError(
        Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE,
        f'keys "{row["target"]}" of the destination are written by another sink',
        detail=f'The sink is "{row["sink"]}".',
        hint=f'If that sink is no more, delete the keys, and its row: HDEL {CHECKPOINTS} "{field}".',
    )
