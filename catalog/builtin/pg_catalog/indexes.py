"""pg_index: the columns of an index, and whether they are a key. An index is always valid."""

from __future__ import annotations

from collections.abc import Iterable

from catalog.builtin.pg_catalog.own_items import own_items
from catalog.builtin.pg_catalog.types import type_facts
from catalog.builtin.shape import shape
from catalog.declared.snapshot import SystemSnapshot
from catalog.declared.stored import stored_desc, stored_table
from catalog.facts.index_definitions import index_condition_sql, index_key_sql
from catalog.facts.shown import shown
from catalog.nouns.items import Index
from model.types.datum import Row
from model.types.scalar_type import ScalarType, type_oid
from planner.catalog_view import KeyKind

_BTREE_OID = 403


def pg_index(snapshot: SystemSnapshot) -> Iterable[Row]:
    make = shape("pg_index")
    for item in own_items(snapshot):
        index = item.definition
        if not isinstance(index, Index):
            continue
        keys, on = index.keys, snapshot.state.items[index.on.id]
        numbers = on.layout.numbers
        expressions = [
            shown(index_key_sql, snapshot.state, index, number, True)
            for number, key in enumerate(keys)
            if key.column is None
        ]
        yield make(
            indexrelid=item.oid,
            indrelid=on.oid,
            indnatts=len(keys) + len(index.included),
            indnkeyatts=len(keys),
            indisunique=index.rule is not None and index.rule.unique,
            indisexclusion=index.rule is not None and not index.rule.unique,
            indnullsnotdistinct=index.rule is not None and not index.rule.nulls_distinct,
            indisprimary=index.rule is not None and index.rule.kind is KeyKind.PRIMARY,
            indimmediate=index.rule is None or not index.rule.deferrable,
            indisvalid=True,
            indisready=True,
            indislive=True,
            indkey=tuple(0 if key.column is None else numbers[key.column] for key in (*keys, *index.included)),
            indcollation=tuple(type_facts(key.type).collation for key in keys),
            indclass=tuple(_operator_class(key.type) for key in keys),
            indoption=tuple(key.order.option for key in keys),
            indexprs=", ".join(expressions) if expressions else None,
            indpred=None if index.condition is None else shown(index_condition_sql, snapshot.state, index),
        )


def _operator_class(type_: ScalarType) -> int:
    """Returns the default class of B-trees for a type; 0 for a type without one."""
    at = {name: index for index, name in enumerate(stored_desc("pg_opclass").names)}
    for row in stored_table("pg_opclass"):
        if (row[at["opcmethod"]], row[at["opcintype"]], row[at["opcdefault"]]) == (_BTREE_OID, type_oid(type_), True):
            return int(str(row[at["oid"]]))
    return 0
