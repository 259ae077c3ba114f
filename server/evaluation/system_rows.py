"""Replaces the system relations in a query by constants with their rows in a snapshot."""

from __future__ import annotations

from catalog.builtin.registry import builtin_with_id
from catalog.declared.snapshot import SystemSnapshot
from planner.ir.relation import Constant, Get, Relation
from planner.ir.rewrite_gets import rewrite_gets


def with_system_rows(relation: Relation, snapshot: SystemSnapshot) -> Relation:
    """Returns the relation with each system relation replaced by its rows in the snapshot."""

    def contents(get: Get) -> Relation:
        builtin = builtin_with_id(get.id)
        if builtin is None:
            return get
        return Constant(tuple((row, 1) for row in builtin.rows(snapshot)), get.desc)

    return rewrite_gets(relation, contents)
