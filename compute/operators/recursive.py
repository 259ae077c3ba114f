"""Recursive (WITH RECURSIVE): `base`, then `step` over the rows last added, until a round adds none.

The rounds are driven from here, a Spark job each; the rows of a round are kept as a local table.
"""

from __future__ import annotations

from dataclasses import replace

from compute.operators.context import Context
from compute.operators.linear import in_forms, with_error
from compute.operators.rendered import ERROR_COLUMN, Rendered, physical_forms
from compute.operators.rounds import ROUNDS_MAX, kept, too_many_rounds
from compute.operators.union import multiset, unite
from compute.scalars.comparisons import group_key
from compute.scalars.spark_sql import Sql
from model.physical import column_name
from model.scalar_type import ScalarType
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
    columns = [column_name(i) for i in range(rendered.arity)]
    alike = [group_key(name, form.type) is not None for name, form in zip(columns, rendered.forms, strict=True)]
    distinct = replace(rendered, sql=_distinct(rendered, columns, alike))
    if not before:
        return distinct
    same = " AND ".join(
        f"{_key(f'a.{name}', form.type)} <=> {_key(f'b.{name}', form.type)}"
        for name, form in zip(columns, rendered.forms, strict=True)
    )
    text = f"SELECT a.* FROM {distinct.source} AS a LEFT ANTI JOIN {unite(before).source} AS b ON {same or 'true'}"
    return replace(rendered, sql=Sql(text))


def _distinct(rendered: Rendered, columns: list[str], alike: list[bool]) -> Sql:
    """Of rows that are equal and yet differ, the least values."""
    if not any(alike):
        return Sql(f"SELECT DISTINCT * FROM {rendered.source}")
    keys = [_key(name, form.type) for name, form in zip(columns, rendered.forms, strict=True)]
    kept = [f"min({name}) AS {name}" if like else name for name, like in zip(columns, alike, strict=True)]
    error = [] if rendered.error is None else [ERROR_COLUMN]
    return Sql(f"SELECT {', '.join(kept + error)} FROM {rendered.source} GROUP BY {', '.join(keys + error)}")


def _key(name: str, type_: ScalarType) -> str:
    """What is equal where the values are."""
    return str(group_key(name, type_) or name)
