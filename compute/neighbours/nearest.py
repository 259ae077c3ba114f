"""The rows of an index that are nearest to a vector, exactly, without decoding each row.

    blocks ─▶ of each update a range that holds its distance (singles, all rows at once)
           ─▶ T: so many ranges end at or below T            ─▶ the updates whose range begins at or below T
           ─▶ their distances in doubles, as the function's  ─▶ those at or below T, added up: live rows
           ─▶ rows that meet the conditions; with too few of them, again with a greater T

All updates of one row have one distance, so a row's retractions are always found with it. What is found is closed: no
row outside comes before a row inside, and none ties with one. The order's key is the distance; its negative where the
order is descending, with NaN beyond all numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from compute.arrangement.batch import Block
from compute.neighbours.matrices import Matrices, Positions, VectorMatrix, vector_matrix
from compute.neighbours.neighbour_ranges import DistanceRanges, distance_ranges
from compute.protocol.command import Nearest
from compute.scalars.failure import decode_error
from compute.scalars.long_expressions import ProgramWorker, program_of
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.physical.columns import DIFF_COLUMN, TIME_COLUMN, column_name
from model.types.embedding import dimensions_of_embedding
from model.types.scalar_type import BOOL, ScalarType
from model.updates.consolidate import consolidate
from planner.functions.types.distances import DISTANCES, Doubles, singles_of
from planner.ir.scalar import And

_AT_ONCE_ROWS = 1024
_UPDATES_MAX = 1 << 16
"""So many updates are looked at one by one; more are left to a plan on Spark."""
_MORE = 4


class TooManyNeighbours(SqlError):
    """More rows than are worth a look here are as near, or do not meet the conditions."""

    def __init__(self) -> None:
        super().__init__(Sqlstate.PROGRAM_LIMIT_EXCEEDED, f"more than {_UPDATES_MAX} rows are to be looked at")


@dataclass(frozen=True, slots=True)
class VectorRows:
    """Updates (c0…, diff, …) with the vectors of a column. `used`: the matrix's rows that count (None: all); `nulls`:
    where updates that count have no vector."""

    rows: pa.RecordBatch
    matrix: VectorMatrix
    used: Positions | None
    nulls: Positions

    @property
    def count(self) -> int:
        return len(self.matrix.numbers) if self.used is None else len(self.used)

    def places(self, vectors: Positions) -> Positions:
        """Returns where in `rows` the vectors stand, of which `vectors` are the numbers among those used."""
        places = vectors if self.used is None else self.used[vectors]
        return places if self.matrix.at is None else self.matrix.at[places]

    def numbers(self, vectors: Positions) -> Doubles:
        """Returns the vectors of which `vectors` are the numbers among those used."""
        return self.matrix.numbers[vectors if self.used is None else self.used[vectors]].astype(np.float64)


def of_blocks(blocks: Iterable[Block], nearest: Nearest, as_of: int, matrices: Matrices) -> Iterator[VectorRows]:
    """Yields the updates of an arrangement's blocks until `as_of`. SqlError: a vector has other dimensions."""
    read = matrices.begin()
    for block in blocks:
        matrix = matrices.of(block, nearest.column, dimensions_of_embedding(nearest.to), read)
        nulls = _nulls(block.rows, nearest)
        times = block.numbers(TIME_COLUMN)
        if not (times > as_of).any():
            yield VectorRows(block.rows, matrix, None, nulls)
            continue
        counts = times <= as_of
        used = counts if matrix.at is None else counts[matrix.at]
        yield VectorRows(block.rows, matrix, np.flatnonzero(used), nulls[counts[nulls]])


def of_rows(rows: pa.Table, nearest: Nearest) -> Iterator[VectorRows]:
    """Yields rows that were looked up (c0…, diff, …). SqlError: a vector has other dimensions."""
    for batch in rows.to_batches():
        matrix = vector_matrix(batch.column(column_name(nearest.column)), dimensions_of_embedding(nearest.to))
        yield VectorRows(batch, matrix, None, _nulls(batch, nearest))


def nearest_rows(
    pieces: Sequence[VectorRows], nearest: Nearest, types: Sequence[ScalarType], fewest: int = 64
) -> list[pa.Table]:
    """Returns the first `nearest.rows` rows that meet the conditions (c0…, diff), and perhaps further ones, in no
    order: with each row also all that the order by the distance puts before or beside it. SqlError:
    TooManyNeighbours, or a condition failed. The first look takes `fewest` updates at least, each further one more."""
    found: list[pa.Table] = []
    count = looked = 0
    names = [*map(column_name, range(len(types))), DIFF_COLUMN]
    for rows in _nearest_first(pieces, replace(nearest, rows=max(nearest.rows, fewest)), names):
        looked += rows.num_rows
        live = consolidate(rows) if (pc.min(rows.column(DIFF_COLUMN)).as_py() or 0) < 0 else rows
        met = _meeting(live, nearest, types)
        found.append(met)
        count += pc.sum(met.column(DIFF_COLUMN)).as_py() or 0
        if count >= nearest.rows:
            break
        if looked > _UPDATES_MAX:
            raise TooManyNeighbours
    return found


