"""System relations in a query: constants of their rows, as a snapshot has them."""

from __future__ import annotations

from catalog.builtin.registry import builtin_with_id
from catalog.declared.snapshot import SystemSnapshot
from planner.ir.relation import Constant, Get, Relation
from planner.ir.rewrite_gets import rewrite_gets


def with_system_rows(relation: Relation, snapshot: SystemSnapshot) -> Relation:
    """The relation over the rows that system relations have then."""

    def contents(get: Get) -> Relation:
        builtin = builtin_with_id(get.id)
        if builtin is None:
            return get
        return Constant(tuple((row, 1) for row in builtin.rows(snapshot)), get.desc)

    return rewrite_gets(relation, contents)
