"""What a statement's comparisons leave out of the rows that are sent to Spark."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from compute.replica.contents.narrowing import bounds_of, narrowed
from compute.replica.contents.part_ranges import PartRanges, read_ranges
from compute.replica.contents.shard_contents import Contents
from model.ids.global_id import GlobalId
from model.physical.columns import rows_to_arrow
from model.types.datum import Datum
from model.types.relation_desc import relation_desc
from model.types.scalar_type import BOOL, DATE, INT4, INT8, TEXT, TIMESTAMP, TIMESTAMPTZ, ScalarType
from model.types.wide_time import DAY_MIN, INFINITE, MICROS_MIN, WideDate, WideMoment
from planner.ir.relation import Filter, Get, Join, JoinKind, Relation
from planner.ir.scalar import Call, Column, Literal, Scalar
from storage.persist.batch import encode_part
from storage.persist.state import Part

TABLE, OTHER = GlobalId.user(1), GlobalId.user(2)
DESC = relation_desc(("a", INT8), ("b", INT4))
READ = Get(TABLE, DESC)
EMPTY = pa.table({})


def compare(operator: str, column: int, value: int | None) -> Scalar:
    type_ = DESC.types[column]
    name = f"{operator}_{type_.name.value}_{type_.name.value}"
    return Call(name, (Column(column, type_), Literal(value, type_)), BOOL)


def fails_sometimes() -> Scalar:
    quotient = Call("divide_int4_int4", (Literal(1, INT4), Column(1, INT4)), INT4)
    return Call("eq_int4_int4", (quotient, Literal(1, INT4)), BOOL)


def bounds(*predicates: Scalar) -> dict[int, tuple[int, int]]:
    return dict(bounds_of(Filter(READ, predicates), TABLE))


def test_comparisons_with_constants_bound_a_column() -> None:
    most = 2**63 - 1
    assert bounds(compare("ge", 0, 3), compare("lt", 0, 9)) == {0: (3, 8)}
    assert bounds(compare("gt", 0, 3), compare("eq", 1, 5)) == {0: (4, most), 1: (5, 5)}
    assert bounds(compare("ne", 0, 3), compare("le", 1, 5)) == {1: (-most - 1, 5)}
    assert bounds(compare("eq", 0, None)) == {}


def test_a_predicate_that_may_fail_is_not_passed_by() -> None:
    assert bounds(fails_sometimes(), compare("eq", 0, 1)) == {}
    assert bounds(compare("eq", 0, 1), fails_sometimes(), compare("eq", 1, 1)) == {0: (1, 1)}


def test_the_lower_filter_comes_first() -> None:
    upper = Filter(Filter(READ, (fails_sometimes(),)), (compare("eq", 0, 1),))
    assert bounds_of(upper, TABLE) == {}


def test_a_collection_that_is_read_twice_is_sent_whole() -> None:
    narrow: Relation = Filter(READ, (compare("eq", 0, 1),))
    other = Filter(Get(OTHER, DESC), (compare("eq", 0, 2),))
    assert bounds_of(Join(JoinKind.INNER, narrow, READ, ()), TABLE) == {}
    assert bounds_of(Join(JoinKind.INNER, narrow, other, ()), TABLE) == {0: (1, 1)}


def test_rows_outside_are_left_out_and_null_with_them() -> None:
    def rows(*values: int | None) -> pa.Table:
        columns = {"c0": pa.array(values, pa.int64()), "c1": pa.array([0] * len(values), pa.int32())}
        return pa.table({**columns, "diff": pa.array([1] * len(values), pa.int64())})

    contents = Contents((), (), rows(1, 5, None, 9), rows(2, 6))
    left = narrowed(contents, {0: (5, 8)}, lambda part: False)
    assert left.added.column("c0").to_pylist() == [5]
    assert left.cancelled.column("c0").to_pylist() == [6]
    nothing = narrowed(contents, {0: (8, 5)}, lambda part: False)
    assert (nothing.added.num_rows, nothing.cancelled.num_rows) == (0, 0)


def test_files_outside_the_bounds_are_left_out(tmp_path: Path) -> None:
    desc = relation_desc(("a", INT8), ("b", INT4), ("c", TEXT))
    parts: dict[str, tuple[Part, str]] = {}

    def write(name: str, *rows: tuple[int | None, int | None, str | None]) -> Part:
        part, data = encode_part(rows_to_arrow(rows, desc), desc, name)
        path = tmp_path / name
        path.write_bytes(data)
        parts[name] = part, str(path)
        return part

    low = write("low", (1, None, "x"), (5, None, "y"))
    high = write("high", (9, 1, None), (None, 2, None))
    nothing = write("nothing", (None, None, None))
    ranges = PartRanges()

    def left(bounds: dict[int, tuple[int, int]]) -> list[str]:
        return [name for name, (part, path) in parts.items() if not ranges.outside(part, path, bounds)]

    assert left({0: (5, 8)}) == ["low"]
    assert left({0: (6, 8)}) == []
    assert left({0: (-100, 100)}) == ["low", "high"]
    assert left({1: (2, 2)}) == ["high"]
    assert left({0: (1, 1), 1: (2, 2)}) == []
    assert left({}) == ["low", "high", "nothing"]
    contents = Contents((low, high), (nothing,), EMPTY, EMPTY)
    kept = narrowed(contents, {0: (9, 9)}, lambda part: ranges.outside(part, parts[part.key][1], {0: (9, 9)}))
    assert (kept.plain, kept.mixed) == ((high,), ())


@pytest.mark.parametrize(("type_", "value"), [
    (DATE, WideDate(INFINITE)), (DATE, WideDate(-INFINITE)), (DATE, WideDate(DAY_MIN)),
    (TIMESTAMP, WideMoment(INFINITE)), (TIMESTAMPTZ, WideMoment(-INFINITE)), (TIMESTAMPTZ, WideMoment(MICROS_MIN)),
])  # fmt: skip
def test_dates_beyond_python_hide_no_other_column(tmp_path: Path, type_: ScalarType, value: Datum) -> None:
    desc = relation_desc(("at", type_), ("n", INT4))
    path = tmp_path / "part"
    path.write_bytes(encode_part(rows_to_arrow([(value, 3), (None, 7)], desc), desc, "part")[1])
    assert read_ranges(str(path))["c1"] == (3, 7)
    assert "c0" not in read_ranges(str(path))


def test_a_file_that_cannot_be_read_is_left_to_spark(tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    broken.write_bytes(b"PAR1 and no more")
    assert read_ranges(str(broken)) == {}
    assert read_ranges(str(tmp_path / "absent")) == {}
