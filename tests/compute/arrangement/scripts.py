"""Random histories for arrangements and kernels, and what of them is obviously so: lists of updates in plain Python."""

from __future__ import annotations

import contextlib
import datetime
import decimal
import math
import struct
import zlib
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pyarrow as pa
from hypothesis import strategies as st

from compute.arrangement.arrangement import Arrangement
from compute.arrangement.batch import ArrangementBatch
from compute.arrangement.checkpoint import local_store
from compute.arrangement.equality import ints
from compute.arrangement.layout import Layout
from compute.arrangement.partition import partition_of

NAN = float("nan")
OTHER_NAN = struct.unpack("<d", struct.pack("<Q", 0x7FF8000000000123))[0]
_PAIR = pa.struct([("f0", pa.int32()), ("f1", pa.string())])
POOLS: tuple[tuple[pa.DataType, list[Any]], ...] = (
    (pa.int64(), [None, 0, 1, -1, 2**63 - 1]),
    (pa.string(), [None, "", "a", "aaaaaaaa", "aaaaaaaab", "ä" * 20, "a\0"]),
    (pa.float64(), [None, NAN, OTHER_NAN, 1.5, -1.5, math.inf]),
    (pa.bool_(), [None, True, False]),
    (pa.decimal128(38, 18), [None, decimal.Decimal("1.5"), decimal.Decimal("-1.5"), decimal.Decimal(0)]),
    (pa.binary(), [None, b"", b"\0", b"\0\0", b"x" * 9]),
    (pa.date32(), [None, datetime.date(2020, 1, 1), datetime.date(1, 1, 1)]),
    (pa.timestamp("us", tz="UTC"), [None, datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)]),
    (pa.int16(), [None, 0, 7, -7]),
    (pa.float32(), [None, NAN, 0.5]),
    (_PAIR, [None, {"f0": 1, "f1": "a"}, {"f0": None, "f1": "a"}, {"f0": None, "f1": None}]),
    (pa.list_(pa.int64()), [None, [], [1], [1, 2], [None], [2, 1]]),
    (pa.list_(_PAIR), [None, [], [{"f0": 1, "f1": "a"}, None], [{"f0": 1, "f1": None}]]),
)
Key = tuple[Any, ...]
Row = tuple[Any, ...]
CanonicalRow = tuple[Hashable, ...]


@dataclass(frozen=True)
class Update:
    """`row` holds a row's columns; of an arrangement of sums, its contributions."""

    key: Key
    row: Row
    time: int
    diff: int


@dataclass(frozen=True)
class Tick:
    """What comes in at times of [lower, upper), in the chunks it comes in, and what happens before and after. `parts`:
    into how many files tasks have sorted it; 0 when it comes as rows."""

    lower: int
    upper: int
    chunks: tuple[tuple[Update, ...], ...]
    discarded_first: bool
    compacted: bool
    afterwards: str
    parts: int = 0

    @property
    def updates(self) -> list[Update]:
        return [update for chunk in self.chunks for update in chunk]


@dataclass(frozen=True)
class Script:
    layout: Layout
    ticks: tuple[Tick, ...]
    chunk_rows: int
    hash_of: Callable[[Key], int]


def canonical(value: Any) -> Hashable:
    """Equal where stored values are: all NaN are one, 0.0 is not -0.0."""
    match value:
        case float():
            return "NaN" if math.isnan(value) else struct.pack("<d", value)
        case list() | tuple():
            return tuple(canonical(item) for item in value)
        case datetime.datetime():
            return ("datetime", value.isoformat())
        case decimal.Decimal():
            return ("Decimal", str(value.normalize()))
        case dict():
            return tuple((name, canonical(item)) for name, item in value.items())
        case _:
            return (type(value).__name__, value)


def canonical_row(row: Iterable[Any]) -> CanonicalRow:
    return tuple(canonical(value) for value in row)


