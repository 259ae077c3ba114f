"""DO: a block of PL/pgSQL. No other language that Headwater has runs code outside of a function; SQL does not in
PostgreSQL either."""

from __future__ import annotations

from typing import Any

from model.errors.sqlstate import Sqlstate
from planner.plans.functions import DoPlan
from planner.scope.analysis import Analysis
from planner.statements.functions.block_reading import read_block
from planner.syntax.parse import ParsedStatement

_WITHOUT_CODE = ("sql", "c", "internal")


def plan(analysis: Analysis, statement: ParsedStatement) -> DoPlan:
    """Plans DO. Raises SqlError 42601 for code that is none, 0A000 for what of PL/pgSQL is not there; raises 42704 for
    an unknown language, 0A000 for one without code outside of functions."""
    options: dict[str, Any] = {each.def_elem.defname: each.def_elem.arg for each in statement.node.args}
    language = options["language"].string.sval if "language" in options else "plpgsql"
    if language in _WITHOUT_CODE:
        message = f'language "{language}" does not support inline code execution'
        raise analysis.error(Sqlstate.FEATURE_NOT_SUPPORTED, message)
    if language != "plpgsql":
        raise analysis.error(Sqlstate.UNDEFINED_OBJECT, f'language "{language}" does not exist')
    if "as" not in options:
        raise analysis.error(Sqlstate.SYNTAX_ERROR, "no inline code specified")
    return DoPlan(read_block(options["as"].string.sval))
