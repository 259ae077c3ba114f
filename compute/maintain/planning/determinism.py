"""Refuses expressions that a maintained view can't keep: its contents are a function of the inputs and mz_now() alone.

The time zone is UTC the style of dates ISO, MDY, and texts are searched in English, whoever creates the view.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable

from model.errors.sql_error import NotSupported, SqlError
from model.text.context import DEFAULT_CONTEXT, output_style
from model.types.datum import Datum
from model.types.scalar_type import BOOL, TEXT, TIMESTAMPTZ
from planner.functions.registry import FUNCTIONS, TABLE_FUNCTIONS
from planner.functions.signature import Volatility
from planner.interpret.context import EvaluationContext
from planner.interpret.evaluate import evaluate_scalar
from planner.interpret.parameters import bind_relation
from planner.ir.relation import FlatMap, Relation
from planner.ir.scalar import Call, Case, Literal, Scalar, SessionName, SessionValue
from planner.ir.visit import operands_of, rewrite_relation, rewrite_scalar, scalars_of, walk_relation

_SETTINGS: dict[SessionName, Datum] = {
    SessionName.TIME_ZONE: DEFAULT_CONTEXT.time_zone,
    SessionName.DATE_STYLE: DEFAULT_CONTEXT.date_style,
    SessionName.OUTPUT_STYLE: output_style(DEFAULT_CONTEXT),
    SessionName.TEXT_SEARCH: DEFAULT_CONTEXT.text_search,
    SessionName.SIMILARITY: DEFAULT_CONTEXT.similarity,
}
_CLOCKS = frozenset((SessionName.NOW, SessionName.STATEMENT_TIME, SessionName.CLOCK_TIME))
_WORDS = frozenset((SessionName.CURRENT_USER, SessionName.SESSION_USER))
_WHERE = "in what is maintained"
_CLOCK_WORDS = "now|today|tomorrow|yesterday"
_EPOCH = Literal(datetime.datetime.fromtimestamp(0, datetime.UTC), TIMESTAMPTZ)
"""The clock for texts that have none of its words: it is not read."""


def settled(relation: Relation) -> Relation:
    """Returns the relation with its settings fixed. Raises 0A000 for expressions that depend on the reader or the
    moment."""
    relation = rewrite_relation(bind_relation(relation, (), _SETTINGS), _without_clock, 0)
    for node in walk_relation(relation):
        if isinstance(node, FlatMap) and TABLE_FUNCTIONS[node.function].needs_system:
            raise _of_the_reader(f"{TABLE_FUNCTIONS[node.function].name}()")
        for scalar in scalars_of(node):
            _check(scalar)
    return relation


def reads_now(scalar: Scalar) -> bool:
    """Returns whether mz_now() stands in the expression."""
    return scalar == SessionValue(SessionName.MZ_NOW) or any(map(reads_now, operands_of(scalar)))


def check_no_now(scalars: Iterable[Scalar]) -> None:
    """Raises 0A000 for an expression that reads mz_now()."""
    if any(map(reads_now, scalars)):
        raise misplaced_now()


def misplaced_now() -> NotSupported:
    return NotSupported(
        f"mz_now() in this place {_WHERE}",
        hint="In WHERE and HAVING, compare mz_now() itself by <, <=, =, >= or > with what does not read it, "
        "as one of the conditions that AND joins.",
    )


def _check(scalar: Scalar) -> None:
    match scalar:
        case SessionValue(SessionName.MZ_NOW):
            pass
        case SessionValue(name) if name in _CLOCKS:
            raise NotSupported(f"{name.value}() {_WHERE}", hint="Compare with mz_now() in WHERE instead.")
        case SessionValue(name):
            raise _of_the_reader(name.value if name in _WORDS else f"{name.value}()")
        case Call():
            function = FUNCTIONS[scalar.function]
            called = f"a cast to {scalar.type}" if function.form == "cast" else f"{function.name}()"
            if function.volatility is Volatility.VOLATILE:
                raise NotSupported(f"{called} {_WHERE}", hint="Its answer differs each time it is asked.")
            if function.needs_system:
                raise _of_the_reader(called)
    for operand in operands_of(scalar):
        _check(operand)


def _of_the_reader(what: str) -> NotSupported:
    return NotSupported(f"{what} {_WHERE}", hint="Its answer depends on the session or the catalog, not on the data.")


def _without_clock(node: Scalar, level: int) -> Scalar | None:
    """Makes casts of text to dates and times work without a clock: a text such as 'today' becomes an error of its
    row."""
    if not isinstance(node, Call):
        return None
    function = FUNCTIONS[node.function]
    if function.form != "cast" or SessionName.NOW not in function.session or function.arguments[0].element is not None:
        return None
    text = rewrite_scalar(node.arguments[0], _without_clock, level)

    def read(source: Scalar) -> Call:
        rest = tuple(_EPOCH if each == SessionValue(SessionName.NOW) else each for each in node.arguments[1:])
        return Call(node.function, (source, *rest), node.type)

    if isinstance(text, Literal):
        asks = isinstance(text.value, str) and re.search(_CLOCK_WORDS, text.value, re.IGNORECASE) is not None
        return None if asks else _evaluated(read(text))
    asks_clock = Call("imatches_text_text", (text, Literal(_CLOCK_WORDS, TEXT)), BOOL)
    refused = read(Literal("a time relative to the clock", TEXT))
    return Case(((asks_clock, refused),), read(text), node.type)


def _evaluated(call: Call) -> Scalar:
    """Evaluates a call of constants; a failing call stays, and fails again for its rows."""
    try:
        return Literal(evaluate_scalar(call, EvaluationContext()), call.type)
    except SqlError:
        return call
