"""Joins on conditions that Spark's own joins can't judge: fallible conditions, and conditions in Python.

The candidate pairs come from an outer join on the other conditions, with each side's rows numbered. Every pair is
judged once; windows over the numbers then find the rows without a partner.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from compute.operators.linear import kept, settled
from compute.operators.rendered import Form, Rendered, decimals_name, error_column, select_list
from compute.scalars.failure import Error, first_error
from compute.scalars.layers import Layers
from compute.scalars.spark_sql import Sql
from model.physical.columns import column_name
from planner.ir.relation import JoinKind
from planner.ir.scalar import Scalar

if TYPE_CHECKING:
    from compute.operators.join import Sides

_PAIR, _LEFT, _RIGHT = 0, 1, 2


def by_pairs(
    pairs: Sql, sides: Sides, kind: JoinKind, predicates: list[Scalar], left: Error | None, right: Error | None
) -> Rendered:
    """Renders a join from candidate pairs with both sides' columns, `l_here`, `l_id`, `r_here`, `r_id`; error rows
    are in no pair."""
    layers = Layers()
    lowering = sides.context.lowering(sides.values, layers)
    values = settled(layers, [lowering.lower(predicate) for predicate in predicates])
    rows = first_error(left, right)
    pair = first_error(*(value.error for value in values))
    error = first_error(rows, pair)
    if error is not None and pair is not None:
        # A row without a candidate is judged against nothing.
        guarded = Error(Sql(f"CASE WHEN l_here AND r_here THEN {pair.sql} END"), pair.is_text, pair.failures)
        error = first_error(rows, guarded)
    hit = f"coalesce(l_here AND r_here AND {kept(values, None)}, false)"
    columns = [column_name(i) for i in range(len(sides.forms))] + [decimals_name(i) for i in sorted(sides.shown)]
    failed = [f"{error.sql} AS err"] if error is not None else []
    listed = ", ".join([*columns, "l_id", "r_id", f"{hit} AS hit", *failed])
    judged = f"SELECT {listed} FROM {layers.over(pairs)}"
    first = "hit DESC" if error is None else "err ASC NULLS LAST, hit DESC"
    windows = ", ".join(
        f"max(hit) OVER (PARTITION BY {side}_id) AS {side}_hit, "
        f"row_number() OVER (PARTITION BY {side}_id ORDER BY {first}) AS {side}_place"
        for side in (("l", "r") if kind is JoinKind.FULL else ("l",))
    )
    seen = f"SELECT *, {windows} FROM ({judged})"
    arms = _arms(kind, error is not None)
    exploded = f"SELECT *, explode(filter(array({arms}), x -> x IS NOT NULL)) AS part FROM ({seen})"
    return _shown(Sql(exploded), sides, kind, error)


def _arms(kind: JoinKind, fallible: bool) -> str:
    """Returns the output of a judged pair: the pair, its left row alone, its right row alone; always errors."""
    lonely = "CASE WHEN {0}_id IS NOT NULL AND NOT {0}_hit AND {0}_place = 1 THEN {1} END"
    found = f"CASE WHEN hit THEN {_PAIR} END"
    match kind:
        case JoinKind.SEMI:
            arms = [f"CASE WHEN hit AND l_place = 1 THEN {_LEFT} END"]
        case JoinKind.ANTI:
            arms = [lonely.format("l", _LEFT)]
        case JoinKind.FULL:
            arms = [found, lonely.format("l", _LEFT), lonely.format("r", _RIGHT)]
        case _:
            arms = [found, lonely.format("l", _LEFT)]
    if fallible:
        arms.append(f"CASE WHEN err IS NOT NULL THEN {_PAIR} END")
    return ", ".join(arms)


def _shown(exploded: Sql, sides: Sides, kind: JoinKind, error: Error | None) -> Rendered:
    width = sides.left.arity
    forms: tuple[Form, ...] = sides.left.forms if kind in (JoinKind.SEMI, JoinKind.ANTI) else sides.forms
    shown = frozenset(i for i in sides.shown if i < len(forms))

    def there(i: int, name: str) -> str:
        return f"CASE WHEN part <> {_RIGHT if i < width else _LEFT} THEN {name} END"

    columns = [there(i, column_name(i)) for i in range(len(forms))]
    decimals = "".join(f", {there(i, decimals_name(i))} AS {decimals_name(i)}" for i in sorted(shown))
    below = error_column(error) if error is not None else None
    text = f"SELECT {select_list(columns, below)}{decimals} FROM ({exploded})"
    return Rendered(Sql(text), forms, below, shown=shown)
