"""Sequences: names and options to changes, with PostgreSQL's errors and notices."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from catalog.changes.change import AlterSequence, Change, CreateItem
from catalog.facts.defaults import next_value_of
from catalog.lookup.targets import DdlSession, find_relation, named_item, require_kind
from catalog.nouns.index_names import made_up
from catalog.nouns.items import Index, Item, OwnedBy, SequenceDefinition, Table
from catalog.nouns.names import quote
from catalog.nouns.notices import Notice, skipping
from catalog.state.allocate import IdAllocator
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from planner.catalog_view import QualifiedName
from planner.plans.objects import ObjectKind
from planner.plans.sequences import AlterSequencePlan, ColumnSequence, CreateSequencePlan, NewOwner
from planner.plans.tables import CreateTablePlan
from planner.sequence_rules import SequenceOptions, changed, check_within

Outcome = tuple[tuple[Change, ...], tuple[Notice, ...]]
Create = Callable[[QualifiedName, SequenceDefinition, GlobalId], CreateItem]
"""The change that creates a sequence of a name under an id."""
_LABEL = "seq"


def translate_create_sequence(
    plan: CreateSequencePlan, state: CatalogState, session: DdlSession, allocator: IdAllocator, create: Create
) -> Outcome:
    if plan.if_not_exists and state.find(plan.name) is not None:
        message = f'relation "{plan.name.name}" already exists'
        return (), (skipping(Sqlstate.DUPLICATE_TABLE, message),)
    definition = _first(plan.options, None, allocator)
    if plan.owner is not None:
        place = plan.name.database, plan.name.schema
        definition = replace(definition, owned_by=_owned_by(plan.owner, place, state, session))
    return (create(plan.name, definition, definition.collection),), ()


def column_sequences(
    plan: CreateTablePlan, table: GlobalId, state: CatalogState, allocator: IdAllocator, create: Create
) -> tuple[tuple[CreateItem, ...], tuple[str | None, ...]]:
    """Returns the sequences of a new table's columns, and the columns' DEFAULTs."""
    made: list[CreateItem] = []
    defaults: list[str | None] = []
    taken = {plan.name.name}
    for at, column in enumerate(plan.columns):
        default = column.default
        if column.sequence is not None:
            place = plan.name, column.name, at
            created, default = column_sequence(column.sequence, table, place, state, allocator, create, taken)
            taken.add(created.name)
            made.append(created)
        defaults.append(default)
    return tuple(made), tuple(defaults)


def column_sequence(
    sequence: ColumnSequence,
    table: GlobalId,
    place: tuple[QualifiedName, str, int],
    state: CatalogState,
    allocator: IdAllocator,
    create: Create,
    taken: Iterable[str] = (),
) -> tuple[CreateItem, str | None]:
    """Returns the sequence of a column, and its DEFAULT. `place` is the table's name, the column's name, and its
    position."""
    name, column, at = place
    definition = _first(sequence.options, OwnedBy(table, at, sequence.identity), allocator)
    own = _column_sequence_name(sequence, name, column, state, set(taken))
    created = create(replace(name, name=own), definition, definition.collection)
    return created, next_value_of(created.oid) if sequence.identity is None else None


def _column_sequence_name(
    sequence: ColumnSequence, table: QualifiedName, column: str, state: CatalogState, taken: set[str]
) -> str:
    def exists(name: str) -> bool:
        return name in taken or state.find(replace(table, name=name)) is not None

    return sequence.name or made_up(table.name, column, _LABEL, exists)


def _first(options: SequenceOptions, owner: OwnedBy | None, allocator: IdAllocator) -> SequenceDefinition:
    rules = changed(None, options)
    return SequenceDefinition(rules, rules.start, owner, allocator.user_id())


def translate_alter_sequence(
    plan: AlterSequencePlan,
    state: CatalogState,
    session: DdlSession,
    allocator: IdAllocator,
    last_value: Callable[[SequenceDefinition], int],
) -> tuple[tuple[AlterSequence, ...], tuple[Notice, ...]]:
    """Translates ALTER SEQUENCE; `last_value` tells how far a sequence has come."""
    if plan.if_exists and find_relation(state, session, plan.name) is None:
        message = f'relation "{plan.name[-1]}" does not exist'
        return (), (skipping(Sqlstate.SUCCESSFUL_COMPLETION, message),)
    item = named_item(state, session, plan.name)
    require_kind(item, ObjectKind.SEQUENCE)
    assert isinstance(item.definition, SequenceDefinition)
    definition = item.definition
    rules = changed(definition.rules, plan.options)
    restart = plan.options.restart
    definition = replace(definition, rules=rules)
    if restart is not None:
        first = rules.start if restart.value is None else restart.value
        definition = replace(definition, first=first, collection=allocator.user_id())
        check_within("RESTART", first, rules)
    elif plan.options.said:
        check_within("RESTART", last_value(definition), rules)
    if plan.owner is not None:
        _refuse_other_owner(state, item, definition)
        name = state.full_name(item)
        definition = replace(definition, owned_by=_owned_by(plan.owner, (name.database, name.schema), state, session))
    return (AlterSequence(item.id, definition),), ()


def restarted(item: Item, allocator: IdAllocator) -> AlterSequence:
    """Returns the change that starts a sequence again."""
    assert isinstance(item.definition, SequenceDefinition)
    first = item.definition.rules.start
    return AlterSequence(item.id, replace(item.definition, first=first, collection=allocator.user_id()))


def identity_sequence(state: CatalogState, table: GlobalId, column: int | None) -> Item | None:
    """Returns the sequence of the identity column at a position of a table; None for another column."""
    for each in state.owned_sequences(table):
        assert isinstance(each.definition, SequenceDefinition)
        owner = each.definition.owned_by
        if owner is not None and owner.identity is not None and owner.column == column:
            return each
    return None


def refuse_identity(state: CatalogState, item: Item) -> None:
    """Raises 2BP01 for dropping the sequence of an identity column by itself."""
    if not isinstance(item.definition, SequenceDefinition):
        return
    owner = item.definition.owned_by
    if owner is None or owner.identity is None:
        return
    table = state.items[owner.table]
    column = f"column {quote(table.desc.columns[owner.column].name)} of table {quote(table.name)}"
    raise SqlError(
        Sqlstate.DEPENDENT_OBJECTS_STILL_EXIST,
        f"cannot drop sequence {quote(item.name)} because {column} requires it",
        hint=f"You can drop {column} instead.",
    )


def _refuse_other_owner(state: CatalogState, item: Item, definition: SequenceDefinition) -> None:
    owner = definition.owned_by
    if owner is not None and owner.identity is not None:
        raise SqlError(
            Sqlstate.FEATURE_NOT_SUPPORTED,
            "cannot change ownership of identity sequence",
            detail=f'Sequence "{item.name}" is linked to table "{state.items[owner.table].name}".',
        )


def _owned_by(owner: NewOwner, place: tuple[str, str], state: CatalogState, session: DdlSession) -> OwnedBy | None:
    """Returns the column that owns a sequence; `place` is the sequence's database and schema."""
    if owner.table is None:
        return None
    table = named_item(state, session, owner.table)
    if not isinstance(table.definition, Table):
        kinds = "indexes" if isinstance(table.definition, Index) else f"{table.kind.value}s"
        detail = f"This operation is not supported for {kinds}."
        message = f'sequence cannot be owned by relation "{table.name}"'
        raise SqlError(Sqlstate.WRONG_OBJECT_TYPE, message, detail=detail)
    name = state.full_name(table)
    if (name.database, name.schema) != place:
        message = "sequence must be in same schema as table it is linked to"
        raise SqlError(Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE, message)
    at = next((at for _, at, column in table.numbered_columns if column.name == owner.column), None)
    if at is None:
        message = f'column "{owner.column}" of relation "{table.name}" does not exist'
        raise SqlError(Sqlstate.UNDEFINED_COLUMN, message)
    return OwnedBy(table.id, at, None)
