"""The columns of what is read from elsewhere, by the names that a statement gives them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from model.errors.sqlstate import Sqlstate
from model.types.relation_desc import RelationDesc
from planner.scope.analysis import Analysis


def named_columns(analysis: Analysis, desc: RelationDesc, names: Sequence[str]) -> RelationDesc:
    """Names the first columns by `names`; the others keep theirs. Raises 42P10 when there are too many."""
    columns = list(desc.columns)
    if len(names) > len(columns):
        message = f"source has {len(columns)} columns available but {len(names)} columns specified"
        raise analysis.error(Sqlstate.INVALID_COLUMN_REFERENCE, message)
    renamed = [replace(column, name=name) for column, name in zip(columns, names, strict=False)]
    return RelationDesc((*renamed, *columns[len(names) :]))
