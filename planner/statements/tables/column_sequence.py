"""Columns whose values a sequence makes: serial, and GENERATED … AS IDENTITY."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from postgast import pg_query_pb2 as tree

from model.errors.sqlstate import Sqlstate
from model.types.scalar_type import INT2, INT4, INT8, ScalarType
from planner.plans.sequences import ColumnSequence
from planner.scope.analysis import Analysis
from planner.scope.names import strings
from planner.sequence_rules import SEQUENCE_TYPES, Identity, SequenceOptions
from planner.statements.tables.sequence import sequence_name, sequence_options

_MAKING = (tree.CONSTR_DEFAULT, tree.CONSTR_IDENTITY, tree.CONSTR_GENERATED)
_SERIALS = {
    "smallserial": INT2,
    "serial2": INT2,
    "serial": INT4,
    "serial4": INT4,
    "bigserial": INT8,
    "serial8": INT8,
}


def serial_type(analysis: Analysis, node: Any) -> ScalarType | None:
    """Returns the type of a serial column; None for a column of another type."""
    names = strings(node.names)
    type_ = _SERIALS.get(names[0]) if len(names) == 1 else None
    if type_ is not None and node.array_bounds:
        message = "array of serial is not implemented"
        raise analysis.error(Sqlstate.FEATURE_NOT_SUPPORTED, message, node.location)
    return type_


def serial_sequence(type_: ScalarType) -> ColumnSequence:
    return ColumnSequence(SequenceOptions(type=type_), None)


def identity_sequence(analysis: Analysis, constraint: Any, type_: ScalarType) -> ColumnSequence:
    """Plans the sequence of an identity column; raises SqlError 22023 for a column whose type no sequence makes."""
    check_identity_type(analysis, type_)
    options = replace(sequence_options(analysis, constraint.options), type=type_)
    return ColumnSequence(options, Identity(constraint.generated_when), sequence_name(constraint.options))


def check_identity_type(analysis: Analysis, type_: ScalarType) -> None:
    """Raises 22023 where no sequence makes values of the type."""
    if type_ not in SEQUENCE_TYPES:
        message = "identity column type must be smallint, integer, or bigint"
        raise analysis.error(Sqlstate.INVALID_PARAMETER_VALUE, message)


def refuse_second(
    analysis: Analysis,
    constraint: Any,
    names: tuple[str, str],
    default: str | None,
    sequence: ColumnSequence | None,
    generated: bool,
) -> None:
    """Raises 42601 for a second DEFAULT, identity or generation of a column; `names` are the column's and its
    table's."""
    if constraint.contype not in _MAKING or (default is None and sequence is None and not generated):
        return
    before = sequence is not None and sequence.identity is not None
    now = constraint.contype == tree.CONSTR_IDENTITY
    said = "both default and identity specified"
    if generated or constraint.contype == tree.CONSTR_GENERATED:
        other = "identity" if before or now else "default"
        twice = generated and constraint.contype == tree.CONSTR_GENERATED
        said = "multiple generation clauses specified" if twice else f"both {other} and generation expression specified"
    elif before and now:
        said = "multiple identity specifications"
    elif not before and not now:
        said = "multiple default values specified"
    # PostgreSQL finds the DEFAULT of a serial column first, which stands nowhere.
    location = constraint.location if before or sequence is None else -1
    message = f'{said} for column "{names[0]}" of table "{names[1]}"'
    raise analysis.error(Sqlstate.SYNTAX_ERROR, message, location)
