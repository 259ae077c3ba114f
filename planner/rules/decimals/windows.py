"""Decimals of calls over windows, each told by one more call over the same rows.

lag(n, 2, 0.5)    →    lag(n, 2, 0.5), lag(decimals of n, 2, 1)
sum(n)            →    sum(n), max(decimals of n)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from decimal import Decimal

from model.physical.columns import NUMERIC_PRECISION_MAX, NUMERIC_SCALE_DEFAULT
from model.types.scalar_type import INT4, INT8, NUMERIC, TEXT, ScalarType, has_own_decimals, shown_scale
from planner.functions.casts.table import find_cast
from planner.functions.numbers.shown_scales import decimals_of_value
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Map, Project, Relation, Window
from planner.ir.scalar import Call, Column, Literal, Scalar, scalar_type
from planner.ir.window import WindowCall
from planner.rules.decimals.expressions import Places, decimals_read, decimals_told, telling
from planner.rules.decimals.groups import OF_VALUES, SUMS, mean_of

Told = Callable[[Relation, frozenset[int]], Relation]
_NAME = "decimals"
_EXTREMES = ("min_numeric", "max_numeric")
_ABOVE = Decimal(10) ** (NUMERIC_PRECISION_MAX - NUMERIC_SCALE_DEFAULT)
"""Greater than what numerics without a modifier hold."""
_WIDTH = len(str(_ABOVE))
_MOST = "9999"
_PLACED = ("lag_", "lead_", "first_value_", "last_value_", "nth_value_")
"""Calls whose value is that of one of the rows."""


def windowed_with_decimals(told: Told, window: Window, asked: frozenset[int]) -> Relation:
    """Returns a Window with the decimals of the columns `asked` behind its own; `told` yields its input with those of
    columns."""
    desc = relation_desc_of(window.input)
    width = desc.arity
    read = decimals_read(key.expression for key in window.order)
    for at, call in enumerate(window.calls):
        around = call.scalars[len(call.arguments) :]
        read |= decimals_read(around)
        read |= decimals_read(call.arguments, width + at in asked or not _of_values(call))
    if asked:
        # Rows that tie are told apart by all that they show, whoever asks for it.
        read |= {at for at, type_ in enumerate(desc.types) if has_own_decimals(type_)}
    input_ = told(window.input, frozenset(read))
    if not read and not asked:
        return replace(window, input=input_)
    places = {at: width + number for number, at in enumerate(sorted(read))}
    calls = _Calls(places, width + len(read))
    for at, call in enumerate(window.calls):
        calls.add(call, width + at in asked)
    order = tuple(replace(key, expression=telling(key.expression, places)) for key in window.order)
    whole = Window(input_, window.group, order, tuple(calls.calls), tuple(_NAME for _ in calls.calls))
    of_rows = [Column(places[at], INT4) for at in sorted(asked) if at < width]
    columns = [Column(at, type_) for at, type_ in enumerate(desc.types)]
    scalars: list[Scalar] = [*columns, *calls.outputs, *of_rows, *calls.decimals]
    names = (*desc.names, *window.names, *(_NAME for _ in asked))
    computed = [(name, each) for name, each in zip(names, scalars, strict=True) if not isinstance(each, Column)]
    arity = calls.first + len(calls.calls)
    behind = iter(range(arity, arity + len(computed)))
    chosen = tuple(each.index if isinstance(each, Column) else next(behind) for each in scalars)
    mapped = Map(whole, tuple(each for _, each in computed), tuple(name for name, _ in computed)) if computed else whole
    return Project(mapped, chosen)


def _of_values(call: WindowCall) -> bool:
    return call.function in OF_VALUES or call.function.startswith(_PLACED)


def _code(value: Scalar, decimals: Scalar) -> Scalar:
    """Returns a text that sorts as a numeric does, and equal ones by another number, which ends the text."""
    whole = Call("floor_numeric", (value,), NUMERIC)
    part = Call("trim_scale_numeric", (Call("subtract_numeric_numeric", (value, whole), NUMERIC),), NUMERIC)
    positive = Call("add_numeric_numeric", (whole, Literal(_ABOVE, NUMERIC)), NUMERIC)
    code = _padded(_cast(positive, TEXT), _WIDTH)
    # A blank sorts before all digits: 0.5 stands before 0.51.
    for text in (_cast(part, TEXT), Literal(" ", TEXT), _padded(_cast(decimals, TEXT), len(_MOST))):
        code = Call("concat_text_text", (code, text), TEXT)
    return code


def _padded(text: Scalar, width: int) -> Scalar:
    return Call("lpad_text_int4_text", (text, Literal(width, INT4), Literal("0", TEXT)), TEXT)


def _from_most(decimals: Scalar) -> Scalar:
    return Call("subtract_int4_int4", (Literal(int(_MOST), INT4), decimals), INT4)


def _cast(value: Scalar, type_: ScalarType) -> Scalar:
    cast = find_cast(scalar_type(value), type_)
    assert cast is not None and not cast.function.session, "numbers are written alike everywhere"
    return Call(cast.function.key, (value,), type_)


@dataclass(slots=True)
class _Calls:
    """The calls of a Window, whose columns begin at `first`; `outputs` are what was asked for, over these, and
    `decimals` the numbers of decimals that are asked for."""

    places: Places
    first: int
    calls: list[WindowCall] = field(default_factory=list)
    outputs: list[Scalar] = field(default_factory=list)
    decimals: list[Scalar] = field(default_factory=list)

    def add(self, call: WindowCall, asked: bool) -> None:
        own = call.with_scalars(lambda scalar: telling(scalar, self.places))
        if not _of_values(call):
            own = replace(own, arguments=tuple(telling(each, self.places, asked=True) for each in call.arguments))
        if asked and call.function in SUMS:
            function, type_ = SUMS[call.function]
            total = self._computed(replace(own, function=function, type=type_))
            number = self._computed(replace(own, function="count_any", type=INT8))
            mean = mean_of(total, number, self._most(call, own) if function == "sum_numeric" else None, call.type)
            self.outputs.append(mean)
            self.decimals.append(decimals_of_value(mean))
            return
        value = self._computed(own)
        self.outputs.append(value)
        if not asked:
            return
        if call.function == "sum_numeric":
            self.decimals.append(self._most(call, own))
        elif call.function in _EXTREMES:
            self.decimals.append(self._of_extreme(call, own))
        elif call.function.startswith(_PLACED):
            first, *others = call.arguments
            told = [decimals_told(first, self.places), *others]
            if len(told) == 3:
                told[2] = decimals_told(others[1], self.places)
            self.decimals.append(self._computed(replace(own, arguments=tuple(told), type=INT4)))
        else:
            self.decimals.append(decimals_of_value(value))

    def _most(self, call: WindowCall, own: WindowCall) -> Scalar:
        scale = shown_scale(scalar_type(call.arguments[0]))
        if scale is not None:
            return Literal(scale, INT4)
        told = decimals_told(call.arguments[0], self.places)
        return self._computed(replace(own, function="max_int4", arguments=(told,), type=INT4))

    def _of_extreme(self, call: WindowCall, own: WindowCall) -> Scalar:
        """Returns the most decimals among the values of a frame that are equal to the least or the greatest."""
        (value,) = call.arguments
        greatest = call.function.startswith("max_")
        decimals = decimals_told(value, self.places)
        code = _code(own.arguments[0], decimals if greatest else _from_most(decimals))
        word = "max_text" if greatest else "min_text"
        found = self._computed(replace(own, function=word, arguments=(code,), type=TEXT))
        told = _cast(Call("right_text_int4", (found, Literal(len(_MOST), INT4)), TEXT), INT4)
        return told if greatest else _from_most(told)

    def _computed(self, call: WindowCall) -> Column:
        self.calls.append(call)
        return Column(self.first + len(self.calls) - 1, call.type)
