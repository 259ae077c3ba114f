"""Finds already ended transactions, for a source that is added later and holds changes of such transactions.

A topic's changes may be older than the bound of the transactions' topic. Then the transactions' topic is read again,
once, from its beginning to that bound; for each transaction, eight bytes are kept per collection that it changed.
"""

from __future__ import annotations

import hashlib
from array import array
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from connectors.gauge import Partition, UpstreamFrontier
from connectors.sources.decode.debezium import TransactionEnd, boundary_of
from connectors.upstream import OFFSET, PARTITION, FetchedRange, UpstreamReader

_RECORDS, _BYTES = 10_000, 8 * 1024 * 1024


class PastTransactions:
    """The transactions before `until`, from `reader`, which is closed at the end. `load` decodes its records to
    dicts; it returns None while the writers' schemas are being asked for."""

    def __init__(
        self, reader: UpstreamReader, load: Callable[[pa.Table], list[Any] | None], until: UpstreamFrontier
    ) -> None:
        self._reader: UpstreamReader | None = reader
        self._load = load
        self._unread: FetchedRange | None = None
        self._until = until
        self._reached: dict[Partition, int] = dict(reader.beginning())
        self._hashes: dict[str, array[int]] = defaultdict(lambda: array("Q"))
        self._sorted: dict[str, npt.NDArray[np.uint64]] = {}
        reader.begin(self._reached)

    @property
    def complete(self) -> bool:
        """Tells whether all of the transactions are known."""
        return self._reader is None

    def read(self) -> None:
        """Reads the records that have arrived. Raises SqlError as the reader does."""
        while self._reader is not None:
            if all(self._reached.get(partition, 0) >= bound for partition, bound in self._until.items()):
                self._sorted = {name: np.sort(np.array(found)) for name, found in self._hashes.items()}
                self._hashes.clear()
                self.close()
                return
            fetched, self._unread = self._unread or self._reader.take(_RECORDS, _BYTES), None
            if fetched is None:
                return
            values = self._load(fetched.records)
            if values is None:
                self._unread = fetched
                return
            self._reached |= fetched.frontier
            columns = (fetched.records.column(name).to_pylist() for name in (PARTITION, OFFSET))
            for partition, offset, value in zip(*columns, values, strict=True):
                told = boundary_of(value) if offset < self._until.get(partition, 0) else None
                if isinstance(told, TransactionEnd):
                    for name, count in told.events.items():
                        if count:
                            self._hashes[name].append(_hash(told.id))

    def counted(self, name: str, transaction: str) -> bool:
        """Tells whether a known transaction with this id changed the collection `name`."""
        hashes = self._sorted.get(name)
        if hashes is None:
            return False
        hash_ = np.uint64(_hash(transaction))
        at = int(np.searchsorted(hashes, hash_))
        return at < len(hashes) and bool(hashes[at] == hash_)

    def close(self) -> None:
        """Lets go of the reader. Idempotent."""
        reader, self._reader = self._reader, None
        if reader is not None:
            reader.close()


def _hash(transaction: str) -> int:
    return int.from_bytes(hashlib.blake2b(transaction.encode(), digest_size=8).digest())
