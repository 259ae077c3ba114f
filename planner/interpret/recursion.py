"""WITH RECURSIVE and WITH MUTUALLY RECURSIVE: relations computed in rounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

from model.order.datum_order import identity_key
from model.types.datum import Row
from planner.interpret.execution import Interpretation, RowFlow, RowSource, Scopes
from planner.ir.properties import relation_desc_of
from planner.ir.relation import LetRecursive, Recursive


def compile_recursive(recursive: Recursive, execution: Interpretation) -> RowSource:
    """Returns all rows of a recursion that has a last round."""
    flow = recursion_flow(recursive, execution)
    return lambda scopes: list(flow(scopes))


def recursion_flow(recursive: Recursive, execution: Interpretation) -> RowFlow:
    """Yields a recursion's rows: each round reads the rows added by the last round, and computes its own on request."""
    base = execution.compile_flow(recursive.base, execution)
    step = execution.compile_flow(recursive.step, execution)
    identity = identity_key(relation_desc_of(recursive).types) if recursive.distinct else None

    def flow(scopes: Scopes) -> Iterator[Row]:
        seen: set[Any] = set()
        coming = base(scopes)
        while True:
            added: list[Row] = []
            for row in coming if identity is None else fresh(coming, identity, seen):
                added.append(row)
                yield row
            if not added:
                return
            execution.context.checkpoint()
            execution.locals[recursive.local_id] = added
            coming = step(scopes)

    return flow


def fresh(rows: Iterator[Row], identity: Callable[[Row], Any], seen: set[Any]) -> Iterator[Row]:
    """Yields the rows that have not been seen, and adds them to `seen`."""
    for row in rows:
        key = identity(row)
        if key not in seen:
            seen.add(key)
            yield row


def compile_let_recursive(let: LetRecursive, execution: Interpretation) -> RowSource:
    """Compiles a mutual recursion, in which each round sees all rows. A binding unchanged by a round stays the same
    list object: caches for the list stay valid.
    """
    bindings = [
        (each.local_id, execution.compile_relation(each.value, execution), identity_key(each.desc.types))
        for each in let.bindings
    ]
    body = execution.compile_relation(let.body, execution)
    limit = let.limit

    def one_round(scopes: Scopes) -> bool:
        """Runs one round; tells whether it changed anything."""
        changed = False
        for local_id, value, identity in bindings:
            before, after = execution.bound(local_id), value(scopes)
            if len(before) != len(after) or Counter(map(identity, before)) != Counter(map(identity, after)):
                execution.locals[local_id] = after
                changed = True
        return changed

    def evaluate(scopes: Scopes) -> list[Row]:
        for local_id, _, _ in bindings:
            execution.locals[local_id] = []
        for number in count(1):
            execution.context.checkpoint()
            if not one_round(scopes):
                break
            if limit is not None and number == limit.rounds:
                if limit.fails:
                    raise limit.exceeded()
                break
        return body(scopes)

    return evaluate
