"""Finds backups in a place, and reads them. Whatever is damaged or missing is named. A place may hold what somebody
else has put there, so keys are looked at before they are used."""

from __future__ import annotations

import re
import zlib
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass

import msgspec

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from storage.backup.manifest import (
    MANIFEST_PREFIX,
    BackupManifest,
    StateFile,
    decode_manifest,
    manifest_key,
    name_of,
    timestamp_of,
)
from storage.backup.writing import AT_ONCE, checked_part, failed, parts_of, together
from storage.persist.location import Blob
from storage.persist.runner import Runner
from storage.persist.state import Part, ShardState, brought_in_order
from storage.persist.write import PART_PREFIX

_PART_FILE = re.compile(r"[0-9]+-[0-9A-Za-z-]+\.parquet")
_decoder = msgspec.msgpack.Decoder(list[ShardState])


@dataclass(frozen=True, slots=True)
class NamedPart:
    """A part, with the shard that it belongs to."""

    shard: str
    part: Part


async def backup_names(place: Blob) -> list[str]:
    """Returns the names of the backups in a place, the oldest first."""
    try:
        keys = await place.list_keys(MANIFEST_PREFIX)
    except OSError as error:
        raise failed("could not look for backups", error) from error
    names = (name for name in map(name_of, keys) if name is not None)
    # A later timestamp has more digits, or is the later text.
    return sorted(names, key=lambda name: (len(name), name))


async def read_manifest(place: Blob, name: str) -> BackupManifest:
    """Returns a backup's manifest; raises SqlError when it is missing or damaged."""
    key = manifest_key(name)
    data = None if timestamp_of(name) is None else await _read(place, key)
    if data is None:
        raise SqlError(Sqlstate.UNDEFINED_OBJECT, f'there is no backup "{name}"')
    return decode_manifest(key, data)


async def read_states(place: Blob, manifest: BackupManifest) -> AsyncIterator[ShardState]:
    """Yields the states of a backup's shards; raises SqlError naming the file that is missing or damaged."""
    for file in manifest.states:
        data = await _read(place, file.key)
        for state in _decoded(file, data):
            _require_own_parts(file, state)
            yield brought_in_order(state)


async def damages(place: Blob, parts: Iterable[NamedPart], runner: Runner) -> list[SqlError]:
    """Returns what is wrong with parts, one error a part that is missing or damaged, or can't be read."""
    found: list[tuple[str, SqlError]] = []
    rest = iter(parts)

    async def work() -> None:
        for named in rest:
            try:
                await checked_part(place, named.part, named.shard, runner)
            except SqlError as error:
                found.append((named.part.key, error))

    await together(work() for _ in range(AT_ONCE))
    return [error for _, error in sorted(found, key=lambda each: each[0])]


def named_parts(states: Iterable[ShardState]) -> Iterable[NamedPart]:
    """Yields all parts that states name."""
    return (NamedPart(state.shard, part) for state in states for part in parts_of(state))


async def _read(place: Blob, key: str) -> bytes | None:
    try:
        return await place.get(key)
    except OSError as error:
        raise failed(f"could not read {key} of the backup", error) from error


def _decoded(file: StateFile, data: bytes | None) -> list[ShardState]:
    if data is None:
        raise _damaged(file, "it is missing")
    if len(data) != file.bytes:
        raise _damaged(file, f"it has {len(data)} bytes instead of {file.bytes}")
    if zlib.crc32(data) != file.checksum:
        raise _damaged(file, "its checksum does not match")
    try:
        return _decoder.decode(data)
    except msgspec.DecodeError as error:
        raise _damaged(file, str(error)) from error


def _require_own_parts(file: StateFile, state: ShardState) -> None:
    """Raises XX001 (damaged backup) when a shard's state names a file that is no part of this shard."""
    try:
        GlobalId.parse(state.shard)
    except ValueError as error:
        raise _damaged(file, str(error)) from error
    directory = f"{PART_PREFIX}{state.shard}/"
    for part in parts_of(state):
        if not part.key.startswith(directory) or not _PART_FILE.fullmatch(part.key.removeprefix(directory)):
            raise _damaged(file, f'it names "{part.key}" as a part of shard {state.shard}')


def _damaged(file: StateFile, detail: str) -> SqlError:
    return SqlError(Sqlstate.DATA_CORRUPTED, f"{file.key} of the backup is damaged", detail=detail)
