"""Arguments by name, `make_interval(days => 10)`, for the functions whose parameters PostgreSQL's manual names, and for
users' functions and procedures, with the defaults of parameters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from model.errors.sqlstate import Sqlstate
from model.types.scalar_type import BOOL, FLOAT8, INT4, JSONB, WIDE, ScalarType
from planner.catalog_view import ItemView
from planner.expressions.planner import Expressions
from planner.function_rules import FunctionParameter, FunctionRules, gathered_element
from planner.functions.numbers.wide import narrowed
from planner.ir.scalar import ArrayOf, Literal, Scalar
from planner.scope.analysis import Analysis
from planner.scope.names import location_of
from planner.types.coercion import as_wide

_PARAMETERS: dict[str, tuple[str, ...]] = {
    "jsonb_insert": ("jsonb_in", "path", "replacement", "insert_after"),
    "jsonb_set": ("jsonb_in", "path", "replacement", "create_if_missing"),
    "jsonb_set_lax": ("jsonb_in", "path", "replacement", "create_if_missing", "null_value_treatment"),
    "parse_ident": ("str", "strict"),
    "pg_input_error_info": ("value", "type_name"),
    "random_normal": ("mean", "stddev"),
    "make_date": ("year", "month", "day"),
    "make_interval": ("years", "months", "weeks", "days", "hours", "mins", "secs"),
    "make_time": ("hour", "min", "sec"),
    "make_timestamp": ("year", "month", "mday", "hour", "min", "sec"),
    "make_timestamptz": ("year", "month", "mday", "hour", "min", "sec", "timezone"),
}
_PATH_QUERIES = ("exists", "match", "query", "query_array", "query_first")
_PARAMETERS |= {
    f"jsonb_path_{name}{suffix}": ("target", "path", "vars", "silent")
    for name in _PATH_QUERIES
    for suffix in ("", "_tz")
}
_JSON = ("json", "jsonb")
_PARAMETERS |= {
    **{f"{type_}_populate_record{suffix}": ("base", "from_json") for type_ in _JSON for suffix in ("", "set")},
    **{f"{type_}_array_element{suffix}": ("from_json", "element_index") for type_ in _JSON for suffix in ("", "_text")},
    **{f"{type_}_object_field{suffix}": ("from_json", "field_name") for type_ in _JSON for suffix in ("", "_text")},
    **{
        f"{type_}_{name}{suffix}": ("from_json",)
        for type_ in _JSON
        for name in ("array_elements", "each")
        for suffix in ("", "_text")
    },
    **dict.fromkeys(("json_populate_record", "json_populate_recordset"), ("base", "from_json", "use_json_as_text")),
}
_DEFAULTS: dict[str, Scalar] = {
    **dict.fromkeys(_PARAMETERS["make_interval"], Literal(0, INT4)),
    "vars": Literal("{}", JSONB),
    "insert_after": Literal(False, BOOL),
    "create_if_missing": Literal(True, BOOL),
    "mean": Literal(0.0, FLOAT8),
}
"""Of the parameters that may be left out before one that is named."""


def plan_arguments(expressions: Expressions, name: str, nodes: Sequence[Any]) -> tuple[list[Scalar], list[int]]:
    """Returns the arguments of a call in the order of the parameters, and their places.

    Raises 0A000 for names given to a function without; raises 42601 for a name given twice, and for a place after a
    name; raises 42883 for a name or a number of arguments that the function doesn't take."""
    if not any(_is_named(node) for node in nodes):
        return [expressions.plan(node) for node in nodes], [location_of(node) for node in nodes]
    given = _by_name(expressions, name, nodes)
    parameters = _PARAMETERS[name]
    last = max(parameters.index(parameter) for parameter in given)
    arguments: list[Scalar] = []
    for parameter in parameters[: last + 1]:
        if parameter in given:
            arguments.append(expressions.plan(given[parameter]))
        elif parameter in _DEFAULTS:
            arguments.append(_DEFAULTS[parameter])
        else:
            raise _missing(expressions, name, location_of(nodes[0]))
    places = {parameter: location_of(node) for parameter, node in given.items()}
    return arguments, [places.get(parameter, -1) for parameter in parameters[: last + 1]]


def _is_named(node: Any) -> bool:
    return bool(node.WhichOneof("node") == "named_arg_expr")


def _by_name(expressions: Expressions, name: str, nodes: Sequence[Any]) -> dict[str, Any]:
    analysis = expressions.analysis
    count = next(at for at, node in enumerate(nodes) if _is_named(node))
    for node in nodes[count:]:
        if not _is_named(node):
            message = "positional argument cannot follow named argument"
            raise analysis.error(Sqlstate.SYNTAX_ERROR, message, location_of(node))
    if name not in _PARAMETERS:
        raise analysis.unsupported(f"a named argument of {name}", nodes[count].named_arg_expr.location)
    parameters = _PARAMETERS[name]
    given = dict(zip(parameters, nodes[:count], strict=False))
    by_place = frozenset(given)
    for named in (node.named_arg_expr for node in nodes[count:]):
        if named.name not in parameters or named.name in by_place:
            raise _missing(expressions, name, named.location)
        if named.name in given:
            message = f'argument name "{named.name}" used more than once'
            raise analysis.error(Sqlstate.SYNTAX_ERROR, message, named.location)
        given[named.name] = named.arg
    return given


