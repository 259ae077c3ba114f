"""All casts by their pair of types: the casts listed by families, and the casts of arrays derived from listed casts."""

from __future__ import annotations

from model.types.scalar_type import ScalarType
from planner.functions.casts import numbers as casts_numbers
from planner.functions.casts import other as casts_other
from planner.functions.casts import text as casts_text
from planner.functions.casts import time as casts_time
from planner.functions.collections import range_functions
from planner.functions.geometry import box_rows, circle_rows, point_rows, segment_rows
from planner.functions.numbers import bits, unsigned
from planner.functions.numbers.wide import cast_twins
from planner.functions.signature import Cast
from planner.functions.time import timetz
from planner.functions.types import embeddings, mac_address, money, network


def _casts() -> dict[tuple[ScalarType, ScalarType], Cast]:
    """Builds the table of casts; first rows win: the families list the special casts before those through text, those
    of elements come last."""
    plain: dict[tuple[ScalarType, ScalarType], Cast] = {}
    for family in (
        *(casts_numbers, casts_time, timetz, network, mac_address, money, embeddings),
        *(point_rows, box_rows, segment_rows, circle_rows),
        *(bits, unsigned, casts_other, range_functions, casts_text),
    ):
        for cast in family.CASTS:
            plain.setdefault((cast.source, cast.target), cast)
    for cast in cast_twins(list(plain.values())):
        plain.setdefault((cast.source, cast.target), cast)
    for cast in list(plain.values()):
        if cast.source.element is None and cast.target.element is None and cast.source in casts_text.WRITTEN_ELEMENTS:
            array = casts_other.array_cast(cast)
            plain.setdefault((array.source, array.target), array)
    return plain


CASTS: dict[tuple[ScalarType, ScalarType], Cast] = _casts()


def find_cast(source: ScalarType, target: ScalarType) -> Cast | None:
    """Returns the cast between two types, whatever their modifiers; None when there is none (or none is needed)."""
    return CASTS.get((_unmodified(source), _unmodified(target)))


def _unmodified(type_: ScalarType) -> ScalarType:
    if type_.element is not None:
        return ScalarType(type_.name, element=_unmodified(type_.element))
    return ScalarType(type_.name)
