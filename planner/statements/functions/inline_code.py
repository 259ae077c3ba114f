"""DO: no language that Headwater has runs code outside of a function. SQL does not in PostgreSQL either."""

from __future__ import annotations

from typing import Any

from model.errors.sqlstate import Sqlstate
from planner.scope.analysis import Analysis

_WITHOUT_CODE = ("sql", "c", "internal")


def refuse_code(analysis: Analysis, node: Any) -> Exception:
    """Returns the error for DO, which depends on the language."""
    languages = [each.def_elem.arg.string.sval for each in node.args if each.def_elem.defname == "language"]
    language = languages[0] if languages else "plpgsql"
    if language == "plpgsql":
        return analysis.unsupported("DO", hint="LANGUAGE plpgsql is not there, and SQL is written as it is.")
    if language in _WITHOUT_CODE:
        message = f'language "{language}" does not support inline code execution'
        return analysis.error(Sqlstate.FEATURE_NOT_SUPPORTED, message)
    return analysis.error(Sqlstate.UNDEFINED_OBJECT, f'language "{language}" does not exist')
