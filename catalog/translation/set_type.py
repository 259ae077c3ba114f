"""ALTER COLUMN … TYPE: the last column, which was added and filled for this, replaces the column."""

from __future__ import annotations

from catalog.changes.change import AlterTable, Change
from catalog.changes.functions import function_signature
from catalog.changes.policies import policies_reading, policies_with_column
from catalog.changes.table_changes import RetypedColumn, naming
from catalog.nouns.items import FunctionDefinition, Index, Item, MaterializedView, Table, View
from catalog.nouns.names import quote
from catalog.nouns.sinks import Sink
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import NotSupported, SqlError
from model.errors.sqlstate import Sqlstate
from model.types.scalar_type import ScalarType, TypeName
from planner.plans.alter_table import SetTypePlan

_ALIKE = (
    frozenset((TypeName.INT2, TypeName.INT4, TypeName.INT8)),
    frozenset((TypeName.TEXT, TypeName.VARCHAR, TypeName.BPCHAR)),
)
"""Types whose values are equal to each other's, whichever of them a foreign key compares."""


def retyped_column(plan: SetTypePlan, state: CatalogState) -> tuple[Item, int]:
    """Returns the table and the position of the column. Raises 42703 where there is none; raises 0A000 for what is used
    by a view, or where an index or a foreign key can't go on with another type."""
    table = state.items.get(plan.target)
    if table is None:
        raise SqlError(Sqlstate.UNDEFINED_TABLE, f"relation with id {plan.target} no longer exists")
    at = next((at for _, at, column in table.numbered_columns if column.name == plan.column), None)
    if at is None:
        message = f'column "{plan.column}" of relation "{table.name}" does not exist'
        raise SqlError(Sqlstate.UNDEFINED_COLUMN, message)
    for id_ in plan.users:
        _require_goes_on(state.items[id_], plan.column)
    assert isinstance(table.definition, Table)
    own = ((table, policy) for policy in policies_with_column(table, at))
    for secured, policy in (*own, *policies_reading(state, table, at)):
        raise SqlError(
            Sqlstate.FEATURE_NOT_SUPPORTED,
            "cannot alter type of a column used in a policy definition",
            detail=f'policy {quote(policy.name)} on table {quote(secured.name)} depends on column "{plan.column}"',
        )
    _require_comparable(state, table, at, plan.type)
    return table, at


def translate_set_type(plan: SetTypePlan, state: CatalogState) -> tuple[Change, ...]:
    table, at = retyped_column(plan, state)
    return (AlterTable(table.id, RetypedColumn(at, naming(state, table.id))),)


def _require_goes_on(user: Item, column: str) -> None:
    definition = user.definition
    if isinstance(definition, View | MaterializedView):
        rule = f"rule _RETURN on {user.kind.value} {quote(user.name)}"
        raise SqlError(
            Sqlstate.FEATURE_NOT_SUPPORTED,
            "cannot alter type of a column used by a view or rule",
            detail=f'{rule} depends on column "{column}"',
        )
    if isinstance(definition, Sink):
        raise SqlError(
            Sqlstate.FEATURE_NOT_SUPPORTED,
            "cannot alter type of a column used by a sink",
            detail=f'sink {quote(user.name)} depends on column "{column}"',
        )
    if isinstance(definition, FunctionDefinition):
        raise SqlError(
            Sqlstate.FEATURE_NOT_SUPPORTED,
            "cannot alter type of a column used by a function or procedure",
            detail=f'{definition.rules.noun} {function_signature(user)} depends on column "{column}"',
        )
    assert isinstance(definition, Index)
    if definition.condition is not None or any(key.column is None for key in definition.keys):
        raise NotSupported(f"ALTER COLUMN TYPE beneath the expressions of index {quote(user.name)}")


def _require_comparable(state: CatalogState, table: Item, at: int, type_: ScalarType) -> None:
    assert isinstance(table.definition, Table)
    own = [key.name for key in table.definition.foreign_keys if at in key.columns]
    others = [key.name for _, key in state.referencing(table.id) if at in key.parent_columns]
    before = table.desc.columns[at].type
    alike = any(before.name in family and type_.name in family for family in _ALIKE)
    if (own or others) and not (before.domain is None and type_.domain is None and alike):
        raise NotSupported(f"ALTER COLUMN TYPE to {type_} beneath foreign key {quote((*own, *others)[0])}")
