"""pg_sequence, pg_sequences, and the columns of other relations about sequences and their columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from catalog.builtin.pg_catalog.own_items import PG_CLASS_OID, own_items
from catalog.builtin.shape import shape
from catalog.declared.snapshot import SystemSnapshot
from catalog.facts.defaults import relations_named
from catalog.facts.roles.shown_acls import role_name
from catalog.nouns.derived_oids import derived_oid
from catalog.nouns.items import Item, SequenceDefinition, Table
from model.ids.global_id import GlobalId
from model.types.datum import Row
from model.types.scalar_type import type_oid
from planner.sequence_rules import Identity

_PG_ATTRDEF_OID = 2604


def sequence_of(item: Item) -> SequenceDefinition:
    assert isinstance(item.definition, SequenceDefinition), f"{item.name} is a sequence"
    return item.definition


def identity_of(item: Item) -> Identity:
    """Returns the kind of identity of an identity column's sequence."""
    owner = sequence_of(item).owned_by
    assert owner is not None and owner.identity is not None, f"{item.name} makes an identity column's values"
    return owner.identity


def identity_columns(snapshot: SystemSnapshot) -> Mapping[tuple[GlobalId, int], Item]:
    """Returns the sequences of identity columns, by table and position."""
    found = {}
    for item in own_items(snapshot):
        owner = item.definition.owned_by if isinstance(item.definition, SequenceDefinition) else None
        if owner is not None and owner.identity is not None:
            found[owner.table, owner.column] = item
    return found


def pg_sequence(snapshot: SystemSnapshot) -> Iterable[Row]:
    make = shape("pg_sequence")
    for item in own_items(snapshot):
        if isinstance(item.definition, SequenceDefinition):
            rules = item.definition.rules
            yield make(
                seqrelid=item.oid,
                seqtypid=type_oid(rules.type),
                seqstart=rules.start,
                seqincrement=rules.increment,
                seqmax=rules.maximum,
                seqmin=rules.minimum,
                seqcache=rules.cache,
                seqcycle=rules.cycle,
            )


def pg_sequences(snapshot: SystemSnapshot) -> Iterable[Row]:
    make = shape("pg_sequences")
    for item in own_items(snapshot):
        if isinstance(item.definition, SequenceDefinition):
            rules = item.definition.rules
            yield make(
                schemaname=snapshot.state.schemas[item.schema].name,
                sequencename=item.name,
                sequenceowner=role_name(snapshot.state, item.owner),
                data_type=type_oid(rules.type),
                start_value=rules.start,
                min_value=rules.minimum,
                max_value=rules.maximum,
                increment_by=rules.increment,
                cycle=rules.cycle,
                cache_size=rules.cache,
                last_value=snapshot.last_values.get(item.definition.collection),
            )


def sequence_dependencies(snapshot: SystemSnapshot) -> Iterable[Row]:
    """Lists dependencies of sequences: a sequence depends on the column that owns it (a), or is an internal part of
    it (i); a DEFAULT depends on the sequences that it names (n)."""
    make = shape("pg_depend")
    items = snapshot.state.items
    for item in own_items(snapshot):
        match item.definition:
            case SequenceDefinition(owned_by=owner) if owner is not None:
                yield make(
                    classid=PG_CLASS_OID,
                    objid=item.oid,
                    refclassid=PG_CLASS_OID,
                    refobjid=items[owner.table].oid,
                    refobjsubid=items[owner.table].column_numbers((owner.column,))[0],
                    deptype="a" if owner.identity is None else "i",
                )
            case Table(defaults=defaults):
                for number, at, _ in item.numbered_columns:
                    default = defaults[at]
                    for oid in () if default is None else relations_named(default):
                        place = {"classid": _PG_ATTRDEF_OID, "objid": derived_oid(item.oid, number)}
                        yield make(**place, refclassid=PG_CLASS_OID, refobjid=oid, deptype="n")
            case _:
                continue
