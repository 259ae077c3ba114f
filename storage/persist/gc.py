"""Garbage collection: deletes parts that no reader can need any more.

A part that version s of a shard stopped naming may be deleted once no holder reads a version before s. A part that was
staged and never appended is deleted when the part is old and no append is waiting for it. Only the holder of the fence
may judge, since only the holder is sure to know the newest states.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from storage.persist.location import Blob
from storage.persist.shard import PreparedWrite, ShardMachine
from storage.persist.transition import Collected
from storage.persist.write import PART_PREFIX, shard_of, staged_ms

ORPHAN_AGE_MS = 60 * 60 * 1000
COLLECTED_MAX = 1000
"""Parts deleted in one step."""


async def collect_garbage(machine: ShardMachine, blob: Blob, oldest_seqno: int | None) -> PreparedWrite | None:
    """Deletes unneeded parts, given the version of the oldest hold (None: no hold); returns the write that records
    it."""
    keys = [
        garbage.key for garbage in machine.state.garbage if oldest_seqno is None or garbage.removed <= oldest_seqno
    ][:COLLECTED_MAX]
    for key in keys:
        await blob.delete(key)
    if not keys:
        return None
    return PreparedWrite(machine, (Collected(keys=tuple(keys)),))


async def old_parts(blob: Blob, now_ms: int, age_ms: int = ORPHAN_AGE_MS) -> dict[str, list[str]]:
    """Returns the parts of each shard that were staged more than `age_ms` ago, including parts in use."""
    old: dict[str, list[str]] = {}
    for key in await blob.list_keys(PART_PREFIX):
        if staged_ms(key) + age_ms <= now_ms:
            old.setdefault(shard_of(key), []).append(key)
    return old


async def delete_orphans(
    machine: ShardMachine, blob: Blob, preconditions: Mapping[str, int | None], old: Sequence[str]
) -> list[str]:
    """Deletes the parts of `old` that no state names and no append awaits; returns their keys. Deletes nothing when
    fenced.

    The shard may not exist: the transaction that staged the parts never committed.
    """
    async with machine.lock:
        # Listed first, checked then: whoever fences us later stages parts that are not in the list.
        if not await machine.consensus.compare_and_set(preconditions, {}):
            return []
        await machine.refresh()
    named = set(machine.stage.underway)
    if machine.exists:
        named.update(part.key for batch in machine.state.batches for part in batch.parts)
        named.update(garbage.key for garbage in machine.state.garbage)
    orphans = [key for key in old if key not in named]
    for key in orphans:
        await blob.delete(key)
    return orphans
