"""What system relations tell of a condition of a source or a sink, beside its status and its error."""

from __future__ import annotations

import json

from catalog.declared.snapshot import TaskCondition


def details(condition: TaskCondition) -> str | None:
    """What there is to say beside the error, as jsonb."""
    return None if condition.hint is None else json.dumps({"hint": condition.hint}, ensure_ascii=False)
