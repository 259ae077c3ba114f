"""WITH RECURSIVE and WITH MUTUALLY RECURSIVE: relations computed in rounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

from model.datum import Row
from model.order import identity_key
from planner.interpret.execution import Interpretation, RowSource, Scopes
from planner.ir.properties import relation_desc_of
from planner.ir.relation import LetRecursive, Recursive


def compile_recursive(recursive: Recursive, execution: Interpretation) -> RowSource:
    """Each round sees the rows that the last one added."""
    rounds = recursion_rounds(recursive, execution)

    def evaluate(scopes: Scopes) -> list[Row]:
        return [row for added in rounds(scopes) for row in added]

    return evaluate


def recursion_rounds(recursive: Recursive, execution: Interpretation) -> Callable[[Scopes], Iterator[list[Row]]]:
    """What the rounds add, each when it is asked for: there may be no last one."""
    base = execution.compile_relation(recursive.base, execution)
    step = execution.compile_relation(recursive.step, execution)
    identity = identity_key(relation_desc_of(recursive).types)

    def rounds(scopes: Scopes) -> Iterator[list[Row]]:
        seen: set[Any] = set()

        def fresh(rows: list[Row]) -> list[Row]:
            if not recursive.distinct:
                return rows
            new: dict[Any, Row] = {}
            for row in rows:
                key = identity(row)
                if key not in seen:
                    new.setdefault(key, row)
            seen.update(new)
            return list(new.values())

        added = fresh(base(scopes))
        while added:
            yield added
            execution.context.checkpoint()
            execution.locals[recursive.local_id] = added
            added = fresh(step(scopes))

    return rounds


def compile_let_recursive(let: LetRecursive, execution: Interpretation) -> RowSource:
    """Each round sees all rows. What a round leaves as it was stays the same list: what others remember of it holds."""
    bindings = [
        (each.local_id, execution.compile_relation(each.value, execution), identity_key(each.desc.types))
        for each in let.bindings
    ]
    body = execution.compile_relation(let.body, execution)
    limit = let.limit

    def one_round(scopes: Scopes) -> bool:
        """Whether it changed anything."""
        changed = False
        for local_id, value, identity in bindings:
            before, after = execution.locals[local_id], value(scopes)
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
