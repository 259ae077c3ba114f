"""The messages between the runtime and the driver of a sink (source: seed 1).

    runtime  Open                Acknowledge  Load …         FlushLoads      Store …  StartCommit
    driver         Opened  ┆ ┌─▶ Acknowledged        Loaded …       Flushed                       StartedCommit ─┐
                           ┆ └──────────────────────── once a transaction ──────────────────────────────────────┘

A message may hold many keys or documents, as an Arrow table. A frontier says which updates of the collection are
applied: all those at times before it; at 0, none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from connectors.sinks.description import SinkDescription
from model.time.timestamp import Timestamp

EXISTS, DELETED = "exists", "deleted"
"""Columns of stored documents beside their own (c0, c1, …), both bool: whether the destination has a document of that
key; whether it is not to have one any more."""


def before_name(name: str) -> str:
    """Names the column with the previous value of a document's column, for sinks that carry previous rows. Such
    columns are all NULL in a new document."""
    return f"before {name}"


DriverState = Mapping[str, Any]
"""JSON that a driver remembers in the recovery log: small, and never a secret."""

KEYS_END = 0xFFFF_FFFF


@dataclass(frozen=True, slots=True)
class KeyRange:
    """The hashes of keys that a split of a sink has, both ends included."""

    begin: int = 0
    end: int = KEYS_END


ALL_KEYS = KeyRange()


@dataclass(frozen=True, slots=True)
class Open:
    """The first request of a session.

    `frontier`, `state`: those of the recovery log
    `secrets`: the values of the place's secrets, by name
    `anew`: the destination's contents are to be replaced, whatever its own frontier
    """

    sink: SinkDescription
    keys: KeyRange
    frontier: Timestamp
    state: DriverState
    secrets: Mapping[str, str]
    anew: bool = False


@dataclass(frozen=True, slots=True)
class Opened:
    """The answer to Open.

    `frontier`: the destination's own frontier, None where it has none and the recovery log's counts; at 0 the first
        transaction holds the whole collection, and replaces the destination's contents
    `partial`: the destination may hold parts of a transaction that never ended, so every document changed since is
        stored again, even one that is back at its old value
    """

    frontier: Timestamp | None
    partial: bool = False


@dataclass(frozen=True, slots=True)
class Acknowledge:
    """The last transaction is in the recovery log."""


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """The last transaction is in the destination. `state` is a change of the driver's state; it may be lost in a
    crash."""

    state: DriverState | None = None


@dataclass(frozen=True, slots=True)
class Load:
    """Asks for the documents of these keys (a table of the key's columns); each is asked for once a transaction."""

    keys: pa.Table


@dataclass(frozen=True, slots=True)
class Loaded:
    """Documents that were asked for; none for a key that the destination lacks."""

    documents: pa.Table


@dataclass(frozen=True, slots=True)
class FlushLoads:
    """All keys have been asked for (source: seed 1, "Flush")."""


@dataclass(frozen=True, slots=True)
class Flushed:
    """All documents have been given."""


@dataclass(frozen=True, slots=True)
class Store:
    """Documents to be stored, each key once a transaction, with EXISTS and DELETED; without a key they are changes,
    with `time` and `diff`."""

    documents: pa.Table


@dataclass(frozen=True, slots=True)
class StartCommit:
    """All documents have been given; what is stored is the collection's updates at times before `frontier`."""

    frontier: Timestamp


@dataclass(frozen=True, slots=True)
class StartedCommit:
    """All documents are stored, or staged. `state` is a merge patch (RFC 7396) of what the driver remembers, which
    becomes durable with the recovery log's next entry."""

    state: DriverState | None = None


Request = Open | Acknowledge | Load | FlushLoads | Store | StartCommit
DriverResponse = Opened | Acknowledged | Loaded | Flushed | StartedCommit
