"""FlatMap: each row beside the rows of a table function of it.

flat_map(A + B) = flat_map(A) + flat_map(B)
"""

from __future__ import annotations

from compute.operators.context import Context
from compute.operators.rendered import Form, Rendered, error_column, physical_forms, select_list
from compute.scalars.failure import Error, Failure, failing_when, first_error
from compute.scalars.layers import Layers
from compute.scalars.spark_sql import Sql, when
from compute.scalars.value import Value, derived
from model.physical.arrays import ITEMS
from model.physical.columns import column_name
from model.types.scalar_type import INT4, INT8
from planner.ir.relation import FlatMap

_SERIES = {f"generate_series_{t}_{t}{step}": t for t in ("int4", "int8") for step in ("", f"_{t}")}
_LONG_MAX = (1 << 63) - 1


def render_flat_map(node: FlatMap, context: Context) -> Rendered:
    """Renders a table function: its rows come as an array of structs, which Spark explodes; a failing row is an
    error."""
    input_ = context.rendered(node.input)
    layers = Layers()
    lowering = context.lowering(input_.values(), layers)
    arguments = tuple(lowering.lower(argument) for argument in node.arguments)
    if node.function in _SERIES:
        found = _range(node, input_, arguments)
        if found is not None:
            return found
    made = _built_in(node, layers, arguments)
    rows = layers.once(made or context.python.table(layers, node.function, arguments, node.desc))
    error = first_error(input_.error, rows.error)
    array = rows.sql
    if error is not None:
        # An error's row passes with an array of one NULL, so that exploding keeps it.
        array = when((f"{error.sql} IS NULL", rows.sql), otherwise="array(NULL)")
    listed = select_list([column_name(i) for i in range(input_.arity)], error, input_.carried)
    exploded = f"SELECT {listed}, posexplode({array}) AS (place, item) FROM {layers.over(input_.source)}"
    produced = [f"item.f{i}" for i in range(node.desc.arity)]
    produced += ["CAST(place + 1 AS BIGINT)"] if node.ordinality else []
    return _shown(node, input_, produced, Sql(f"({exploded})"), error_column(error) if error is not None else None)


def _shown(node: FlatMap, input_: Rendered, produced: list[str], source: Sql, error: Error | None) -> Rendered:
    outputs = [column_name(i) for i in range(input_.arity)] + produced
    forms = input_.forms + physical_forms(node.desc) + ((Form(INT8),) if node.ordinality else ())
    text = f"SELECT {select_list(outputs, error, input_.carried)} FROM {source}"
    return Rendered(Sql(text), forms, error, input_.carried)


def _range(node: FlatMap, input_: Rendered, arguments: tuple[Value, ...]) -> Rendered | None:
    """Renders a series between literals as a range, which Spark makes piece by piece; None for any other call."""
    start, stop, step = (*(argument.constant for argument in arguments), 1)[:3]
    if not (isinstance(start, int) and isinstance(stop, int) and isinstance(step, int)) or step == 0:
        return None
    count = max((stop - start) // step + 1, 0)
    end = start + count * step
    if not -_LONG_MAX <= end <= _LONG_MAX:
        return None
    produced = [f"CAST(id AS {'INT' if _SERIES[node.function] == 'int4' else 'BIGINT'})"]
    if node.ordinality:
        produced.append(f"((id - ({start}L)) div ({step}L) + 1L)")
    source = Sql(f"({input_.source} CROSS JOIN range({start}L, {end}L, {step}L))")
    return _shown(node, input_, produced, source, input_.error)


def _built_in(node: FlatMap, layers: Layers, arguments: tuple[Value, ...]) -> Value | None:
    type_ = arguments[0].type if arguments else None
    is_array = node.function == "unnest_anyarray" and type_ is not None and type_.element is not None
    if is_array or node.function == "unnest_anycompatiblelist":
        items = f"{arguments[0].sql}.{ITEMS}" if is_array else arguments[0].sql
        text = f"transform({items}, x -> named_struct('f0', x))"
        return derived(text, arguments[0].type, *arguments)
    if _SERIES.get(node.function) != "int4":
        return None
    start, stop, *rest = layers.once_all(*arguments)
    step = rest[0].sql if rest else "1"
    forward = f"({step} > 0 AND {start.sql} <= {stop.sql}) OR ({step} < 0 AND {start.sql} >= {stop.sql})"
    numbers = f"sequence(CAST({start.sql} AS BIGINT), CAST({stop.sql} AS BIGINT), CAST({step} AS BIGINT))"
    rows = f"transform({numbers}, x -> named_struct('f0', CAST(x AS INT)))"
    present = " AND ".join(f"{value.sql} IS NOT NULL" for value in (start, stop))
    error = failing_when(f"{step} = 0 AND {present}", Failure.ZERO_STEP) if rest else None
    return derived(when((forward, rows)), INT4, start, stop, *rest, error=error)