def _nulls(rows: pa.RecordBatch, nearest: Nearest) -> Positions:
    column = rows.column(column_name(nearest.column))
    if not column.null_count:
        return np.zeros(0, np.int64)
    return np.flatnonzero(column.is_null().to_numpy(zero_copy_only=False))


def _nearest_first(pieces: Sequence[VectorRows], nearest: Nearest, names: list[str]) -> Iterator[pa.Table]:
    """Yields the updates in growing distance: whatever comes in a later table comes later in the order."""
    if nearest.nulls_first:
        yield from _without_vectors(pieces, names)
    yield from _with_vectors(pieces, nearest, names)
    if not nearest.nulls_first:
        yield from _without_vectors(pieces, names)


def _without_vectors(pieces: Sequence[VectorRows], names: list[str]) -> Iterator[pa.Table]:
    if sum(len(piece.nulls) for piece in pieces) > _UPDATES_MAX:
        raise TooManyNeighbours
    rows = [_taken(piece.rows, names, piece.nulls) for piece in pieces if len(piece.nulls)]
    if rows:
        yield pa.Table.from_batches(rows)


def _with_vectors(pieces: Sequence[VectorRows], nearest: Nearest, names: list[str]) -> Iterator[pa.Table]:
    to = singles_of(nearest.to, dimensions_of_embedding(nearest.to))
    ranges = [_ranges(piece, nearest, to[0]) for piece in pieces]
    if not ranges:
        return
    low, high = (np.concatenate(each) for each in zip(*ranges, strict=True))
    begins = np.cumsum([0, *(piece.count for piece in pieces)])
    wanted, done = max(nearest.rows, 1), False
    before: float | None = None
    while len(high) and not done:
        done = wanted >= len(high)
        until = np.inf if done else np.partition(high, wanted - 1)[wanted - 1]
        done = done or until == np.inf
        near = low <= until if before is None else (low <= until) & (high > before)
        candidates = np.flatnonzero(near)
        if len(candidates) > _UPDATES_MAX:
            raise TooManyNeighbours
        rows = []
        for piece, first, last in zip(pieces, begins[:-1], begins[1:], strict=True):
            begin, end = np.searchsorted(candidates, (first, last))
            if begin < end:
                vectors = candidates[begin:end] - first
                keys = _keys(piece, vectors, nearest, to)
                new = keys <= until if before is None else (keys <= until) & (keys > before)
                rows.append(_taken(piece.rows, names, piece.places(vectors[new])))
        if rows:
            yield pa.Table.from_batches(rows)
        wanted, before = wanted * _MORE, until


def _ranges(piece: VectorRows, nearest: Nearest, to: npt.NDArray[np.float32]) -> DistanceRanges:
    """Returns the ranges of the keys of a piece's vectors."""
    low, high = distance_ranges(nearest.distance, piece.matrix, to)
    if piece.used is not None:
        low, high = low[piece.used], high[piece.used]
    return (-high, -low) if nearest.descending else (low, high)


def _keys(piece: VectorRows, vectors: Positions, nearest: Nearest, to: npt.NDArray[np.float32]) -> Doubles:
    """Returns the keys of vectors, which are the function's own answers."""
    distances = DISTANCES[nearest.distance]
    keys = np.empty(len(vectors))
    for first in range(0, len(vectors), _AT_ONCE_ROWS):
        some = slice(first, first + _AT_ONCE_ROWS)
        keys[some] = distances(piece.numbers(vectors[some]), to.astype(np.float64))
    keys = np.where(np.isnan(keys), np.inf, keys)
    return -keys if nearest.descending else keys


def _taken(rows: pa.RecordBatch, names: list[str], places: Positions) -> pa.RecordBatch:
    return rows.select(names).take(pa.array(places))


def _meeting(rows: pa.Table, nearest: Nearest, types: Sequence[ScalarType]) -> pa.Table:
    """Returns the rows that meet the conditions. SqlError: one failed."""
    if not nearest.conditions or not rows.num_rows:
        return rows
    program = program_of(And(nearest.conditions))
    worker = ProgramWorker(program, tuple(types[index] for index in program.columns), BOOL)
    columns = [rows.column(column_name(index)).combine_chunks() for index in program.columns]
    met = worker(*columns)
    failed = met.field("err").drop_null()
    if len(failed):
        raise decode_error(failed[0].as_py())
    return rows.filter(pc.fill_null(met.field("value"), False))
