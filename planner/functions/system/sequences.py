"""nextval and its kin."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from model.types.relation_desc import RelationDesc, relation_desc
from model.types.scalar_type import BOOL, INT8, OID, REGCLASS, TEXT, ScalarType, type_oid
from planner.functions.rows import function, key_of
from planner.functions.signature import Function, TableFunction, Volatility
from planner.functions.system.lookup import SystemLookup


def _of_sequences(name: str, arguments: tuple[ScalarType, ...], evaluate: Callable[..., Any]) -> Function:
    return function(name, arguments, INT8, evaluate, volatility=Volatility.VOLATILE, needs_system=True, fallible=True)


def _parameters(system: SystemLookup, oid: int) -> list[tuple[Any, ...]]:
    rules = system.session.sequences.rules(oid)
    numbers = rules.start, rules.minimum, rules.maximum, rules.increment
    return [(*numbers, rules.cycle, rules.cache, type_oid(rules.type))]


_PARAMETERS = relation_desc(
    ("start_value", INT8),
    ("minimum_value", INT8),
    ("maximum_value", INT8),
    ("increment", INT8),
    ("cycle_option", BOOL),
    ("cache_size", INT8),
    ("data_type", OID),
)
_POSITION = relation_desc(("last_value", INT8), ("log_cnt", INT8), ("is_called", BOOL))


def _table(
    name: str, type_: ScalarType, desc: RelationDesc, evaluate: Callable[..., list[tuple[Any, ...]]]
) -> TableFunction:
    return TableFunction(
        key_of(name, (type_,)), name, (type_,), lambda types: desc, evaluate, fallible=True, needs_system=True
    )


POSITION = _table(
    "sequence position", REGCLASS, _POSITION, lambda system, oid: [system.session.sequences.position(oid)]
)
"""What SELECT from a sequence reads; its name can't be written."""

FUNCTIONS: tuple[Function, ...] = (
    _of_sequences("nextval", (REGCLASS,), lambda system, oid: system.session.sequences.next_value(oid)),
    _of_sequences("currval", (REGCLASS,), lambda system, oid: system.session.sequences.current_value(oid)),
    _of_sequences("lastval", (), lambda system: system.session.sequences.latest_value()),
    _of_sequences(
        "setval", (REGCLASS, INT8), lambda system, oid, value: system.session.sequences.set_value(oid, value, True)
    ),
    _of_sequences(
        "setval",
        (REGCLASS, INT8, BOOL),
        lambda system, oid, value, called: system.session.sequences.set_value(oid, value, called),
    ),
    _of_sequences("pg_sequence_last_value", (REGCLASS,), lambda system, oid: system.session.sequences.last_value(oid)),
    function(
        "pg_get_serial_sequence",
        (TEXT, TEXT),
        TEXT,
        lambda system, table, column: system.serial_sequence(table, column),
        volatility=Volatility.STABLE,
        needs_system=True,
        fallible=True,
    ),
)
TABLE_FUNCTIONS: tuple[TableFunction, ...] = (_table("pg_sequence_parameters", OID, _PARAMETERS, _parameters), POSITION)
