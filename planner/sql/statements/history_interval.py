"""RETAIN HISTORY's interval in milliseconds."""

from __future__ import annotations

from model.datum import Interval
from model.errors import SqlError
from model.scalar_type import INTERVAL
from model.sqlstate import Sqlstate
from model.text.dispatch import parse_datum
from planner.sql.analysis import Analysis
from planner.sql.extensions import Extension


def retain_history_ms(analysis: Analysis, extension: Extension) -> int | None:
    """None when the clause is absent; 22023 for an interval that isn't positive, or that counts months."""
    text = extension.retain_history
    if text is None:
        return None
    value = parse_datum(text, INTERVAL)
    assert isinstance(value, Interval)
    if value.months or value.span() <= 0:
        message = f'invalid RETAIN HISTORY: "{text}"'
        hint = "Write a positive interval without months or years."
        raise SqlError(Sqlstate.INVALID_PARAMETER_VALUE, message, hint=hint)
    return value.span() // 1000
