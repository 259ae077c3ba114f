"""The details of a source's or a sink's condition in system relations, beside status and error."""

from __future__ import annotations

import json

from catalog.declared.snapshot import TaskCondition


def details(condition: TaskCondition) -> str | None:
    """Returns the details as jsonb; None where there are none."""
    return None if condition.hint is None else json.dumps({"hint": condition.hint}, ensure_ascii=False)
