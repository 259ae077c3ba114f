"""Runs a program as a driver: the protocol's messages are lines of JSON on its standard input and output.

    > {"open": {"name": "u7-1795445704354", "columns": […], "frontier": 0, "state": {}, …}}
    < {"opened": {"frontier": null}}
    > {"store": {"doc": {"id": 1, "v": "a"}, "exists": false, "delete": false}}

Each request and each response is an object with one member. Lines on the program's standard error are shown in the
sink's error when the program fails. The program is started for each session, and killed when the session ends or hangs.
A thread reads the output all the time, so that the program may write while it is still being written to; a program
whose unread output exceeds a limit is killed, and the session fails.
"""

from __future__ import annotations

import collections
import contextlib
import json
import queue
import shlex
import subprocess
import threading
from collections.abc import Iterator
from typing import Any, assert_never

import msgspec
import pyarrow as pa

from connectors.sinks.description import SinkDescription
from connectors.sinks.messages import (
    DELETED,
    EXISTS,
    Acknowledge,
    Acknowledged,
    DriverResponse,
    Flushed,
    FlushLoads,
    Load,
    Loaded,
    Open,
    Opened,
    Request,
    StartCommit,
    StartedCommit,
    Store,
)
from connectors.sinks.plain_columns import json_objects
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.external.sinks import ConnectorProgram
from model.physical.columns import rows_to_arrow
from model.process.children import program_environment
from model.text.dispatch import parser
from model.time.timestamp import Timestamp
from model.types.datum import Row
from model.types.relation_desc import RelationDesc
from model.types.scalar_type import ScalarType, TypeName, type_text

_LINE_BYTES_MAX = 16 << 20
_UNREAD_BYTES_MAX = 256 << 20
_LOADED_MAX = 1 << 20
_ERROR_LINES = 20
_STATE_BYTES_MAX = 1 << 20