def _missing(expressions: Expressions, name: str, location: int) -> Exception:
    shown = ", ".join(_PARAMETERS[name])
    message = f"function {name} does not take these arguments"
    hint = f"Its parameters are {shown}."
    return expressions.analysis.error(Sqlstate.UNDEFINED_FUNCTION, message, location, hint=hint)


@dataclass(frozen=True, slots=True)
class RoutineCall:
    """An overload that takes the arguments as they are written. `places`: the argument of each parameter, None where
    the parameter's default stands. `defined`: the columns are from a column definition list. `gathered`: so many of the
    last arguments make the array of the VARIADIC parameter; None where it is given as it is, or not at all."""

    key: str
    arguments: tuple[ScalarType, ...]
    item: ItemView
    places: tuple[int | None, ...]
    defined: bool = False
    gathered: int | None = None

    @property
    def rules(self) -> FunctionRules:
        """Returns the meaning of what is called."""
        assert self.item.function is not None, "a call is of a function"
        return self.item.function

    @property
    def parameters(self) -> tuple[FunctionParameter, ...]:
        """Returns the parameters that a call writes: a procedure's OUT parameters, too."""
        return self.rules.parameters if self.rules.procedure else self.rules.inputs


def written_arguments(nodes: Any) -> tuple[list[Any], list[str]]:
    """Returns the expressions of an argument list, and the parameter that each names; nothing for one by its place."""
    names = [str(each.named_arg_expr.name) if each.WhichOneof("node") == "named_arg_expr" else "" for each in nodes]
    return [each.named_arg_expr.arg if name else each for each, name in zip(nodes, names, strict=True)], names


def require_names_last(analysis: Analysis, names: Sequence[str], location: int) -> None:
    """Raises SqlError 42601 for an argument by its place behind one by its name."""
    if any(first and not second for first, second in pairwise(names)):
        message = "positional argument cannot follow named argument"
        raise analysis.error(Sqlstate.SYNTAX_ERROR, message, location)


def fitting_call(
    item: ItemView, parameters: Sequence[FunctionParameter], names: Sequence[str], *, as_array: bool = False
) -> RoutineCall | None:
    """Returns how a routine takes arguments by place and by name, the last `as_array` where VARIADIC is written;
    None where it does not take them."""
    last = next((at for at, each in enumerate(parameters) if each.mode == "v"), len(parameters))
    if not as_array and last < len(parameters):
        if any(names):
            return None
        if len(parameters) <= len(names):
            return _gathering(item, parameters, last, len(names))
    places: list[int | None] = [None] * len(parameters)
    declared: list[ScalarType] = []
    for at, name in enumerate(names):
        found = [n for n, each in enumerate(parameters) if each.name == name] if name else [at]
        if not found or found[0] >= len(parameters) or places[found[0]] is not None:
            return None
        places[found[0]] = at
        declared.append(parameters[found[0]].type)
    if any(at is None and each.default is None for at, each in zip(places, parameters, strict=True)):
        return None
    return RoutineCall(str(item.oid), tuple(declared), item, tuple(places))


def _gathering(item: ItemView, parameters: Sequence[FunctionParameter], at: int, count: int) -> RoutineCall:
    """Returns how a routine takes arguments by their places whose VARIADIC parameter, the one `at`, gathers several."""
    element, gathered = gathered_element(parameters[at].type), count - len(parameters) + 1
    assert element is not None, "VARIADIC parameters are arrays"
    element = narrowed(element)
    before, after = parameters[:at], parameters[at + 1 :]
    declared = (*(each.type for each in before), *(element,) * gathered, *(each.type for each in after))
    return RoutineCall(str(item.oid), declared, item, tuple(range(len(parameters))), gathered=gathered)


def preference(call: RoutineCall) -> tuple[bool, int]:
    """Returns what orders calls that take the same arguments: the best gathers none, and leaves out the fewest."""
    return call.gathered is not None, call.places.count(None)


def gathered_arguments(call: RoutineCall, arguments: Sequence[Scalar]) -> Sequence[Scalar]:
    """Returns the arguments with those in an array that the VARIADIC parameter gathers."""
    if call.gathered is None:
        return arguments
    at = next(at for at, each in enumerate(call.parameters) if each.mode == "v")
    array = ArrayOf(_elements(arguments[at : at + call.gathered], call.parameters[at].type), call.parameters[at].type)
    return (*arguments[:at], array, *arguments[at + call.gathered :])


def _elements(values: Sequence[Scalar], type_: ScalarType) -> tuple[Scalar, ...]:
    """Returns the elements of an array of the type `type_`."""
    return tuple(map(as_wide, values) if type_.element == WIDE else values)
