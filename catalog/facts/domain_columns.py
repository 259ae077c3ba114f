"""The columns of tables whose values belong to domains: a domain's rules are demands of their rows, too."""

from __future__ import annotations

from collections.abc import Iterator

from catalog.nouns.items import Domain, Item, Table
from catalog.state.catalog_state import CatalogState
from model.ids.global_id import GlobalId
from model.types.relation_desc import ColumnDesc
from model.types.scalar_type import ScalarType
from planner.catalog_view import DomainRules


def rules_in(state: CatalogState, domain: GlobalId) -> DomainRules:
    """Returns the rules of a domain of the catalog."""
    definition = state.items[domain].definition
    assert isinstance(definition, Domain), "a type names the domain that it is of"
    return definition.rules


def domains_of(state: CatalogState, type_: ScalarType) -> Iterator[GlobalId]:
    """Yields the domains that values of the type belong to as wholes: the type's own, and those beneath it."""
    while type_.domain is not None:
        yield type_.domain.id
        type_ = rules_in(state, type_.domain.id).base


def domains_within(state: CatalogState, type_: ScalarType) -> Iterator[GlobalId]:
    """Yields the domains that values of the type, or parts of them, belong to."""
    yield from domains_of(state, type_)
    while type_.domain is not None:
        type_ = rules_in(state, type_.domain.id).base
    if type_.element is not None:
        yield from domains_within(state, type_.element)
    for _, field in type_.fields:
        yield from domains_within(state, field)


def columns_within(state: CatalogState, domain: GlobalId) -> list[tuple[Item, ColumnDesc]]:
    """Returns the columns of tables that hold values of the domain, or have them in theirs, with their tables."""
    return [
        (item, column)
        for item in state.items.values()
        if isinstance(item.definition, Table)
        for _, _, column in item.numbered_columns
        if domain in domains_within(state, column.type)
    ]


def domain_demands(state: CatalogState, item: Item) -> Iterator[object]:
    """Yields what the domains of a table's columns demand of its rows, for comparison with another state."""
    for domain in {each for column in item.desc.columns for each in domains_within(state, column.type)}:
        rules = rules_in(state, domain)
        yield from (("domain's check", domain, check.number) for check in rules.checks)
        if not rules.nullable:
            yield "domain without NULLs", domain
