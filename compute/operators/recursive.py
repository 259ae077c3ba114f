"""Recursive (WITH RECURSIVE): `base`, then `step` over the rows last added, until a round adds none.

The rounds are driven from here, a Spark job each; the rows of a round are kept as a local table.
"""

from __future__ import annotations

from dataclasses import replace

from compute.operators.context import Context
from compute.operators.linear import in_forms, with_error
from compute.operators.rendered import Rendered, physical_forms
from compute.operators.rounds import ROUNDS_MAX, kept, too_many_rounds
from compute.operators.union import multiset, unite
from compute.scalars.comparisons import holds
from compute.scalars.spark_sql import Sql
from model.errors import NotSupported
from model.physical import column_name
from model.scalar_type import TypeName
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Recursive


def render_recursive(node: Recursive, context: Context) -> Rendered:
    """54001 after 100,000 rounds. A round with an error is the last: the error is the answer; so is one after which
    there are rows enough."""
    forms = physical_forms(relation_desc_of(node))
    base = in_forms(multiset(context.rendered(node.base)), forms)
    last = kept(_unrepeated(with_error(base, is_text=True), node, []), context)
    rounds, count = [last.rows], last.table.num_rows
    enough = context.enough.get(node.local_id)
    for _ in range(ROUNDS_MAX):
        if not last.table.num_rows or last.error is not None or (enough is not None and count >= enough):
            return unite(rounds)
        context.locals[node.local_id] = last.rows
        shared = len(context.shared)
        step = with_error(in_forms(multiset(context.rendered(node.step)), forms), is_text=True)
        last = kept(_unrepeated(step, node, rounds), context)
        del context.shared[shared:]
        rounds.append(last.rows)
        count += last.table.num_rows
    raise too_many_rounds()


def _unrepeated(rendered: Rendered, node: Recursive, before: list[Rendered]) -> Rendered:
    """For UNION: without repeats, and without the rows of rounds before."""
    if not node.distinct:
        return rendered
    for form in rendered.forms:
        if any(holds(form.type, name) for name in (TypeName.INTERVAL, TypeName.JSONB)):
            raise NotSupported(f"WITH RECURSIVE … UNION of a column of type {form.type}")
    distinct = replace(rendered, sql=Sql(f"SELECT DISTINCT * FROM {rendered.source}"))
    if not before:
        return distinct
    columns = [column_name(i) for i in range(rendered.arity)]
    same = " AND ".join(f"a.{name} <=> b.{name}" for name in columns) or "true"
    text = f"SELECT a.* FROM {distinct.source} AS a LEFT ANTI JOIN {unite(before).source} AS b ON {same}"
    return replace(rendered, sql=Sql(text))
