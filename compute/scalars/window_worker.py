"""Window calls without a lowering: in Spark's Python workers, a group at a time, as the interpreter evaluates them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import pyarrow as pa

from compute.scalars.python_worker import Types, error_text, make_room, storable, told_of
from model.errors.sql_error import SqlError
from model.physical.columns import column_from_arrow, column_to_arrow
from model.types.datum import Datum
from model.types.scalar_type import ScalarType, TypeName
from planner.interpret.frames import peers_of
from planner.interpret.window_values import BoundCall, values_of


@dataclass(frozen=True, slots=True)
class WindowWorker:
    """Evaluates window calls.

    Groups arrive as lists of structs: `place` (a row's number in the window's order), `rank` (equal for peers), then
    the parts of all calls, `v0…`. A group's answer is a list of structs `f0…`, one for each row in order of arrival, or
    an error. `parts` are the types of v0…; each call takes its own number of parts, one call after the other.
    """

    calls: tuple[BoundCall, ...]
    widths: tuple[int, ...]
    parts: Types
    results: Types

    def __call__(self, groups: pa.ListArray) -> pa.Array:
        make_room()
        record = result_of(self.results)
        values: list[Any] = []
        errors: list[str | None] = []
        for group in self._groups(groups):
            try:
                values.append(self._answers(group))
                errors.append(None)
            except (SqlError, RecursionError) as failure:
                values.append(None)
                errors.append(error_text(told_of(failure)))
        column = column_to_arrow(values, ScalarType(TypeName.LIST, member=record))
        return pa.StructArray.from_arrays([column, pa.array(errors, pa.string())], names=["value", "err"])

    def _answers(self, group: list[tuple[Any, ...]]) -> list[tuple[Datum, ...]]:
        order = sorted(range(len(group)), key=lambda at: group[at][0])
        peers = peers_of([group[at][1] for at in order])
        columns: list[list[Datum]] = []
        first = 2
        for call, width, type_ in zip(self.calls, self.widths, self.results, strict=True):
            rows = [group[at][first : first + width] for at in order]
            columns.append([storable(value, type_) for value in values_of(call, rows, peers)])
            first += width
        answers: list[tuple[Datum, ...]] = [()] * len(group)
        for at, cells in zip(order, zip(*columns, strict=True), strict=True):
            answers[at] = cells
        return answers

    def _groups(self, groups: pa.ListArray) -> Iterator[list[tuple[Any, ...]]]:
        structs = groups.flatten()
        places, ranks = structs.field("place").to_pylist(), structs.field("rank").to_pylist()
        parts = [column_from_arrow(structs.field(f"v{i}"), type_) for i, type_ in enumerate(self.parts)]
        rows = list(zip(places, ranks, *parts, strict=True))
        offsets = groups.offsets.to_pylist()
        for start, end in pairwise(offsets):
            yield rows[start - offsets[0] : end - offsets[0]]


def result_of(results: Types) -> ScalarType:
    """Returns a row's answers, as a record."""
    return ScalarType(TypeName.RECORD, fields=tuple((f"f{i}", type_) for i, type_ in enumerate(results)))
