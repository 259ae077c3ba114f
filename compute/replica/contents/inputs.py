"""A shard's contents as a DataFrame of columns c0, c1, …, each row with its multiplicity.

Cancelled rows of plain files are identified by all columns, bytewise: NULL matches NULL, NaN matches NaN, and -0.0 does
not match 0.0. Only rows equal to a cancelled row are counted; the others pass through.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pyarrow as pa
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import ArrayType, DataType, DoubleType, FloatType, LongType, StructField, StructType

from compute.replica.contents.narrow_parts import conformed_frame
from compute.replica.contents.shard_contents import Contents, expand, expanded_size
from compute.spark.frames import frame_of
from compute.spark.schema import spark_schema, timed_schema
from model.physical.columns import DIFF_COLUMN, TIME_COLUMN
from model.time.timestamp import Timestamp
from model.types.relation_desc import RelationDesc
from storage.persist.snapshot import Snapshot
from storage.persist.state import Part

_EXPAND_HERE_MAX = 1_000_000
_EXPAND_HERE_BYTES_MAX = 64 << 20
_COUNT = "count"


def input_frame(
    session: SparkSession, snapshot: Snapshot, contents: Contents, paths: Mapping[str, str], *, small: bool
) -> DataFrame:
    """Returns the collection's rows; `paths` are the files of its parts, by key. Blocks for some milliseconds.

    `small` rows are worked through in one task: without broadcasts, whose memory Spark frees only when Java next looks
    for garbage, megabytes for each.
    """
    if contents.mixed:
        return _consolidated(session, snapshot, contents, paths)
    frames = []
    if contents.plain:
        frames.append(_without(_plain(session, snapshot, contents.plain, paths), contents.cancelled, session, small))
    if contents.added.num_rows or not frames:
        frames.append(_added(session, contents.added, snapshot.desc))
    frame = frames[0]
    for other in frames[1:]:
        frame = frame.unionAll(other)
    return frame


def _added(session: SparkSession, table: pa.Table, desc: RelationDesc) -> DataFrame:
    copies, bytes_ = expanded_size(table)
    if desc.arity == 0:
        return session.range(copies).select()
    fits = copies <= _EXPAND_HERE_MAX and bytes_ <= _EXPAND_HERE_BYTES_MAX
    if fits or copies <= 2 * table.num_rows:
        return frame_of(session, expand(table), spark_schema(desc))
    counted = frame_of(session, table, _counted_schema(desc))
    return _repeat(counted, DIFF_COLUMN, desc.arity)


def _plain(session: SparkSession, snapshot: Snapshot, parts: Sequence[Part], paths: Mapping[str, str]) -> DataFrame:
    cut = [part for part in parts if part.time_max is not None and part.time_max > snapshot.as_of]
    whole = [part for part in parts if part not in cut]
    frames = []
    if whole:
        files = [paths[part.key] for part in whole]
        frames.append(conformed_frame(session.read.schema(spark_schema(snapshot.desc)).parquet(*files), snapshot.desc))
    if cut:
        files = [paths[part.key] for part in cut]
        timed = conformed_frame(session.read.schema(timed_schema(snapshot.desc)).parquet(*files), snapshot.desc)
        frames.append(_until(timed, snapshot.as_of))
    return frames[0] if len(frames) == 1 else frames[0].unionAll(frames[1])


def _consolidated(session: SparkSession, snapshot: Snapshot, contents: Contents, paths: Mapping[str, str]) -> DataFrame:
    """Returns all rows with their diffs, summed by Spark."""
    schema = _counted_schema(snapshot.desc)
    updates = [
        frame_of(session, contents.added, schema),
        frame_of(session, contents.cancelled, schema).withColumn(DIFF_COLUMN, -F.col(DIFF_COLUMN)),
        *(_updates(session, snapshot, part, paths[part.key]) for part in contents.files),
    ]
    frame = updates[0]
    for other in updates[1:]:
        frame = frame.unionAll(other)
    arity = snapshot.desc.arity
    columns = [F.first(F.col(f"c{i}")).alias(f"c{i}") for i in range(arity)]
    total = F.sum(DIFF_COLUMN).alias(_COUNT)
    keys = _identity(frame.drop(DIFF_COLUMN))
    counted = frame.groupBy(*keys).agg(*columns, total).select(*(f"c{i}" for i in range(arity)), _COUNT)
    return _repeat(counted.where(F.col(_COUNT) > 0), _COUNT, arity)


def _updates(session: SparkSession, snapshot: Snapshot, part: Part, path: str) -> DataFrame:
    fields = list(spark_schema(snapshot.desc).fields)
    if part.time_column:
        fields.append(StructField(TIME_COLUMN, LongType()))
    if part.diff_column:
        fields.append(StructField(DIFF_COLUMN, LongType()))
    frame = conformed_frame(session.read.schema(StructType(fields)).parquet(path), snapshot.desc)
    if part.time_column:
        frame = _until(frame, snapshot.as_of)
    if not part.diff_column:
        frame = frame.withColumn(DIFF_COLUMN, F.lit(part.diff).cast("long"))
    return frame


def _until(timed: DataFrame, as_of: Timestamp) -> DataFrame:
    return timed.where(F.col(TIME_COLUMN) <= F.lit(as_of)).drop(TIME_COLUMN)


def _without(plain: DataFrame, cancelled: pa.Table, session: SparkSession, small: bool) -> DataFrame:
    """Returns plain ⊖ cancelled."""
    if not cancelled.num_rows:
        return plain
    arity = len(plain.columns)
    names = {f"c{i}": f"k{i}" for i in range(arity)}
    schema = StructType(
        [StructField(names[f.name], f.dataType, f.nullable) for f in plain.schema.fields]
        + [StructField(DIFF_COLUMN, LongType())]
    )
    renamed = cancelled.rename_columns([names.get(name, name) for name in cancelled.column_names])
    gone = frame_of(session, renamed, schema)
    plain, gone = (plain.coalesce(1), gone.coalesce(1)) if small else (plain, F.broadcast(gone))
    matches = F.lit(True)
    for mine, theirs in zip(_identity(plain), _identity(gone.drop(DIFF_COLUMN)), strict=True):
        matches = matches & mine.eqNullSafe(theirs)
    untouched = plain.join(gone, matches, "left_anti")
    touched = plain.join(gone, matches, "inner")
    keys = _identity(plain)
    columns = [F.first(F.col(f"c{i}")).alias(f"c{i}") for i in range(arity)]
    left = (F.count(F.lit(1)) - F.first(F.col(DIFF_COLUMN))).alias(_COUNT)
    counted = touched.groupBy(*keys).agg(*columns, left).select(*names, _COUNT).where(F.col(_COUNT) > 0)
    return untouched.unionAll(_repeat(counted, _COUNT, arity))


def _identity(frame: DataFrame) -> list[Column]:
    """Returns expressions that tell rows apart: the columns, and the sign of zero, which Spark's equality ignores."""
    keys = []
    for index, field in enumerate(frame.schema.fields):
        column = frame[field.name]
        keys.append(column.alias(f"i{index}"))
        if isinstance(field.dataType, DoubleType | FloatType):
            negative_zero = (column == 0) & column.cast("string").startswith("-")
            keys.append(negative_zero.alias(f"z{index}"))
        elif _holds_floats(field.dataType):
            keys.append(column.cast("string").alias(f"z{index}"))
    return keys


def _holds_floats(type_: DataType) -> bool:
    """Returns whether arrays or structs contain floats, where Spark also treats both zeros as equal."""
    match type_:
        case ArrayType():
            return _holds_floats(type_.elementType)
        case StructType():
            return any(_holds_floats(field.dataType) for field in type_.fields)
        case _:
            return isinstance(type_, DoubleType | FloatType)


def _repeat(frame: DataFrame, count: str, arity: int) -> DataFrame:
    """Returns each row as often as column `count` says, without the column."""
    copies = F.explode(F.sequence(F.lit(1).cast("long"), F.col(count)))
    return frame.withColumn("copy", copies).select(*(f"c{i}" for i in range(arity)))


def _counted_schema(desc: RelationDesc) -> StructType:
    return StructType([*spark_schema(desc).fields, StructField(DIFF_COLUMN, LongType())])
