"""WITH (fillfactor = …) and its kin: what tells PostgreSQL how to store and vacuum, and changes no answer.

Names, ranges and errors are PostgreSQL's; the values are forgotten.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate

_Range = tuple[float, float] | None
"""Bounds of a number; None for a switch."""

_COUNT = (0, 2**31 - 1)
_SCALE = (0.0, 100.0)
_VACUUM: Mapping[str, _Range] = {
    "autovacuum_enabled": None,
    "vacuum_truncate": None,
    "autovacuum_vacuum_threshold": _COUNT,
    "autovacuum_vacuum_insert_threshold": (-1, 2**31 - 1),
    "autovacuum_vacuum_cost_limit": (1, 10_000),
    "autovacuum_freeze_min_age": (0, 1_000_000_000),
    "autovacuum_freeze_max_age": (100_000, 2_000_000_000),
    "autovacuum_freeze_table_age": (0, 2_000_000_000),
    "autovacuum_multixact_freeze_min_age": (0, 1_000_000_000),
    "autovacuum_multixact_freeze_max_age": (10_000, 2_000_000_000),
    "autovacuum_multixact_freeze_table_age": (0, 2_000_000_000),
    "log_autovacuum_min_duration": (-1, 2**31 - 1),
    "autovacuum_vacuum_scale_factor": _SCALE,
    "autovacuum_vacuum_insert_scale_factor": _SCALE,
    "autovacuum_vacuum_cost_delay": (-1.0, 100.0),
}
_TABLE: Mapping[str, _Range] = {
    **_VACUUM,
    "fillfactor": (10, 100),
    "toast_tuple_target": (128, 8160),
    "parallel_workers": (0, 1024),
    "user_catalog_table": None,
    "autovacuum_analyze_threshold": _COUNT,
    "autovacuum_analyze_scale_factor": _SCALE,
}
_INDEX: Mapping[str, _Range] = {"fillfactor": (10, 100), "deduplicate_items": None}
_SWITCH = frozenset(("true", "false", "on", "off", "yes", "no", "1", "0"))


def check_table_parameters(options: Iterable[Any]) -> None:
    """Raises SqlError 22023 for what PostgreSQL would not take either, 0A000 for WITH (oids)."""
    for option in options:
        node = option.def_elem
        if node.defnamespace == "toast":
            _check(node, _VACUUM)
        elif node.defname == "oids" and not node.defnamespace:
            if option_text(node).lower() not in ("false", "off", "no", "0"):
                raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, "tables declared WITH OIDS are not supported")
        else:
            _check(node, _TABLE)


def check_index_parameters(options: Iterable[Any]) -> None:
    """Raises SqlError 22023 for parameters that PostgreSQL would refuse."""
    for option in options:
        _check(option.def_elem, _INDEX)


def _check(node: Any, known: Mapping[str, _Range]) -> None:
    name, text = node.defname, option_text(node)
    if name not in known or (node.defnamespace and node.defnamespace != "toast"):
        raise SqlError(Sqlstate.INVALID_PARAMETER_VALUE, f'unrecognized parameter "{name}"')
    bounds = known[name]
    if bounds is None:
        if text.lower() not in _SWITCH:
            raise _invalid(name, "boolean", text)
        return
    whole = isinstance(bounds[0], int)
    try:
        value = round(float(text)) if whole else float(text)
    except (ValueError, OverflowError):
        raise _invalid(name, "integer" if whole else "floating point", text) from None
    least, most = bounds
    if not math.isfinite(value) or not least <= value <= most:
        form = "{}" if whole else "{:f}"
        raise SqlError(
            Sqlstate.INVALID_PARAMETER_VALUE,
            f'value {text} out of bounds for option "{name}"',
            detail=f'Valid values are between "{form.format(least)}" and "{form.format(most)}".',
        )


def _invalid(name: str, kind: str, text: str) -> SqlError:
    return SqlError(Sqlstate.INVALID_PARAMETER_VALUE, f'invalid value for {kind} option "{name}": {text}')


def option_text(node: Any) -> str:
    """Returns a parameter's value as it is written; a name alone is a switch that is on."""
    match node.arg.WhichOneof("node"):
        case "integer":
            return str(node.arg.integer.ival)
        case "float":
            return str(node.arg.float.fval)
        case "string":
            return str(node.arg.string.sval)
        case "boolean":
            return str(node.arg.boolean.boolval).lower()
        case "type_name":
            return ".".join(name.string.sval for name in node.arg.type_name.names)
        case _:
            return "true"