class ConnectorDriver:
    """A session with a program."""

    def __init__(self, place: ConnectorProgram) -> None:
        self._place = place
        self._process: subprocess.Popen[bytes] | None = None
        self._sink: SinkDescription | None = None
        self._said: collections.deque[str] = collections.deque(maxlen=_ERROR_LINES)
        self._asked = 0
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._unread = 0

    def answer(self, request: Request) -> Iterator[DriverResponse]:
        try:
            yield from self._answer(request)
        except OSError as error:
            raise self._failed(f"it has ended ({error.strerror or error})") from error

    def abort(self) -> None:
        """Kills the program at once."""
        if self._process is not None:
            self._process.kill()

    def close(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            with contextlib.suppress(OSError):
                assert process.stdin is not None
                process.stdin.close()

    def _answer(self, request: Request) -> Iterator[DriverResponse]:
        match request:
            case Open():
                yield self._open(request)
            case Acknowledge():
                self._send("acknowledge", {})
                yield Acknowledged(self._state(self._receive("acknowledged")))
            case Load(keys):
                self._ask_for(keys)
            case FlushLoads():
                self._send("flush", {})
                yield from self._loaded()
                yield Flushed()
            case Store(documents):
                self._store(documents)
            case StartCommit(frontier):
                self._send("startCommit", {"frontier": frontier})
                yield StartedCommit(self._state(self._receive("startedCommit")))
            case _:
                assert_never(request)

    def _open(self, request: Open) -> Opened:
        self._sink = sink = request.sink
        self._start()
        key = sink.key or ()
        columns = [
            {"name": column.name, "type": type_text(column.type), "key": at in key}
            for at, column in enumerate(sink.documents.columns)
        ]
        asked = {
            "name": sink.name,
            "columns": columns,
            "changes": sink.key is None,
            "keyBegin": request.keys.begin,
            "keyEnd": request.keys.end,
            "frontier": request.frontier,
            "anew": request.anew,
            "state": dict(request.state),
            "config": dict(self._place.config) | dict(request.secrets),
        }
        self._send("open", asked)
        opened = self._receive("opened")
        frontier = opened.get("frontier")
        if frontier is not None and (not isinstance(frontier, int) or frontier < 0):
            raise self._failed(f"it opened at {json.dumps(frontier)}, which is no frontier")
        return Opened(None if frontier is None else Timestamp(frontier), bool(opened.get("partial", False)))

    def _start(self) -> None:
        command = shlex.split(self._place.command)
        pipe = subprocess.PIPE
        try:
            self._process = process = subprocess.Popen(
                command, stdin=pipe, stdout=pipe, stderr=pipe, env=program_environment()
            )
        except OSError as error:
            raise self._failed(f"it can't be started: {error.strerror or error}") from error
        self._lines = queue.SimpleQueue()
        self._unread = 0
        for work in (self._listen, self._take):
            threading.Thread(target=work, args=(process,), name="a sink's program", daemon=True).start()

    def _take(self, process: subprocess.Popen[bytes]) -> None:
        """Reads the program's output into the queue of lines; an empty line marks its end. Kills a program whose
        unread output exceeds the limit."""
        assert process.stdout is not None
        lines = self._lines
        with process.stdout as said:
            while line := said.readline(_LINE_BYTES_MAX):
                self._unread += len(line)
                lines.put(line)
                if self._unread > _UNREAD_BYTES_MAX:
                    self._said.append(f"it said more than {_UNREAD_BYTES_MAX} bytes that nobody asked for")
                    process.kill()
                    break
        lines.put(b"")

    def _listen(self, process: subprocess.Popen[bytes]) -> None:
        """Keeps the last lines of the program's standard error."""
        assert process.stderr is not None
        with process.stderr as said:
            while line := said.readline(1000):
                self._said.append(line.decode(errors="replace").rstrip())

    # Documents

    def _ask_for(self, keys: pa.Table) -> None:
        sink = self._written
        of_key = [sink.documents.columns[place] for place in sink.key or ()]
        for key in json_objects(keys, RelationDesc(tuple(of_key))):
            self._send("load", {"key": key})
        self._asked += keys.num_rows

    def _loaded(self) -> Iterator[Loaded]:
        """Yields the documents that the program loads, until its Flushed."""
        desc = self._written.documents
        rows: list[Row] = []
        while True:
            kind, body = self._received()
            if kind == "flushed":
                break
            if kind != "loaded":
                raise self._failed(f'it said "{kind}", where loaded or flushed was to come')
            if len(rows) >= self._asked:
                raise self._failed("it loaded more documents than it was asked for")
            document = body.get("doc")
            if not isinstance(document, dict):
                raise self._failed("it loaded what is no document")
            rows.append(tuple(_datum(document.get(column.name), column.type) for column in desc.columns))
        self._asked = 0
        for start in range(0, len(rows), _LOADED_MAX):
            yield Loaded(rows_to_arrow(rows[start : start + _LOADED_MAX], desc))

    def _store(self, documents: pa.Table) -> None:
        sink = self._written
        objects = json_objects(documents, sink.documents)
        if sink.key is None:
            times, diffs = documents.column("time").to_pylist(), documents.column("diff").to_pylist()
            for document, time, diff in zip(objects, times, diffs, strict=True):
                self._send("store", {"doc": document, "timestamp": time, "diff": diff})
            return
        exists, deleted = documents.column(EXISTS).to_pylist(), documents.column(DELETED).to_pylist()
        for document, there, gone in zip(objects, exists, deleted, strict=True):
            self._send("store", {"doc": document, "exists": there, "delete": gone})

    # Lines

    @property
    def _written(self) -> SinkDescription:
        assert self._sink is not None, "it is open"
        return self._sink

    def _send(self, kind: str, body: dict[str, Any]) -> None:
        assert self._process is not None and self._process.stdin is not None, "it is open"
        self._process.stdin.write(msgspec.json.encode({kind: body}) + b"\n")
        if kind not in ("store", "load"):
            self._process.stdin.flush()

    def _receive(self, wanted: str) -> dict[str, Any]:
        kind, body = self._received()
        if kind != wanted:
            raise self._failed(f'it said "{kind}", where {wanted} was to come')
        return body

    def _received(self) -> tuple[str, dict[str, Any]]:
        line = self._lines.get()
        self._unread -= len(line)
        if not line.endswith(b"\n"):
            why = f"it said a line of more than {_LINE_BYTES_MAX} bytes" if line else "it has ended"
            raise self._failed(why)
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            raise self._failed(f"it said what is no JSON: {line[:100]!r}") from None
        if not isinstance(message, dict) or len(message) != 1:
            raise self._failed("it said what is no object with one member")
        ((kind, body),) = message.items()
        if not isinstance(body, dict):
            raise self._failed(f'it said "{kind}" without an object')
        return kind, body

    def _state(self, body: dict[str, Any]) -> dict[str, Any] | None:
        state = body.get("state")
        if state is None:
            return None
        if not isinstance(state, dict) or len(json.dumps(state)) > _STATE_BYTES_MAX:
            raise self._failed(f"its state is no object of at most {_STATE_BYTES_MAX} bytes")
        return state

    def _failed(self, why: str) -> SqlError:
        detail = "\n".join(self._said) or None
        return SqlError(Sqlstate.CONNECTION_FAILURE, f"the program of the sink failed: {why}", detail=detail)


def _datum(value: Any, type_: ScalarType) -> Any:
    """Reads a value of JSON as a value of a type."""
    if value is None:
        return None
    if type_.name in (TypeName.JSON, TypeName.JSONB):
        value = json.dumps(value)
    return parser(type_)(value if isinstance(value, str) else json.dumps(value))
