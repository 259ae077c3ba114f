"""TRANSACTION METADATA (SOURCE tx, COLLECTION 'db.schema.t'): which source tells of a source's transactions."""

from __future__ import annotations

from collections.abc import Iterable

from model.errors.sqlstate import Sqlstate
from planner.catalog_view import ItemKind
from planner.plans.sources import TransactionsPlan
from planner.query.from_clause import find_relation
from planner.scope.analysis import Analysis
from planner.statements.sources.source_options import ClauseOptions
from planner.syntax.options import Option
from planner.syntax.own_statements import Place
from planner.syntax.source_statements import SourceEnvelope

_NAME = "TRANSACTION METADATA"


def plan_transactions(analysis: Analysis, envelope: SourceEnvelope | None) -> TransactionsPlan | None:
    """Plans the envelope's transactions; returns None when it names none."""
    options = ClauseOptions(analysis, () if envelope is None else envelope.options)
    inner = options.options(_NAME)
    if inner is None:
        return None
    names = sorted(each.name for each in inner)
    told = ClauseOptions(analysis, inner)
    counted_as = told.text("COLLECTION")
    source = _teller(inner)
    if source is None or counted_as is None or names != ["COLLECTION", "SOURCE"]:
        raise analysis.error(Sqlstate.SYNTAX_ERROR, f"{_NAME} names a SOURCE and a COLLECTION")
    item = find_relation(analysis, source.parts, source.location)
    if item.kind is not ItemKind.SOURCE:
        raise analysis.error(Sqlstate.WRONG_OBJECT_TYPE, f'"{item.name.name}" is not a source', source.location)
    return TransactionsPlan(item.id, counted_as)


def teller_of_transactions(envelope: SourceEnvelope) -> Place | None:
    """Returns the name of the source that an envelope has tell of transactions, if it does."""
    inner = next((each.value for each in envelope.options if each.name == _NAME), None)
    return _teller(each for each in inner if isinstance(each, Option)) if isinstance(inner, tuple) else None


def _teller(options: Iterable[Option]) -> Place | None:
    return next((each.value for each in options if each.name == "SOURCE" and isinstance(each.value, Place)), None)
