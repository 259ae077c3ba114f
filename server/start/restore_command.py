"""`headwater restore`: a backup into an empty place, or a look at the backups that a place has."""

from __future__ import annotations

import asyncio
import datetime
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
from pydantic import ValidationError

from catalog.nouns.items import Item
from catalog.nouns.sinks import Sink
from catalog.nouns.sources import Source
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.external.files import BucketObjects
from model.process.redaction import redacted, remember
from model.time.clock import SystemRandomness
from model.time.timestamp import Timestamp
from server.options import ServeOptions
from server.start.places import reason_of
from server.start.restored_system import RestoredSystem, restored_system
from storage.backup.manifest import BackupManifest, timestamp_of
from storage.backup.reading import backup_names, damages, named_parts, read_manifest, read_states
from storage.backup.restoring import require_empty, restore_consensus, restore_parts
from storage.persist.batch import encode_part
from storage.persist.location import BLOB_DIRECTORY, CONSENSUS_FILE, Blob, Indeterminate
from storage.persist.open import blobs_overlap, open_blob, open_consensus
from storage.persist.runner import ThreadRunner
from storage.persist.state import Part, ShardState

_LINEAGE_DIGITS = 8
_OBJECTS = "s3://"
_SHOWN_MAX = 3
_OF_NOBODY = {BLOB_DIRECTORY, "lost+found"}
"""What an interrupted restore may have left, which is looked into later, and what a new file system has."""


@dataclass(frozen=True, slots=True)
class RestoreOptions:
    """The options of `headwater restore`. `as_of` is milliseconds, or a moment as ISO 8601 writes it. Without `name`
    the newest backup is restored, with `as_of` the first that was taken at that time or later."""

    place: str
    data_dir: Path
    consensus: str | None = None
    blob: str | None = None
    as_of: str | None = None
    name: str | None = None
    listing: bool = False
    verifying: bool = False


def run_restore(options: RestoreOptions) -> int:
    """Returns the process's exit code: 0 done, 1 not done, or damage was found."""
    pa.set_memory_pool(pa.system_memory_pool())
    try:
        given: dict[str, Any] = {"data_dir": options.data_dir, "consensus": options.consensus, "blob": options.blob}
        target = ServeOptions(**{name: value for name, value in given.items() if value is not None})
        remember(target.secrets)
        return asyncio.run(_run(options, target))
    except ValidationError as error:
        told = "; ".join(str(each["msg"]).removeprefix("Value error, ") for each in error.errors(include_input=False))
    except SqlError as error:
        told = "\n  ".join(filter(None, (error.message, error.detail, error.hint)))
    except (OSError, ValueError) as error:
        told = reason_of(error)
    except Indeterminate as error:
        told = str(error)
    print(redacted(f"headwater restore: {told}"), file=sys.stderr)
    return 1


async def _run(options: RestoreOptions, target: ServeOptions) -> int:
    place = _place(options.place)
    try:
        names = await backup_names(place)
        if options.listing:
            return await _list(place, names)
        manifest = await _chosen(place, names, options)
        states = [state async for state in read_states(place, manifest)]
        if options.verifying:
            return await _verify(place, manifest, states)
        await _restore(place, manifest, states, options, target)
        return 0
    finally:
        await place.close()


def _place(address: str) -> Blob:
    if not address.startswith(_OBJECTS) and not Path(address).is_dir():
        raise SqlError(Sqlstate.UNDEFINED_FILE, f"there is no directory {address}")
    return open_blob(address)


async def _list(place: Blob, names: Sequence[str]) -> int:
    code = 0
    for name in names:
        try:
            manifest = await read_manifest(place, name)
        except SqlError as error:
            print(_told(error), file=sys.stderr)
            code = 1
            continue
        size = f"{manifest.shards} collections, {manifest.parts} parts, {manifest.part_bytes} bytes"
        print(f"{name}  as of {manifest.timestamp} ({_moment(manifest.timestamp)})  {size}")
    return code


async def _chosen(place: Blob, names: Sequence[str], options: RestoreOptions) -> BackupManifest:
    if options.name is not None:
        return await read_manifest(place, options.name)
    if not names:
        raise SqlError(Sqlstate.UNDEFINED_OBJECT, f"there is no backup in {options.place}")
    if options.as_of is None:
        return await read_manifest(place, names[-1])
    at = _time(options.as_of)
    for name in names:
        timestamp = timestamp_of(name)
        assert timestamp is not None, "they are names of backups"
        if timestamp >= at:
            return await read_manifest(place, name)
    raise SqlError(
        Sqlstate.INVALID_PARAMETER_VALUE, f"no backup was taken at {at} or later: the newest is of {timestamp}"
    )


async def _verify(place: Blob, manifest: BackupManifest, states: Sequence[ShardState]) -> int:
    found = await damages(place, named_parts(states), ThreadRunner())
    for error in found:
        print(_told(error), file=sys.stderr)
    if found:
        print(f'backup "{manifest.name}" is damaged: {len(found)} of {manifest.parts} parts', file=sys.stderr)
        return 1
    print(f'backup "{manifest.name}" is whole: {manifest.parts} parts, {manifest.part_bytes} bytes')
    return 0


