"""BACKUP: writes a whole system, as it is at one moment, into a place of its own, while everything goes on.

    nobody commits for a moment ──▶ states and parts held ──▶ commits go on ──▶ parts, states, manifest written

The backup holds the state after a crash at that moment (storage/backup/capture.py), so a restored server starts as
after a crash.
"""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
import structlog

from catalog.facts.roles.decide import is_superuser
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.time.timestamp import Timestamp
from planner.plans.copying import BackupPlan
from server.environment.environment import Environment
from server.ledgers.backups import BackupRecord
from server.pgwire.backend import Rows
from server.settings.variables import VERSION_TEXT
from server.statements.copying.places import failed
from server.statements.results import whole_rows
from server.transactions.execution import Execution
from storage.backup.capture import Captured, Overtaken, capture
from storage.backup.manifest import BackupManifest, backup_name
from storage.backup.writing import BackupProgress, BackupWriter
from storage.persist.location import BLOB_DIRECTORY, CONSENSUS_FILE, Blob
from storage.persist.open import blobs_overlap, open_blob
from storage.persist.state import ShardState
from timeline.durable_oracle import TIMELINE_KEY, TimelineRecord
from timeline.fence import FENCE_KEY
from timeline.waiting import LockOwner

_LOG = structlog.get_logger()
_OBJECTS = "s3://"
_CAPTURES_MAX = 8


async def sequence_backup(plan: BackupPlan, execution: Execution) -> Rows:
    """Makes the backup, and returns what was written. SqlError: 42501 for others than superusers, and for directories
    where files are switched off; 25001 in a transaction block; 53100, 58030 and XX001 as writing fails."""
    _require_allowed(plan.place, execution)
    environment = execution.environment
    place = await _open(plan.place, environment)
    try:
        with environment.outside.backups.noted(plan.place) as record:
            manifest = await _written(environment, place, record)
    finally:
        await place.close()
    _LOG.info("backup written", place=plan.place, backup=manifest.name, parts=manifest.parts, bytes=manifest.part_bytes)
    copied = record.progress.parts_copied, record.progress.bytes_copied
    row = (manifest.name, Timestamp(manifest.timestamp), manifest.parts, manifest.part_bytes, *copied)
    return whole_rows(plan.desc, [row], "BACKUP")


def _require_allowed(place: str, execution: Execution) -> None:
    if not is_superuser(execution.newest_catalog, execution.role):
        detail = "A backup has everything in it, of all databases, so only superusers may make one."
        raise SqlError(Sqlstate.INSUFFICIENT_PRIVILEGE, "permission denied to make a backup", detail=detail)
    if execution.transaction.lasts:
        raise SqlError(Sqlstate.ACTIVE_SQL_TRANSACTION, "BACKUP cannot run inside a transaction block")
    if place.startswith(_OBJECTS):
        if not urlsplit(place).netloc:
            raise SqlError(Sqlstate.INVALID_PARAMETER_VALUE, f'"{place}" names no bucket: s3://bucket/prefix')
        return
    if (refused := execution.environment.outside.access.to_files()) is not None:
        refused.hint = "BACKUP TO 's3://bucket/prefix' is open as ever."
        raise refused
    if "://" in place:
        message = f'a backup goes to a directory or to s3://bucket/prefix, not to "{place}"'
        raise SqlError(Sqlstate.INVALID_PARAMETER_VALUE, message)
    if not os.path.isabs(place):
        raise SqlError(Sqlstate.INVALID_NAME, "relative path not allowed for BACKUP")


async def _open(place: str, environment: Environment) -> Blob:
    """Returns the place; raises SqlError when a directory can't be made, or when it is this system's blob, or
    another's."""
    address = place if place.startswith(_OBJECTS) else os.path.realpath(place)
    whose = None
    if blobs_overlap(address, environment.storage.blob.uri("x").removesuffix("x")):
        whose = "the system's own parts"
    elif not address.startswith(_OBJECTS) and _in_data_directory(Path(address)):
        whose = "another system's parts, whose garbage collection would take the backup's"
    if whose is not None:
        message = f'"{place}" is a place of {whose}'
        raise SqlError(Sqlstate.INVALID_PARAMETER_VALUE, message, hint="Name a place of its own for backups.")
    try:
        # A client of buckets is large to load.
        return await asyncio.to_thread(open_blob, address)
    except OSError as error:
        raise failed(f'could not use directory "{place}" for a backup', error) from None


def _in_data_directory(path: Path) -> bool:
    """Tells whether a path is, or lies in, the blob of a data directory."""
    blobs = [each for each in (path, *path.parents) if each.name == BLOB_DIRECTORY]
    return any(os.path.exists(blob.parent / CONSENSUS_FILE) for blob in blobs)


async def _written(environment: Environment, place: Blob, record: BackupRecord) -> BackupManifest:
    storage = environment.storage
    captured, states = await _captured(environment)
    try:
        timestamp = _timestamp(captured)
        record.timestamp = timestamp
        record.name = backup_name(timestamp, environment.randomness.token())

        def described(progress: BackupProgress) -> BackupManifest:
            assert record.name is not None
            return BackupManifest(
                name=record.name,
                timestamp=timestamp,
                version=VERSION_TEXT,
                records=dict(captured.records),
                states=(),
                shards=0,
                parts=progress.parts,
                part_bytes=progress.bytes,
            )

        return await BackupWriter(storage.blob, place, storage.runner, record.progress).write(
            captured, states, described
        )
    finally:
        captured.release()


async def _captured(environment: Environment) -> tuple[Captured, list[ShardState]]:
    """Captures the moment between two commits, again where it was overtaken."""
    committer, oracle, storage = environment.committer, environment.oracle, environment.storage
    for _ in range(_CAPTURES_MAX):
        async with committer.hold(LockOwner()):
            stands = oracle.peek_write_ts
            captured = await capture(storage, (FENCE_KEY, TIMELINE_KEY))
        try:
            # Nobody may hold commits for ever: where that took too long, some have gone on.
            if _timestamp(captured) == stands:
                return captured, await captured.states()
        except Overtaken:
            await storage.load([collection.id for collection in storage.collections()])
        except BaseException:
            captured.release()
            raise
        captured.release()
    raise SqlError(Sqlstate.IO_ERROR, "consensus is too slow for all states to be read at one moment")


def _timestamp(captured: Captured) -> Timestamp:
    record = msgspec.msgpack.decode(captured.records[TIMELINE_KEY], type=TimelineRecord)
    return record.oracle.write_ts