_HASHES: tuple[Callable[[Key], int], ...] = (
    lambda key: 42,
    lambda key: zlib.crc32(repr(canonical(key)).encode()) % 3 - 1,
    lambda key: (zlib.crc32(repr(canonical(key)).encode()) << 31) - 2**62,
)


@st.composite
def scripts(
    draw: st.DrawFn,
    *,
    rows: bool = True,
    sums: int = 0,
    key_is_row: bool = False,
    keyless: bool = False,
    ordered: bool = False,
) -> Script:
    """Up to five ticks over few keys and rows, so that much cancels; the seed of it all is hypothesis's."""
    key_pools = [] if keyless else draw(st.lists(st.sampled_from(POOLS), min_size=0 if key_is_row else 1, max_size=2))
    row_pools = draw(st.lists(st.sampled_from(POOLS), max_size=3)) if rows else []
    layout = Layout(
        tuple(type_ for type_, _ in key_pools),
        tuple(type_ for type_, _ in (key_pools if key_is_row else row_pools)),
        sums,
        ordered,
    )
    keys = st.tuples(*(st.sampled_from(values) for _, values in key_pools))
    some_keys = st.sampled_from(draw(st.lists(keys, min_size=1, max_size=4)))
    columns = [st.sampled_from(values) for _, values in row_pools] + [st.integers(-5, 5)] * sums
    some_rows = st.sampled_from(draw(st.lists(st.tuples(*columns), min_size=1, max_size=4)))
    ticks = []
    lower = draw(st.integers(0, 3))
    for _ in range(draw(st.integers(1, 5))):
        upper = lower + draw(st.integers(1, 4))
        update = st.builds(
            lambda key, row, time, diff: Update(key, key if key_is_row else row, time, diff),
            some_keys,
            some_rows,
            st.integers(lower, upper - 1),
            st.sampled_from([1, 1, 1, -1, 2, -3]),
        )
        chunks = draw(st.lists(st.lists(update, max_size=6).map(tuple), max_size=4).map(tuple))
        after = draw(st.sampled_from(["", "", "checkpoint", "reopen"]))
        parts = draw(st.sampled_from([0, 0, 1, 2, 7]))
        ticks.append(Tick(lower, upper, chunks, draw(st.booleans()), draw(st.booleans()), after, parts))
        lower = upper
    chunk_rows = draw(st.sampled_from([1, 2, 7, 1 << 16]))
    return Script(layout, tuple(ticks), chunk_rows, draw(st.sampled_from(_HASHES)))


def order_of(row: Row) -> int:
    """Where a row comes among those of its key, if the arrangement orders them; different rows may come together."""
    return zlib.crc32(repr(canonical_row(row)).encode()) % 5 - 2


def keyed_table(script: Script, layout: Layout, updates: Iterable[Update]) -> pa.Table:
    updates = list(updates)
    columns: list[list[Any]] = [[script.hash_of(update.key) for update in updates]]
    columns += [[update.key[i] for update in updates] for i in range(len(layout.key))]
    columns += [[order_of(update.row) for update in updates]] * layout.ordered
    columns += [[update.row[i] for update in updates] for i in range(len(layout.values) + layout.sums)]
    columns += [[update.time for update in updates], [update.diff for update in updates]]
    arrays = [pa.array(column, field.type) for column, field in zip(columns, layout.schema, strict=True)]
    return pa.Table.from_arrays(arrays, schema=layout.schema)


def insert(script: Script, tick: Tick, chunks: Iterable[Iterable[Update]], arrangement: Arrangement) -> None:
    """Inserts chunks as the tick says: as rows, or as a batch of several files."""
    tables = [keyed_table(script, script.layout, chunk) for chunk in chunks]
    if tick.parts:
        arrangement.adopt(in_parts(arrangement, tables, tick.parts))
        return
    for table in tables:
        arrangement.insert(table)


