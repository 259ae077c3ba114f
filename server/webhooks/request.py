"""The source that a request names by its path."""

from __future__ import annotations

from urllib.parse import unquote_to_bytes

from planner.catalog_view import QualifiedName

PREFIX = "/api/webhook/"
_PARTS = 3


def named_source(path: str) -> QualifiedName | None:
    """Returns the source named by the path `/api/webhook/database/schema/source`; None for any other path.

    >>> named_source("/api/webhook/headwater/public/payments%21")
    QualifiedName(database='headwater', schema='public', name='payments!')
    """
    if not path.startswith(PREFIX):
        return None
    try:
        parts = [unquote_to_bytes(part).decode() for part in path.removeprefix(PREFIX).split("/")]
    except UnicodeDecodeError:
        return None
    return QualifiedName(*parts) if len(parts) == _PARTS else None
