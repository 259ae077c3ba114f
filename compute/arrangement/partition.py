"""Partitions of hashes: contiguous ranges of h, in the order in which batches are sorted.

    partition of h = ((h >> 48) + 2^15) · P >> 16        h is signed, and so is the order; >> keeps the sign

So the sorted files that P tasks write, one for each partition, are one batch when they are put one behind the other.
P belongs to a batch, not to an arrangement: another batch may be made of more files, or fewer.
"""

from __future__ import annotations

from collections.abc import Sequence

from compute.arrangement.batch import ArrangementBatch, BatchFile
from compute.arrangement.equality import Indices

PARTITIONS_MAX = 1 << 16
_LOW_BITS = 48
_HALF = PARTITIONS_MAX // 2


def partition_of(hashes: Indices, partitions: int) -> Indices:
    """Returns the partition of each hash, from 0: a greater hash is never in a lesser partition."""
    return ((hashes >> _LOW_BITS) + _HALF) * partitions >> 16


def hashes_of(partition: int, partitions: int) -> tuple[int, int]:
    """Returns the least and the greatest hash of a partition."""
    begin, end = (-(-each * PARTITIONS_MAX // partitions) - _HALF for each in (partition, partition + 1))
    return begin << _LOW_BITS, (end << _LOW_BITS) - 1


def files_by_partition(
    batches: Sequence[ArrangementBatch], partitions: int
) -> tuple[tuple[tuple[BatchFile, ...], ...], ...]:
    """Returns for each partition, of each batch that has such, the files that may have hashes of it."""
    ranges = [hashes_of(partition, partitions) for partition in range(partitions)]
    found = [[batch.files_between(low, high) for batch in batches] for low, high in ranges]
    return tuple(tuple(filter(None, files)) for files in found)
