"""The tables that DDL locks, and their modes: PostgreSQL's, except for readers.

Readers go on with the catalog of their time, so nobody waits for them: EXCLUSIVE replaces PostgreSQL's ACCESS
EXCLUSIVE.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from catalog.lookup.targets import find_relation
from catalog.nouns.items import Index, Item, WrittenDefinition
from catalog.state.catalog_state import CatalogState, foreign_keys_of
from model.errors.sql_error import SqlError
from model.ids.global_id import GlobalId
from planner.plans.alter_table import AlterTablePlan, TableAction
from planner.plans.changes import RepairTablePlan, TruncatePlan
from planner.plans.constraints import (
    AddConstraintPlan,
    DropConstraintPlan,
    NewConstraint,
    RenameConstraintPlan,
    ValidateConstraintPlan,
)
from planner.plans.foreign_keys import ForeignKey, NewForeignKey
from planner.plans.locks import TableMode
from planner.plans.objects import DropPlan, MovePlan, ObjectKind, RenamePlan, SwapPlan
from planner.plans.plan import Plan
from planner.plans.policies import AlterPolicyPlan, CreatePolicyPlan, DropPolicyPlan, RenamePolicyPlan
from planner.plans.tables import CreateTablePlan
from planner.plans.views import CreateIndexPlan
from server.transactions.execution import Execution


def altered_tables(plan: Plan, execution: Execution) -> dict[GlobalId, TableMode]:
    """Returns the tables that a plan locks because it changes them. Missing tables are the plan's concern."""
    state = execution.catalog
    match plan:
        case AlterTablePlan(target=target, actions=actions):
            return _strongest(*(_altered(each, target, state) for each in actions))
        case CreateTablePlan(constraints=constraints):
            return _strongest(_new_parents(constraints))
        case CreateIndexPlan(on=target):
            return dict.fromkeys(_tables([state.items.get(target)]), TableMode.SHARE)
        case (
            RepairTablePlan(target=target)
            | CreatePolicyPlan(target=target)
            | AlterPolicyPlan(target=target)
            | RenamePolicyPlan(target=target)
            | DropPolicyPlan(target=target)
        ):
            return {target: TableMode.EXCLUSIVE}
        case TruncatePlan(targets=targets):
            return dict.fromkeys(targets, TableMode.EXCLUSIVE)
        case RenameConstraintPlan(name=name):
            return _exclusive(_named(execution, [name]))
        case RenamePlan(kind=ObjectKind.TABLE, name=name) | MovePlan(kind=ObjectKind.TABLE, name=name):
            return _exclusive(_named(execution, [name]))
        case SwapPlan(kind=ObjectKind.TABLE, name=name, other=other):
            return _exclusive(_named(execution, [name, (*name[:-1], other)]))
        case DropPlan(kind=ObjectKind.INDEX, names=names):
            return _exclusive(_named(execution, names))
        case DropPlan(kind=ObjectKind.TABLE, names=names):
            dropped = _named(execution, names)
            return _exclusive(dropped | {each for id_ in dropped for each in _related(id_, state)})
        case DropPlan(kind=ObjectKind.SCHEMA, names=names):
            return _exclusive(_inside(execution, names))
        case _:
            return {}


def _strongest(*parts: Iterable[tuple[GlobalId, TableMode]]) -> dict[GlobalId, TableMode]:
    found: dict[GlobalId, TableMode] = {}
    for id_, mode in chain(*parts):
        found[id_] = max(mode, found.get(id_, mode))
    return found


def _altered(action: TableAction, target: GlobalId, state: CatalogState) -> list[tuple[GlobalId, TableMode]]:
    match action:
        case ValidateConstraintPlan(constraint=name):
            parents = [(each.parent, TableMode.ROW_SHARE) for each in _foreign_keys(target, name, state)]
            return [(target, TableMode.SHARE_UPDATE_EXCLUSIVE), *parents]
        case AddConstraintPlan(constraint=NewForeignKey() as key):
            return [(target, TableMode.SHARE_ROW_EXCLUSIVE), *_new_parents([key])]
        case DropConstraintPlan(constraint=name):
            parents = [(each.parent, TableMode.EXCLUSIVE) for each in _foreign_keys(target, name, state)]
            return [(target, TableMode.EXCLUSIVE), *parents]
        case _:
            return [(target, TableMode.EXCLUSIVE)]


def _foreign_keys(table: GlobalId, name: str, state: CatalogState) -> list[ForeignKey]:
    return [each for each in foreign_keys_of(state.items.get(table)) if each.name == name]


def _new_parents(constraints: Iterable[NewConstraint]) -> list[tuple[GlobalId, TableMode]]:
    """Returns the tables that new foreign keys reference."""
    keys = [each for each in constraints if isinstance(each, NewForeignKey)]
    return [(each.parent, TableMode.SHARE_ROW_EXCLUSIVE) for each in keys if each.parent is not None]


def _related(table: GlobalId, state: CatalogState) -> set[GlobalId]:
    """Returns the tables that reference a table, and the tables that the table references: all share foreign keys."""
    parents = {key.parent for key in foreign_keys_of(state.items.get(table))}
    return parents | {child.id for child, _ in state.referencing(table)}


def _exclusive(ids: Iterable[GlobalId]) -> dict[GlobalId, TableMode]:
    return dict.fromkeys(sorted(ids), TableMode.EXCLUSIVE)


def _named(execution: Execution, names: Iterable[tuple[str, ...]]) -> set[GlobalId]:
    """Returns the tables with the names, and those of indexes with the names."""
    found: list[Item | None] = []
    state, session = execution.catalog, execution.ddl_session
    for name in names:
        try:
            item = find_relation(state, session, name)
        except SqlError:
            continue
        found.append(None if item is None else state.items.get(item.id))
    indexed = [each.definition.on.id for each in found if each is not None and isinstance(each.definition, Index)]
    return _tables([*found, *map(state.items.get, indexed)])


def _inside(execution: Execution, names: Iterable[tuple[str, ...]]) -> set[GlobalId]:
    """Returns the tables in the schemas with the names."""
    found: list[Item] = []
    state = execution.catalog
    for name in names:
        database = state.database_named(name[0] if len(name) > 1 else execution.asker.database)
        schema = None if database is None else state.schema_named(database.oid, name[-1])
        found += () if schema is None else state.items_in(schema.oid)
    return _tables(found)


def _tables(items: Iterable[Item | None]) -> set[GlobalId]:
    return {item.id for item in items if item is not None and isinstance(item.definition, WrittenDefinition)}
