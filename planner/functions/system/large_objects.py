"""Large objects: lo_open and its kin. The session reads and writes them, and the statement waits (`waiting`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from model.types.scalar_type import BYTEA, INT4, INT8, OID, TEXT, VOID, ScalarType
from planner.functions.rows import function
from planner.functions.signature import Function, Volatility
from planner.functions.system.lookup import SystemLookup
from planner.functions.system.waiting import call_large_object

_SIGNATURES: tuple[tuple[str, tuple[ScalarType, ...], ScalarType], ...] = (
    ("lo_creat", (INT4,), OID),
    ("lo_create", (OID,), OID),
    ("lo_open", (OID, INT4), INT4),
    ("lo_close", (INT4,), INT4),
    ("loread", (INT4, INT4), BYTEA),
    ("lowrite", (INT4, BYTEA), INT4),
    ("lo_lseek", (INT4, INT4, INT4), INT4),
    ("lo_lseek64", (INT4, INT8, INT4), INT8),
    ("lo_tell", (INT4,), INT4),
    ("lo_tell64", (INT4,), INT8),
    ("lo_truncate", (INT4, INT4), INT4),
    ("lo_truncate64", (INT4, INT8), INT4),
    ("lo_unlink", (OID,), INT4),
    ("lo_from_bytea", (OID, BYTEA), OID),
    ("lo_get", (OID,), BYTEA),
    ("lo_get", (OID, INT8, INT4), BYTEA),
    ("lo_put", (OID, INT8, BYTEA), VOID),
    ("lo_import", (TEXT,), OID),
    ("lo_import", (TEXT, OID), OID),
    ("lo_export", (OID, TEXT), INT4),
)


def _calling(name: str) -> Callable[..., Any]:
    def evaluate(_system: SystemLookup, *arguments: Any) -> Any:
        return call_large_object(name, arguments)

    return evaluate


FUNCTIONS: tuple[Function, ...] = tuple(
    function(name, arguments, result, _calling(name), volatility=Volatility.VOLATILE, needs_system=True, fallible=True)
    for name, arguments, result in _SIGNATURES
)
