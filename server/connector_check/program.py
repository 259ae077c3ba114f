"""Runs a program that is to be a destination, with the messages of docs/connectors.md.

The server's own driver is not used, because it asks only correct questions, and the rules also need incorrect ones.
"""

from __future__ import annotations

import contextlib
import json
import queue
import subprocess
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import msgspec

from connectors.sinks.recovery_log import merged
from model.process.children import program_environment

Document = Mapping[str, Any]

COLUMNS = (
    {"name": "id", "type": "bigint", "key": True},
    {"name": "name", "type": "text", "key": False},
    {"name": "amount", "type": "numeric", "key": False},
    {"name": "at", "type": "timestamp with time zone", "key": False},
    {"name": "known", "type": "boolean", "key": False},
)
"""Of the collection that is written."""

_ENCODER = msgspec.json.Encoder(decimal_format="number")
_KEYS_END = 0xFFFF_FFFF
_STATE_BYTES_MAX = 1 << 20
_PAUSE_S = 0.3
_LINE_BYTES_MAX, _UNREAD_BYTES_MAX, _SAID_BYTES_MAX = 16 << 20, 64 << 20, 1000


class Broken(Exception):
    """A rule is broken, and how."""


class NotTried(Exception):
    """A rule has nothing to say about such a program, and why."""


def document(number: int, name: str | None, amount: str | None = None) -> Document:
    """Returns a document of COLUMNS."""
    exact = None if amount is None else Decimal(amount)
    return {"id": number, "name": name, "amount": exact, "at": "2026-11-25 07:00:00+00", "known": number % 2 == 0}


@dataclass(slots=True)
class Log:
    """The server's memory of a sink."""

    frontier: int = 0
    state: dict[str, Any] = field(default_factory=dict)

    def copy(self) -> Log:
        return Log(self.frontier, dict(self.state))


@dataclass(frozen=True, slots=True)
class Started:
    """The start of a program, and the seconds that it has for an answer."""

    command: Sequence[str]
    config: Mapping[str, str]
    patience_s: float


