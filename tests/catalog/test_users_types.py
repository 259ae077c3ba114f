"""Domains and composite types in the catalog: what is made of them carries their names, and is not left without."""

from __future__ import annotations

from dataclasses import replace

import pytest

from catalog.changes.apply import apply
from catalog.changes.change import AlterDomain, CreateItem, DropItems, RenameItem
from catalog.durable.rows import initial_state, load, rows
from catalog.facts.constraints import demands
from catalog.nouns.items import SUPERUSER_OID, Composite, Definition, Domain, Table
from catalog.sql.definitions import create_sql
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.types.relation_desc import relation_desc
from model.types.scalar_type import INT4, TEXT, ScalarType, array_of, declared_oid, type_oid, users_array_oid
from planner.catalog_view import DomainCheck, DomainRules
from planner.plans.types import AddedCheck, ChangedDomainDefault, ChangedNullability, DroppedCheck

_DOMAIN, _INNER, _PAIR, _TABLE = (GlobalId.user(number) for number in range(1, 5))
_POSITIVE = DomainCheck("positive", "value > 0")


def _created(id_: GlobalId, name: str, definition: Definition) -> CreateItem:
    return CreateItem(id_, 20000 + 10 * id_.number, "headwater", "public", name, SUPERUSER_OID, 0, definition)


def _type(state: CatalogState, id_: GlobalId) -> ScalarType:
    type_ = state.items[id_].type
    assert type_ is not None
    return type_


def _with_types() -> CatalogState:
    rules = DomainRules(INT4, nullable=False, default="7", checks=(_POSITIVE,))
    state = apply(initial_state(), [_created(_DOMAIN, "positive", Domain(20501, rules))])
    outer = DomainRules(_type(state, _DOMAIN), nullable=True, default=None, checks=())
    fields = (("a", INT4), ("b", array_of(TEXT)))
    pair = Composite(20503, 20504, fields)
    return apply(state, [_created(_INNER, "small", Domain(20502, outer)), _created(_PAIR, "pair", pair)])


def _with_table(state: CatalogState) -> CatalogState:
    pair = _type(state, _PAIR)
    desc = relation_desc(("d", _type(state, _INNER)), ("p", pair), ("ps", array_of(pair)))
    return apply(state, [_created(_TABLE, "t", Table(desc, (None, None, None), None, "CREATE TABLE t"))])


def test_what_is_stored_loads_as_it_was() -> None:
    state = _with_table(_with_types())
    assert load(rows(state)) == state
    assert state.next_oid == 20505


def test_clients_are_told_the_base_of_a_domain_and_the_catalog_the_domain() -> None:
    state = _with_types()
    small, pair = _type(state, _INNER), _type(state, _PAIR)
    assert (type_oid(small), declared_oid(small)) == (23, state.items[_INNER].oid)
    assert type_oid(pair) == declared_oid(pair) == state.items[_PAIR].oid
    assert type_oid(array_of(pair)) == users_array_oid(pair) == 20503
    assert small.plain() == INT4 and pair.plain() == pair


def test_new_names_reach_whatever_is_made_of_a_type() -> None:
    state = _with_table(_with_types())
    state = apply(state, [RenameItem(_DOMAIN, "Above"), RenameItem(_INNER, "tiny"), RenameItem(_PAIR, "two")])
    small, pair = _type(state, _INNER), _type(state, _PAIR)
    assert small.domain is not None and small.domain.name == "tiny"
    assert state.items[_TABLE].desc.types == (small, pair, array_of(pair))
    definition = state.items[_INNER].definition
    assert isinstance(definition, Domain) and definition.rules.base == _type(state, _DOMAIN)
    assert load(rows(state)) == state


def test_types_are_written_as_they_would_be_created() -> None:
    state = _with_types()
    wanted = "CREATE DOMAIN public.positive AS integer DEFAULT 7 NOT NULL CONSTRAINT positive CHECK (value > 0);"
    assert create_sql(state, state.items[_DOMAIN]) == wanted
    assert create_sql(state, state.items[_INNER]) == "CREATE DOMAIN public.small AS public.positive;"
    assert create_sql(state, state.items[_PAIR]) == "CREATE TYPE public.pair AS (a integer, b text[]);"


def test_a_type_is_not_dropped_from_under_what_is_made_of_it() -> None:
    state = _with_types()
    for ids in ((_DOMAIN,), (_PAIR,)):
        with pytest.raises(SqlError) as caught:
            apply(_with_table(state), [DropItems(ids, False)])
        assert caught.value.sqlstate is Sqlstate.DEPENDENT_OBJECTS_STILL_EXIST
    assert _DOMAIN not in apply(state, [DropItems((_DOMAIN, _INNER), False)]).items


def test_constraints_of_values_within_others_are_not_added_unseen() -> None:
    typed = _with_types()
    several = Table(relation_desc(("s", array_of(_type(typed, _INNER)))), (None,), None, "CREATE TABLE t")
    state = apply(typed, [_created(_TABLE, "t", several)])
    odd = DomainCheck("odd", "value % 2 = 1")
    for domain, change in ((_DOMAIN, AddedCheck(odd)), (_INNER, AddedCheck(odd)), (_INNER, ChangedNullability(False))):
        with pytest.raises(SqlError) as refused:
            apply(state, [AlterDomain(domain, change)])
        assert refused.value.sqlstate is Sqlstate.FEATURE_NOT_SUPPORTED
        apply(typed, [AlterDomain(domain, change)])


def test_what_a_domain_demands_is_demanded_by_tables_with_values_of_it() -> None:
    state = _with_table(_with_types())
    odd = AlterDomain(_DOMAIN, AddedCheck(DomainCheck("odd", "value % 2 = 1")))
    for change in (odd, AlterDomain(_INNER, ChangedNullability(False))):
        assert demands(state, _TABLE) < demands(apply(state, [change]), _TABLE)
    dropped = AlterDomain(_DOMAIN, DroppedCheck("positive", False))
    assert demands(apply(state, [dropped]), _TABLE) < demands(state, _TABLE)
    unseen = AddedCheck(DomainCheck("odd", "value % 2 = 1", validated=False))
    after = apply(
        state,
        [
            AlterDomain(_DOMAIN, change)
            for change in (unseen, ChangedDomainDefault(None), DroppedCheck("positive", False))
        ],
    )
    definition = after.items[_DOMAIN].definition
    assert isinstance(definition, Domain)
    assert definition.rules == DomainRules(INT4, False, None, (replace(unseen.check, number=1),)), "the other was 0"


def test_names_of_constraints_are_given_once_and_found() -> None:
    state = _with_types()
    with pytest.raises(SqlError) as taken:
        apply(state, [AlterDomain(_DOMAIN, AddedCheck(_POSITIVE))])
    with pytest.raises(SqlError) as missing:
        apply(state, [AlterDomain(_DOMAIN, DroppedCheck("odd", False))])
    assert (taken.value.sqlstate, missing.value.sqlstate) == (Sqlstate.DUPLICATE_OBJECT, Sqlstate.UNDEFINED_OBJECT)
