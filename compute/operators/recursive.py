"""Recursive (WITH RECURSIVE): `base`, then `step` over the rows last added, until a round adds none.

The rounds are driven from here, a Spark job each; the rows of a round are kept as a local table.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import pyarrow as pa

from compute.operators.context import Asked, Context
from compute.operators.linear import in_forms, with_error
from compute.operators.rendered import ERROR_COLUMN, Rendered, physical_forms
from compute.operators.rounds import ROUNDS_MAX, Kept, has_asked_rows, held, kept, too_many_rounds
from compute.operators.union import multiset, unite
from compute.scalars.comparisons import group_key
from compute.scalars.spark_sql import Sql
from model.physical.columns import column_name
from model.types.scalar_type import ScalarType
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Recursive


def render_recursive(node: Recursive, context: Context) -> Rendered:
    """Renders a recursion. 54001 after 100,000 rounds. A round with an error is the last: the error is the answer. A
    round with enough rows for the query is the last, too."""
    forms = physical_forms(relation_desc_of(node))
    base = in_forms(multiset(context.rendered(node.base)), forms)
    rounds = _Rounds(node, context, [kept(_unrepeated(with_error(base, is_text=True), node, []), context)])
    for _ in range(ROUNDS_MAX):
        last = rounds.rounds[-1]
        ended = not last.table.num_rows or last.error is not None
        if (first := rounds.first_enough(ended)) is not None:
            return rounds.until(first)
        if ended:
            return rounds.until(len(rounds.rounds))
        context.locals[node.local_id] = last.rows
        shared = len(context.shared)
        step = with_error(in_forms(multiset(context.rendered(node.step)), forms), is_text=True)
        before = [rounds.until(len(rounds.rounds))] if node.distinct else []
        rounds.rounds.append(kept(_unrepeated(step, node, before), context))
        del context.shared[shared:]
    raise too_many_rounds()


@dataclass(slots=True)
class _Rounds:
    """The rounds so far; `asked_at` is the number of rounds at which to check next whether the rows suffice."""

    node: Recursive
    context: Context
    rounds: list[Kept]
    asked_at: int = 1

    def until(self, count: int) -> Rendered:
        """Returns the rows of the first rounds, as one table."""
        if count == 1:
            return self.rounds[0].rows
        tables = [each.table for each in self.rounds[:count]]
        return held(self.rounds[0].rows, pa.concat_tables(tables, promote_options="permissive"), self.context).rows

    def first_enough(self, ended: bool) -> int | None:
        """Returns the least number of rounds with enough rows, or None. The check is made after 1, 2, 4, 8 … rounds
        and after the last: later rounds might fail."""
        asked, count = self.context.asked.get(self.node.local_id), len(self.rounds)
        if asked is None or (count < self.asked_at and not ended):
            return None
        too_few, self.asked_at = self.asked_at // 2, 2 * self.asked_at
        if not self._enough(count, asked):
            return None
        while count - too_few > 1:
            middle = (too_few + count) // 2
            if self._enough(middle, asked):
                count = middle
            else:
                too_few = middle
        return count

    def _enough(self, count: int, asked: tuple[Asked, ...]) -> bool:
        rows = sum(each.table.num_rows for each in self.rounds[:count])
        if any(each.each and isinstance(each.rows, int) and rows < each.rows for each in asked):
            return False
        others = [each for each in asked if not each.each]
        if not others:
            return True
        self.context.locals[self.node.local_id] = self.until(count)
        return all(has_asked_rows(each, self.context) for each in others)


def _unrepeated(rendered: Rendered, node: Recursive, before: list[Rendered]) -> Rendered:
    """Removes repeats for UNION, and the rows of rounds before."""
    if not node.distinct:
        return rendered
    columns = [column_name(i) for i in range(rendered.arity)]
    alike = [group_key(name, form.type) is not None for name, form in zip(columns, rendered.forms, strict=True)]
    distinct = replace(rendered, sql=_distinct(rendered, columns, alike), shown=frozenset())
    if not before:
        return distinct
    same = " AND ".join(
        f"{_key(f'a.{name}', form.type)} <=> {_key(f'b.{name}', form.type)}"
        for name, form in zip(columns, rendered.forms, strict=True)
    )
    text = f"SELECT a.* FROM {distinct.source} AS a LEFT ANTI JOIN {unite(before).source} AS b ON {same or 'true'}"
    return replace(rendered, sql=Sql(text), shown=frozenset())


def _distinct(rendered: Rendered, columns: list[str], alike: list[bool]) -> Sql:
    """Returns distinct rows; of equal rows that differ in form, the least."""
    if not any(alike):
        return Sql(f"SELECT DISTINCT * FROM {rendered.source}")
    keys = [_key(name, form.type) for name, form in zip(columns, rendered.forms, strict=True)]
    kept = [f"min({name}) AS {name}" if like else name for name, like in zip(columns, alike, strict=True)]
    error = [] if rendered.error is None else [ERROR_COLUMN]
    return Sql(f"SELECT {', '.join(kept + error)} FROM {rendered.source} GROUP BY {', '.join(keys + error)}")


def _key(name: str, type_: ScalarType) -> str:
    """Returns an expression equal where the values are equal."""
    return str(group_key(name, type_) or name)