def in_parts(arrangement: Arrangement, tables: Sequence[pa.Table], parts: int) -> ArrangementBatch:
    """Sorts rows into a file for each partition, as so many tasks would, and returns the files as one batch."""
    store = arrangement.store
    assert store is not None
    batches = []
    for part in range(parts):
        alone = Arrangement(arrangement.layout, store)
        for table in tables:
            alone.insert(table.filter(pa.array(partition_of(ints(table.column("h")), parts) == part)))
        batches.append(alone.write_changes(store))
    return ArrangementBatch.joined(batches)


def contents(updates: Iterable[Update], until: int) -> Counter[tuple[CanonicalRow, CanonicalRow]]:
    """How often each (key, row) is there before the time `until`."""
    counts: Counter[tuple[CanonicalRow, CanonicalRow]] = Counter()
    for update in updates:
        if update.time < until:
            counts[canonical_row(update.key), canonical_row(update.row)] += update.diff
    return Counter({row: count for row, count in counts.items() if count})


def counted(chunks: Iterable[pa.Table]) -> Counter[Hashable]:
    """The rows of tables whose last column is diff, canonical, with the sums of it."""
    counts: Counter[Hashable] = Counter()
    for table in chunks:
        assert table.num_rows > 0
        for row in zip(*(column.to_pylist() for column in table.columns), strict=True):
            counts[canonical_row(row[:-1])] += row[-1]
    return Counter({row: count for row, count in counts.items() if count})


class Subject:
    """Arrangements that live through a script: ticks run twice, state is compacted, written and found again."""

    def __init__(self, directory: Path, *layouts: Layout) -> None:
        self._directory = directory
        self._layouts = {str(i): layout for i, layout in enumerate(layouts)}
        self._store = local_store(directory)
        self.arrangements = tuple(self._store.arrangement(layout) for layout in layouts)

    def __enter__(self) -> Subject:
        return self

    def __exit__(self, *_: object) -> None:
        self._store.close()

    def run(self, tick: Tick, step: Callable[..., list[pa.Table]]) -> list[pa.Table]:
        """What `step` of the arrangements gives of the tick."""
        for arrangement in self.arrangements if tick.compacted else ():
            arrangement.allow_compaction(tick.lower - 1)
        if tick.discarded_first:
            step(*self.arrangements)
            for arrangement in self.arrangements:
                arrangement.discard()
        result = step(*self.arrangements)
        for arrangement in self.arrangements:
            arrangement.seal()
        if tick.afterwards:
            named = dict(zip(self._layouts, self.arrangements, strict=True))
            self._store.checkpoint("fingerprint", tick.upper, dict.fromkeys(named, tick.lower), named)
        if tick.afterwards == "reopen":
            self._store.close()
            self._store = local_store(self._directory)
            found = self._store.open("fingerprint", self._layouts)
            assert found is not None
            assert (found.upper, found.sinces) == (tick.upper, dict.fromkeys(self._layouts, tick.lower))
            self.arrangements = tuple(found.arrangements.values())
        return result


@contextlib.contextmanager
def tight_limits(*, colliding_rows: bool = False) -> Iterator[None]:
    """Blocks of some rows, merges of some steps, files for some bytes: what takes millions of updates otherwise."""
    with contextlib.ExitStack() as stack:
        for name, value in (
            ("merge.BLOCK_ROWS", 3),
            ("merge._STEP_ROWS_MIN", 2),
            ("merge._STEP_ROWS_MAX", 3),
            ("spine.SPILL_BYTES", 150),
            ("spine._WORK_PER_ROW", 3),
            ("spine._WORK_PER_INSERT", 1),
            ("arrangement._SORTED_AT_ONCE_ROWS", 4),
        ):
            stack.enter_context(patch(f"compute.arrangement.{name}", value))
        if colliding_rows:
            stack.enter_context(patch("storage.persist.row_hash._FIRST", 0))
        yield
