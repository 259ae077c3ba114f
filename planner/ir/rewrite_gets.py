"""Puts other relations in the place of the collections that a plan reads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from planner.ir.relation import Get, Relation
from planner.ir.scalar import Exists, Scalar, SubqueryArray, SubqueryCompare, SubqueryValue
from planner.ir.visit import inputs_of, rewrite_relation, with_inputs


def rewrite_gets(relation: Relation, replacement: Callable[[Get], Relation]) -> Relation:
    """The relation with each Get replaced, those in subqueries too. Replacements must have the Get's columns."""

    def visit(scalar: Scalar, level: int) -> Scalar | None:
        match scalar:
            case SubqueryCompare():
                return replace(
                    scalar,
                    relation=rewrite_gets(scalar.relation, replacement),
                )
            case Exists() | SubqueryValue() | SubqueryArray():
                return replace(scalar, relation=rewrite_gets(scalar.relation, replacement))
            case _:
                return None

    def below(node: Relation) -> Relation:
        if isinstance(node, Get):
            return replacement(node)
        return with_inputs(node, tuple(below(child) for child in inputs_of(node)))

    return rewrite_relation(below(relation), visit, 0)