def _told(error: SqlError) -> str:
    return ": ".join(filter(None, (error.message, error.detail)))


async def _restore(
    place: Blob, manifest: BackupManifest, states: Sequence[ShardState], options: RestoreOptions, target: ServeOptions
) -> None:
    at = None if options.as_of is None else _time(options.as_of)
    runner, randomness = ThreadRunner(), SystemRandomness()
    _require_another_place(options.place, target.blob_url)
    if target.consensus is None or target.blob is None:
        _make_data_directory(target.data_dir)
    consensus, blob = open_consensus(target.consensus_url), open_blob(target.blob_url)
    try:
        left = {part.part.key for part in named_parts(states)}
        if at is not None:
            left |= {_cut_key(key, at) for key in left}
        await require_empty(consensus, blob, left)
        written: set[str] = set()
        write = partial(_write_part, blob, Timestamp(0) if at is None else at, written)
        lineage = randomness.token()[:_LINEAGE_DIGITS]
        system = await restored_system(manifest, states, at, lineage, place, runner, write)
        kept = [named for named in named_parts(system.states) if named.part.key not in written]
        await restore_parts(place, blob, kept, runner)
        await restore_consensus(consensus, system.states, system.records, randomness.token())
        _tell(manifest, system, len(kept), options)
    finally:
        await blob.close()
        await consensus.close()


def _require_another_place(place: str, blob: str) -> None:
    """Raises 22023 when backups lie where the restored system's parts will: its garbage collection would take them."""
    if blobs_overlap(place, blob):
        raise SqlError(
            Sqlstate.INVALID_PARAMETER_VALUE,
            f"the backups in {place} can't share their place with the restored system's parts in {blob}",
            hint="Name another data directory, or another blob.",
        )


def _make_data_directory(directory: Path) -> None:
    """Makes a missing data directory; raises 55000 for a directory with contents of strangers."""
    if not directory.exists():
        directory.mkdir(0o700, parents=True)
        return
    names = {each.name for each in directory.iterdir()} - _OF_NOBODY
    if names and CONSENSUS_FILE not in names:
        shown = ", ".join(sorted(names)[:_SHOWN_MAX])
        raise SqlError(
            Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE,
            f"{directory} is neither empty nor a data directory",
            detail=f"It has {shown}{' and more' if len(names) > _SHOWN_MAX else ''}.",
            hint="Name another data directory.",
        )


async def _write_part(
    blob: Blob, at: Timestamp, written: set[str], state: ShardState, part: Part, table: pa.Table
) -> Part:
    cut_part, data = await asyncio.to_thread(encode_part, table, state.desc, _cut_key(part.key, at))
    await blob.put(cut_part.key, data)
    written.add(cut_part.key)
    return cut_part


def _cut_key(key: str, at: Timestamp) -> str:
    """Returns the key for the remainder of a part at a time. The key is the same in each attempt, so a repeated restore
    overwrites the remains of an interrupted restore.
    """
    return f"{key.removesuffix('.parquet')}-until-{at}.parquet"


def _tell(manifest: BackupManifest, system: RestoredSystem, parts: int, options: RestoreOptions) -> None:
    told = f"{len(system.states)} collections, {parts} parts"
    print(f'restored backup "{manifest.name}" as of {system.timestamp} ({_moment(system.timestamp)}): {told}')
    paused = [item.name for item in system.items if isinstance(item.definition, Sink)]
    if paused:
        print(f"paused, until ALTER SINK … RESUME writes everything anew: {', '.join(paused)}")
    standing = [item.name for item in system.items if _reads_postgres(item)]
    if standing:
        print(f"standing still, since their replication slots are not this copy's: {', '.join(standing)}")
    listing = [item.name for item in system.items if _lists_objects(item)]
    if listing:
        print(f"listing their buckets, since their queues are not this copy's: {', '.join(listing)}")
    print(f"start it with: headwater serve --data-dir {options.data_dir}, and the key of secrets that it had")


def _reads_postgres(item: Item) -> bool:
    return isinstance(item.definition, Source) and item.definition.system.name == "POSTGRES"


def _lists_objects(item: Item) -> bool:
    return isinstance(item.definition, Source) and isinstance(item.definition.records, BucketObjects)


def _time(text: str) -> Timestamp:
    if text.isdigit():
        return Timestamp(int(text))
    try:
        moment = datetime.datetime.fromisoformat(text)
    except ValueError:
        message = f'"{text}" is no time: give milliseconds, or a moment like 2026-11-28T02:00:00Z'
        raise SqlError(Sqlstate.INVALID_DATETIME_FORMAT, message) from None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=datetime.UTC)
    return Timestamp((moment - datetime.datetime.fromtimestamp(0, datetime.UTC)) // datetime.timedelta(milliseconds=1))


def _moment(timestamp: int) -> str:
    try:
        at = datetime.datetime.fromtimestamp(timestamp / 1000, datetime.UTC)
    except (ValueError, OverflowError, OSError):
        return "no moment of the calendar"
    return at.isoformat(sep=" ", timespec="milliseconds")
