"""The table of types has a row for each, and what a row says of how values are held is so."""

from __future__ import annotations

import pytest

from model.physical.columns import column_from_arrow, column_to_arrow
from model.text.dispatch import format_datum, parse_datum
from model.types.scalar_type import ScalarType, TypeName, type_from_oid
from model.types.type_table import TYPES, TypeOrder

_VALUES = [ScalarType(name) for name in TypeName if TYPES[name].neutral is not None and name is not TypeName.ENUM]


def test_there_is_a_row_for_each_type_in_their_order() -> None:
    assert list(TYPES) == [name.value for name in TypeName]


def test_no_two_types_have_one_oid() -> None:
    oids = [oid for row in TYPES.values() for oid in (row.oid, row.array_oid) if oid]
    assert len(oids) == len(set(oids))
    found = {type_from_oid(row.oid) for row in TYPES.values() if row.oid} - {None}
    assert ScalarType(TypeName.MACADDR) in found


@pytest.mark.parametrize("type_", _VALUES, ids=str)
def test_the_neutral_value_is_one_of_the_type(type_: ScalarType) -> None:
    neutral = TYPES[type_.name].neutral
    assert column_from_arrow(column_to_arrow([neutral], type_), type_) == [neutral]
    assert parse_datum(format_datum(neutral, type_), type_) == neutral


@pytest.mark.parametrize("name", [name for name in TypeName if TYPES[name].order is TypeOrder.AS_HELD], ids=str)
def test_what_is_ordered_as_it_is_held_is_held_by_a_type_of_its_own(name: TypeName) -> None:
    assert TYPES[name].held is not None


@pytest.mark.parametrize("name", [name for name in TypeName if TYPES[name].one_form], ids=str)
def test_what_has_one_form_can_be_a_key(name: TypeName) -> None:
    assert TYPES[name].neutral is not None
