"""RETAIN HISTORY's interval in milliseconds."""

from __future__ import annotations

from planner.scope.analysis import Analysis
from planner.statements.times import interval_ms
from planner.syntax.extensions import Extension


def retain_history_ms(analysis: Analysis, extension: Extension) -> int | None:
    """Reads the interval of RETAIN HISTORY in milliseconds; None when the clause is absent. Raises 22023 for an
    interval that is not positive, or that counts months."""
    text = extension.retain_history
    return None if text is None else interval_ms(text, "RETAIN HISTORY")
