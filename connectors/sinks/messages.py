"""What a runtime and a driver of a sink say to each other (source: seed 1).

    runtime  Open                Acknowledge  Load …         FlushLoads      Store …  StartCommit
    driver         Opened  ┆ ┌─▶ Acknowledged        Loaded …       Flushed                       StartedCommit ─┐
                           ┆ └──────────────────────── once a transaction ──────────────────────────────────────┘

A message may hold many keys or documents: an Arrow table of them. What of a collection is applied is told by a
frontier: all updates at times before it. At 0 nothing is.
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


def before_name(index: int) -> str:
    """Of the column of what a document had in column `index`, where a sink tells that: NULL in all of them where it is
    new."""
    return f"before{index}"


DriverState = Mapping[str, Any]
"""JSON that a driver remembers in the recovery log: small, and never a secret."""

KEYS_END = 0xFFFF_FFFF


@dataclass(frozen=True, slots=True)
class KeyRange:
    """Hashes of the keys that a split of a sink has, both ends among them."""

    begin: int = 0
    end: int = KEYS_END


ALL_KEYS = KeyRange()


@dataclass(frozen=True, slots=True)
class Open:
    """The first request. `frontier` and `state` are the recovery log's; `secrets` are those of the place, by name.
    `anew`: however far the destination is, what it has is to be replaced."""

    sink: SinkDescription
    keys: KeyRange
    frontier: Timestamp
    state: DriverState
    secrets: Mapping[str, str]
    anew: bool = False


@dataclass(frozen=True, slots=True)
class Opened:
    """`frontier` is how far the destination is, where it knows; None: as far as the recovery log says. At 0 the first
    transaction is all that the collection holds, and takes the place of whatever the destination has. `partial`: it may
    also have parts of a transaction that never ended, so whatever has changed since is to be stored, also what is as it
    was by now."""

    frontier: Timestamp | None
    partial: bool = False


@dataclass(frozen=True, slots=True)
class Acknowledge:
    """The last transaction is in the recovery log."""


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """The last transaction is in the destination. `state`: what changes by that in what the driver remembers, which
    may be lost."""

    state: DriverState | None = None


@dataclass(frozen=True, slots=True)
class Load:
    """Asks for the documents of these keys (a table of the key's columns); each is asked for once a transaction."""

    keys: pa.Table


@dataclass(frozen=True, slots=True)
class Loaded:
    """Documents that were asked for; of keys that the destination has not, none."""

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
