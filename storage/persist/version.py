"""A version of a shard's key in consensus, as bytes.

A version holds its transitions and a token unique to the attempt; every ROLLUP_VERSIONS-th version also holds the whole
resulting state. A reader begins at the newest whole state, and an append writes O(batch).

The format's number is raised with whatever code without the change would read wrongly; a new field with a default is no
such change. It is written from 2 on: what has none is of format 1.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from storage.persist.location import Versioned
from storage.persist.state import ShardState, brought_in_order
from storage.persist.transition import Transition, apply

KEY_PREFIX = "shard/"
ROLLUP_VERSIONS = 64


FORMAT = 1


class Version(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    token: str
    transitions: tuple[Transition, ...]
    rollup: ShardState | None = None
    format: int = 1


class _Formatted(msgspec.Struct, frozen=True):
    """The fields that every version has, whatever its format."""

    format: int = 1


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(Version)


def shard_key(shard: str) -> str:
    """Returns the shard's key in consensus."""
    return KEY_PREFIX + shard


def encode_version(version: Version) -> bytes:
    """Encodes a version in the format of this code."""
    return _encoder.encode(replace(version, format=FORMAT))


def decode_version(shard: str, data: bytes) -> Version:
    """Decodes a version. Raises SqlError (data_corrupted) for malformed bytes, and for a newer format.

    Old states have their batches in no particular order; the result has them in the order of uppers.
    """
    try:
        version = _decoder.decode(data)
        _require_known(shard, version.format)
    except msgspec.DecodeError as error:
        with contextlib.suppress(msgspec.DecodeError):
            _require_known(shard, msgspec.msgpack.decode(data, type=_Formatted).format)
        raise SqlError(Sqlstate.DATA_CORRUPTED, f"state of shard {shard} is corrupt", detail=str(error)) from error
    return version if version.rollup is None else replace(version, rollup=brought_in_order(version.rollup))


def _require_known(shard: str, format_: int) -> None:
    if format_ > FORMAT:
        raise SqlError(
            Sqlstate.DATA_CORRUPTED,
            f"shard {shard} was written by a newer Headwater: its format is {format_}, this one knows up to {FORMAT}",
            hint="Start the newer version again, or use another data directory.",
        )


def advance_state(shard: str, state: ShardState | None, transitions: Sequence[Transition]) -> ShardState:
    """Returns the state one version later; Refused when a transition does not fit."""
    seqno = 1 if state is None else state.seqno + 1
    for transition in transitions:
        state = apply(shard, state, transition, seqno)
    assert state is not None, "a version without transitions"
    return state


def fold_versions(shard: str, state: ShardState | None, versions: Sequence[Versioned]) -> ShardState | None:
    """Returns the state after `versions`, which go on from `state`, or hold a rollup to begin from."""
    decoded = [(v.seqno, decode_version(shard, v.data)) for v in versions]
    rollups = [i for i, (seqno, version) in enumerate(decoded) if version.rollup is not None]
    follows = state is not None and (not decoded or decoded[0][0] == state.seqno + 1)
    if rollups and not follows:
        state = decoded[rollups[-1]][1].rollup
        decoded = decoded[rollups[-1] + 1 :]
    for seqno, version in decoded:
        if seqno != (1 if state is None else state.seqno + 1):
            raise SqlError(Sqlstate.DATA_CORRUPTED, f"state of shard {shard} has a gap before version {seqno}")
        state = advance_state(shard, state, version.transitions)
    return state


def rollup_due(seqno: int) -> bool:
    return seqno % ROLLUP_VERSIONS == 0


def truncate_before(seqno: int) -> int | None:
    """Returns the version below which no reader needs versions of a shard at `seqno`.

    One rollup more than the newest is kept, so that a writer in doubt finds its attempted version.
    """
    newest = seqno - seqno % ROLLUP_VERSIONS
    return newest - ROLLUP_VERSIONS if newest > ROLLUP_VERSIONS else None
