"""The messages between the environment and a worker, in frames: eight bytes with the length, then a pickle.

    worker: Ready    environment: Begin
    worker: (Ask  environment: Told)*  (Batch  environment: Onward)*  Done | Failed

After each Batch the worker waits for Onward, so neither side holds more than one batch. `Halt` in place of Onward ends
the evaluation, and the worker waits for the next Begin. Pickles are safe here because both ends are this program, and
nobody else has the socket.

The catalog is sent once per version: a Begin names the version, and includes the catalog where the worker has another.
"""

from __future__ import annotations

import io
import pickle
from dataclasses import dataclass
from typing import Any

from catalog.facts.shown import UnshownText
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from model.types.datum import Row
from server.evaluation.work import Work

HEADER_BYTES = 8


@dataclass(frozen=True, slots=True)
class Ready:
    """The worker has started. A worker that ends before this message has done nothing."""


@dataclass(frozen=True, slots=True)
class Begin:
    """Has a worker begin a query. `work` is packed by `packed_work`; `state` the catalog's version `version`, None when
    the worker has it."""

    work: bytes
    version: int
    state: bytes | None


@dataclass(frozen=True, slots=True)
class Ask:
    """A question of the worker: `what` is a function of AskedFacts, of its sequences (`sequences.next_value`) or locks,
    or `sleep`."""

    what: str
    arguments: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Told:
    """The answer to Ask, or the error to raise there."""

    value: Any = None
    error: SqlError | None = None


@dataclass(frozen=True, slots=True)
class RowBatch:
    rows: list[Row]


@dataclass(frozen=True, slots=True)
class Onward:
    """Go on with the next batch."""


@dataclass(frozen=True, slots=True)
class Halt:
    """Nobody wants the rest."""


@dataclass(frozen=True, slots=True)
class Done:
    """The end of the rows. `unshown` are texts of the catalog that could not be made, for the environment to log."""

    unshown: tuple[UnshownText, ...] = ()


@dataclass(frozen=True, slots=True)
class Failed:
    """The evaluation has failed. `spent`: the worker has exceeded its limits and ends."""

    error: SqlError
    spent: bool = False


Message = Ready | Begin | Ask | Told | RowBatch | Onward | Halt | Done | Failed


def framed(message: Message) -> bytes:
    body = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    return len(body).to_bytes(HEADER_BYTES) + body


def unframed(body: bytes) -> Message:
    message: Message = pickle.loads(body)
    return message


def packed_state(state: CatalogState) -> bytes:
    return pickle.dumps(state, pickle.HIGHEST_PROTOCOL)


def unpacked_state(packed: bytes) -> CatalogState:
    state: CatalogState = pickle.loads(packed)
    return state


def packed_work(work: Work) -> bytes:
    """Pickles the work, with a placeholder for the catalog."""
    buffer = io.BytesIO()
    _WorkPickler(buffer, pickle.HIGHEST_PROTOCOL).dump(work)
    return buffer.getvalue()


def unpacked_work(packed: bytes, state: CatalogState) -> Work:
    work: Work = _WorkUnpickler(io.BytesIO(packed), state).load()
    return work


class _WorkPickler(pickle.Pickler):
    def persistent_id(self, obj: Any) -> str | None:
        return "catalog" if type(obj) is CatalogState else None


class _WorkUnpickler(pickle.Unpickler):
    def __init__(self, file: io.BytesIO, state: CatalogState) -> None:
        super().__init__(file)
        self._state = state

    def persistent_load(self, pid: str) -> CatalogState:
        return self._state
