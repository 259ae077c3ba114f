"""Writes a restored system into empty places: parts first, then all of consensus in one step.

So what is restored is there as a whole or not at all. A restore that was interrupted leaves parts, which the next one
writes again; nothing names them meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set

from msgspec.structs import replace

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from storage.backup.manifest import MANIFEST_PREFIX
from storage.backup.reading import NamedPart
from storage.backup.writing import AT_ONCE, checked_part, failed, together
from storage.persist.location import Blob, Consensus
from storage.persist.runner import Runner
from storage.persist.state import ShardState
from storage.persist.version import Version, encode_version, shard_key
from storage.persist.write import PART_PREFIX

_SHOWN_MAX = 3


async def require_empty(consensus: Consensus, blob: Blob, left: Set[str]) -> None:
    """Raises 55000 when consensus holds anything, or the blob parts with other keys than these, which an interrupted
    restore may have left; or backups, whose parts garbage collection would take."""
    if keys := await consensus.list_keys(""):
        raise SqlError(
            Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE,
            "a backup is restored into an empty place, and consensus is not empty",
            detail=f"It has {_some(keys)}.",
            hint="Name another data directory, or another consensus.",
        )
    try:
        there = set(await blob.list_keys(PART_PREFIX))
        backups = await blob.list_keys(MANIFEST_PREFIX)
    except OSError as error:
        raise failed("could not look into the blob", error) from error
    if others := [*sorted(there - left), *backups]:
        raise SqlError(
            Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE,
            "a backup is restored into an empty place, and the blob is not empty",
            detail=f"It has {_some(others)}.",
            hint="Name another data directory, or another blob.",
        )


async def restore_parts(place: Blob, blob: Blob, parts: Iterable[NamedPart], runner: Runner) -> None:
    """Copies parts; raises SqlError naming the first that is missing or damaged, or can't be written."""
    rest = iter(parts)

    async def work() -> None:
        for named in rest:
            data = await checked_part(place, named.part, named.shard, runner)
            try:
                await blob.put(named.part.key, data)
            except OSError as error:
                raise failed(f"could not write part {named.part.key}", error) from error

    await together(work() for _ in range(AT_ONCE))


async def restore_consensus(
    consensus: Consensus, states: Sequence[ShardState], records: Mapping[str, bytes], token: str
) -> None:
    """Writes the states and the other records, each as the first version of its key, in one step; raises 55000 when
    somebody else has written there meanwhile."""
    writes = dict(records)
    for state in states:
        # What earlier versions stopped naming is not here.
        first = replace(state, seqno=1, garbage=())
        writes[shard_key(state.shard)] = encode_version(Version(token=token, transitions=(), rollup=first))
    if not await consensus.compare_and_set(dict.fromkeys(writes), writes):
        raise SqlError(
            Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE, "somebody else has written into consensus: nothing is restored"
        )


def _some(keys: Sequence[str]) -> str:
    shown = ", ".join(keys[:_SHOWN_MAX])
    return shown if len(keys) <= _SHOWN_MAX else f"{shown} and {len(keys) - _SHOWN_MAX} more"