class ProgramSession:
    """A running program. `position` is the destination's frontier, from the program or from the log."""

    def __init__(self, started: Started, name: str, log: Log, *, anew: bool = False, changes: bool = False) -> None:
        self.log = log
        self._patience_s = started.patience_s
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen(
                started.command, stdin=pipe, stdout=pipe, stderr=pipe, env=program_environment()
            )
        except OSError as error:
            raise Broken(f"it can't be started: {error.strerror or error}") from error
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._to_say: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._unread = 0
        self._said = b""
        works = (self._take, self._listen, self._give)
        self._threads = [threading.Thread(target=work, daemon=True) for work in works]
        for thread in self._threads:
            thread.start()
        asked = {
            "name": name,
            "columns": COLUMNS,
            "changes": changes,
            "keyBegin": 0,
            "keyEnd": _KEYS_END,
            "frontier": 0 if anew else log.frontier,
            "anew": anew,
            "state": log.state,
            "config": started.config,
        }
        try:
            opened = self.ask("open", asked, "opened")
        except Broken:
            self.kill()
            raise
        self.told: int | None = self._frontier(opened)
        self.partial = bool(opened.get("partial", False))
        self.position = (0 if anew else log.frontier) if self.told is None else self.told

    # Conversations

    def acknowledge(self) -> None:
        """Asks the program to apply the commit that the log has."""
        self._remember(self.ask("acknowledge", {}, "acknowledged"))

    def load(self, numbers: Iterable[int]) -> dict[int, Document]:
        """Returns the documents with these keys; the program has answered Flushed then, so documents may be stored
        next."""
        numbers = list(numbers)
        for number in numbers:
            self.say("load", {"key": {"id": number}})
        self.say("flush", {})
        found: dict[int, Document] = {}
        while (heard := self.hear())[0] != "flushed":
            kind, body = heard
            doc = body.get("doc")
            if kind != "loaded" or not isinstance(doc, dict) or "id" not in doc:
                raise Broken(f"it said {_shown(kind, body)}, where loaded, with a doc, or flushed was to come")
            if doc["id"] not in numbers or doc["id"] in found:
                why = "twice" if doc["id"] in found else "and nobody has asked for it"
                raise Broken(f"it loaded the document of key {doc['id']} {why}")
            found[int(doc["id"])] = doc
        return found

    def flush(self) -> None:
        """Asks the program to flush, where no documents are to be loaded before."""
        self.ask("flush", {}, "flushed")

    def store(self, documents: Iterable[Document], *, exists: bool = False, delete: bool = False) -> None:
        for each in documents:
            self.say("store", {"doc": each, "exists": exists, "delete": delete})

    def start_commit(self, frontier: int) -> Log:
        """Starts a commit; returns the log as it will be."""
        body = self.ask("startCommit", {"frontier": frontier}, "startedCommit")
        return Log(frontier, merged(self.log.state, self._state(body)))

    def transact(
        self, frontier: int, new: Iterable[Document] = (), old: Iterable[Document] = (), gone: Iterable[Document] = ()
    ) -> None:
        """Runs a whole transaction after an acknowledgement, and acknowledges it at the end."""
        self.flush()
        self.store(gone, exists=True, delete=True)
        self.store(old, exists=True)
        self.store(new)
        self.log = self.start_commit(frontier)
        self.position = frontier
        self.acknowledge()

    def found(self, numbers: Iterable[int]) -> dict[int, Document]:
        """Returns the program's documents with these keys, by a transaction that stores nothing."""
        found = self.load(numbers)
        self.log = self.start_commit(self.position + 1)
        self.position += 1
        self.acknowledge()
        return found

    # Messages

    def ask(self, kind: str, body: Mapping[str, Any], wanted: str) -> dict[str, Any]:
        """Sends a request and returns its answer; raises Broken when another answer comes, or none."""
        self.say(kind, body)
        heard, answer = self.hear()
        if heard != wanted:
            raise Broken(f"it said {_shown(heard, answer)} to {kind}, where {wanted} was to come")
        return answer

    def say(self, kind: str, body: Mapping[str, Any]) -> None:
        """Sends a message; the next answer shows whether the program has read it."""
        self._to_say.put(_ENCODER.encode({kind: body}) + b"\n")

    def hear(self) -> tuple[str, dict[str, Any]]:
        """Returns the program's next message."""
        try:
            line = self._lines.get(timeout=self._patience_s)
        except queue.Empty:
            raise Broken(f"it said nothing for {self._patience_s:g} s") from None
        self._unread -= len(line)
        if not line.endswith(b"\n"):
            ended = f"it ended where it was to answer{self._beside()}"
            raise Broken(f"it said a line of more than {_LINE_BYTES_MAX} bytes" if line else ended)
        try:
            message = json.loads(line, parse_float=Decimal)
            ((kind, body),) = message.items()
            if not isinstance(body, dict):
                raise TypeError
        except (ValueError, TypeError, AttributeError, RecursionError):
            raise Broken(f"it said {line[:200]!r}, which is no object of one member that is an object") from None
        return kind, body

    # Ends

    def pause(self) -> None:
        """Waits a while for the program to act on messages without an answer."""
        time.sleep(_PAUSE_S)

    def kill(self) -> None:
        """Kills the program (kill -9)."""
        self._process.kill()
        self._over()

    def end_input(self) -> int | None:
        """Closes the program's input; returns its exit code, None when it does not end."""
        self._to_say.put(None)
        try:
            return self._process.wait(self._patience_s)
        except subprocess.TimeoutExpired:
            return None
        finally:
            self.kill()

    def _over(self) -> None:
        self._process.wait()
        self._to_say.put(None)
        for thread in self._threads:
            thread.join()

    def _give(self) -> None:
        """Writes the queued messages, at the program's pace."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError), self._process.stdin as heard:
            while (line := self._to_say.get()) is not None:
                heard.write(line)
                if self._to_say.empty():
                    heard.flush()

    def _take(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as said:
            while line := said.readline(_LINE_BYTES_MAX):
                self._unread += len(line)
                self._lines.put(line)
                if self._unread > _UNREAD_BYTES_MAX or not line.endswith(b"\n"):
                    self._process.kill()
                    break
        self._lines.put(b"")

    def _listen(self) -> None:
        assert self._process.stderr is not None
        with self._process.stderr as said:
            while line := said.readline(_SAID_BYTES_MAX):
                self._said = line

    def _beside(self) -> str:
        """Returns the end of the program's standard error."""
        self._threads[1].join(1.0)
        said = self._said.decode(errors="replace").strip()
        return f": {said}" if said else ""

    def _frontier(self, opened: Mapping[str, Any]) -> int | None:
        frontier = opened.get("frontier")
        if frontier is not None and (not isinstance(frontier, int) or isinstance(frontier, bool) or frontier < 0):
            self.kill()
            raise Broken(f"it opened at {frontier!r}, which is no frontier")
        return frontier

    def _remember(self, body: Mapping[str, Any]) -> None:
        self.log = Log(self.log.frontier, merged(self.log.state, self._state(body)))

    @staticmethod
    def _state(body: Mapping[str, Any]) -> dict[str, Any] | None:
        state = body.get("state")
        if state is not None and (
            not isinstance(state, dict) or len(json.dumps(state, default=str)) > _STATE_BYTES_MAX
        ):
            raise Broken(f"its state is no object of at most {_STATE_BYTES_MAX} bytes")
        return state


def _shown(kind: str, body: Mapping[str, Any]) -> str:
    return json.dumps({kind: body}, default=str)[:200]
