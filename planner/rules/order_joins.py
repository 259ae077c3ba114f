"""Inner joins in an order that never crosses tables while a condition connects others.

    FROM a, b, c WHERE a.x = c.x AND c.y = b.y      a join c on x, then join b on y: never a × b

A tree of inner joins is taken apart into its tables and conditions. Starting with the first table, the next table is
always the first in FROM that a condition connects to the tables before. Conditions that can fail stay above all joins.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from planner.interpret.reach import infallible
from planner.ir.columns import own_columns, remap_columns, shift_columns
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Join, JoinKind, Project, Relation
from planner.ir.scalar import Scalar
from planner.ir.visit import inputs_of, walk_relation, with_inputs


def order_joins(relation: Relation) -> Relation:
    """Returns the same rows and columns; only trees of joins that hold a cross join are changed."""
    return _ordered(relation) if _has_cross(relation) else relation


def _has_cross(relation: Relation) -> bool:
    return any(
        isinstance(node, Join) and node.kind is JoinKind.INNER and not node.on and not node.lateral
        for node in walk_relation(relation)
    )


@dataclass(slots=True)
class _Pool:
    """The tables of a tree of joins, and conditions over all their columns side by side."""

    tables: list[Relation] = field(default_factory=list)
    conditions: list[Scalar] = field(default_factory=list)


def _ordered(relation: Relation) -> Relation:
    if isinstance(relation, Join) and _plain(relation):
        pool = _Pool()
        _collect(relation, 0, pool)
        pool.tables = [_ordered(table) for table in pool.tables]
        return _joined(pool)
    return with_inputs(relation, tuple(_ordered(i) for i in inputs_of(relation)))


def _plain(join: Join) -> bool:
    return join.kind is JoinKind.INNER and not join.lateral and all(map(infallible, join.on))


def _collect(relation: Relation, start: int, pool: _Pool) -> None:
    if not isinstance(relation, Join) or not _plain(relation):
        pool.tables.append(relation)
        return
    _collect(relation.left, start, pool)
    _collect(relation.right, start + relation_desc_of(relation.left).arity, pool)
    pool.conditions.extend(shift_columns(condition, start) for condition in relation.on)


def _joined(pool: _Pool) -> Relation:
    starts = [0]
    for table in pool.tables:
        starts.append(starts[-1] + relation_desc_of(table).arity)
    owner = {at: number for number in range(len(pool.tables)) for at in range(starts[number], starts[number + 1])}
    needs = [frozenset(owner[at] for at in own_columns(condition)) for condition in pool.conditions]
    done, pending = [0], list(range(1, len(pool.tables)))
    waiting = list(range(len(pool.conditions)))
    positions = {at: at for at in range(starts[0], starts[1])}
    relation = pool.tables[0]
    while pending:
        chosen = next((n for n in pending if _connected(n, done, needs)), pending[0])
        pending.remove(chosen)
        done.append(chosen)
        width = relation_desc_of(relation).arity
        positions |= {at: width + at - starts[chosen] for at in range(starts[chosen], starts[chosen + 1])}
        ready = [i for i in waiting if needs[i] <= set(done)]
        waiting = [i for i in waiting if i not in ready]
        on = tuple(remap_columns(pool.conditions[i], positions) for i in ready)
        relation = Join(JoinKind.INNER, relation, pool.tables[chosen], on)
    assert not waiting, "every condition is over the tables joined"
    order = tuple(positions[at] for at in range(starts[-1]))
    return relation if order == tuple(range(starts[-1])) else Project(relation, order)


def _connected(table: int, done: list[int], needs: list[frozenset[int]]) -> bool:
    """Tells whether a condition reads the table and an earlier one, and no missing one."""
    return any(table in need and len(need) > 1 and need <= {*done, table} for need in needs)
