"""Labels keep their positions whatever is done to their type, and columns carry the type as it is."""

from __future__ import annotations

import pytest

from catalog.changes.apply import apply
from catalog.changes.change import AlterEnum, CreateItem, DropItems, RenameItem
from catalog.changes.enums import changed_labels, first_labels
from catalog.durable.rows import initial_state, load, rows
from catalog.lookup.targets import DdlSession
from catalog.nouns.items import SUPERUSER_OID, Enum, Table
from catalog.state.catalog_state import CatalogState
from catalog.translation.types import translate_alter_type
from model.errors.sql_error import NotSupported, SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.types.relation_desc import relation_desc
from model.types.scalar_type import ScalarType, array_of
from planner.plans.types import AddedLabel, AlterTypePlan, RenamedLabel

_TYPE, _TABLE = GlobalId.user(1), GlobalId.user(2)


def _created(id_: GlobalId, oid: int, name: str, definition: Enum | Table) -> CreateItem:
    return CreateItem(id_, oid, "headwater", "public", name, SUPERUSER_OID, 0, definition)


def _type(state: CatalogState) -> ScalarType:
    type_ = state.items[_TYPE].type
    assert type_ is not None
    return type_


def _table(type_: ScalarType) -> CreateItem:
    desc = relation_desc(("a", type_), ("b", array_of(type_)))
    return _created(_TABLE, 20010, "t", Table(desc, (None, None), None, "CREATE TABLE t"))


def _with_type() -> CatalogState:
    return apply(initial_state(), [_created(_TYPE, 20000, "color", Enum(20001, first_labels(("red", "blue"))))])


def test_labels_put_between_others_take_a_position_between_theirs() -> None:
    labels = first_labels(("a", "b"))
    labels = changed_labels(labels, AddedLabel("m", False, "b", True))
    labels = changed_labels(labels, AddedLabel("n", False, "m", False))
    labels = changed_labels(labels, AddedLabel("first", False, "a", True))
    labels = changed_labels(labels, AddedLabel("last", False, None, False))
    assert [label for label, _ in labels] == ["first", "a", "m", "n", "b", "last"]
    assert [position for _, position in labels] == sorted({position for _, position in labels})
    assert dict(labels)["a"] == 1.0 and dict(labels)["b"] == 2.0


def test_a_gap_that_is_full_is_an_error_and_no_wrong_order() -> None:
    labels = first_labels(("a", "b"))
    with pytest.raises(SqlError) as caught:
        for number in range(100):
            labels = changed_labels(labels, AddedLabel(f"x{number}", False, "b", True))
    assert caught.value.sqlstate is Sqlstate.PROGRAM_LIMIT_EXCEEDED
    assert [position for _, position in labels] == sorted({position for _, position in labels})


def test_columns_carry_changed_labels_and_names() -> None:
    state = _with_type()
    state = apply(state, [_table(_type(state))])
    changes = (AddedLabel("green", False, "blue", True), RenamedLabel("red", "crimson"))
    state = apply(state, [*(AlterEnum(_TYPE, change) for change in changes), RenameItem(_TYPE, "Shade")])
    type_ = _type(state)
    assert type_.enum is not None and type_.enum.name == '"Shade"'
    assert [label for label, _ in type_.enum.labels] == ["crimson", "green", "blue"]
    assert state.items[_TABLE].desc.types == (type_, array_of(type_))
    assert load(rows(state)) == state


def test_a_table_made_for_an_older_type_gets_the_present_one() -> None:
    before = _with_type()
    table = _table(_type(before))
    after = apply(apply(before, [AlterEnum(_TYPE, AddedLabel("green", False, None, False))]), [table])
    assert after.items[_TABLE].desc.types[0] == _type(after) != _type(before)
    with pytest.raises(SqlError) as caught:
        apply(apply(before, [DropItems((_TYPE,), False)]), [table])
    assert caught.value.sqlstate is Sqlstate.UNDEFINED_OBJECT


def test_oids_of_types_and_their_arrays_are_given_once() -> None:
    state = _with_type()
    assert state.next_oid == 20002
    assert state.type_by_oid(20000) == _type(state) and state.type_by_oid(20001) == array_of(_type(state))
    assert state.type_by_oid(20002) is None


def test_a_type_with_columns_is_not_dropped_from_under_them() -> None:
    state = _with_type()
    state = apply(state, [_table(_type(state))])
    with pytest.raises(SqlError) as caught:
        apply(state, [DropItems((_TYPE,), False)])
    assert caught.value.sqlstate is Sqlstate.DEPENDENT_OBJECTS_STILL_EXIST
    assert caught.value.detail == "table public.t depends on type public.color"


def test_labels_that_sql_texts_name_are_not_renamed_from_under_them() -> None:
    state = _with_type()
    desc = relation_desc(("a", _type(state)))
    table = _created(_TABLE, 20010, "t", Table(desc, ("'red'",), None, "CREATE TABLE t"))
    state = apply(state, [table])
    session = DdlSession("headwater", ("public",), "headwater", "pg_temp_1")
    with pytest.raises(NotSupported):
        translate_alter_type(AlterTypePlan(("color",), RenamedLabel("red", "crimson")), state, session)
    changes, _ = translate_alter_type(AlterTypePlan(("color",), RenamedLabel("blue", "navy")), state, session)
    enum = _type(apply(state, changes)).enum
    assert enum is not None and [label for label, _ in enum.labels] == ["red", "navy"]
