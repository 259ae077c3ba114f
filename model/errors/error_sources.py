"""Where PostgreSQL 16 raises errors whose place clients look at: drivers plan a prepared statement again when they read
`RevalidateCachedQuery`, and tools tell violations apart by the routine.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ErrorSource:
    """A place in PostgreSQL's code, of version 16.14."""

    routine: str
    file: str
    line: int


CHANGED_PLAN = ErrorSource("RevalidateCachedQuery", "plancache.c", 722)
DUPLICATE_KEY = ErrorSource("_bt_check_unique", "nbtinsert.c", 666)
NULL_IN_COLUMN = ErrorSource("ExecConstraints", "execMain.c", 2057)
BROKEN_CHECK = ErrorSource("ExecConstraints", "execMain.c", 2109)
ABSENT_REFERENCE = ErrorSource("ri_ReportViolation", "ri_triggers.c", 2608)
STILL_REFERENCED = ErrorSource("ri_ReportViolation", "ri_triggers.c", 2621)
CONFLICTING_KEY = ErrorSource("check_exclusion_or_unique_constraint", "execIndexing.c", 853)
CONFLICT_IN_EXISTING_ROWS = ErrorSource("check_exclusion_or_unique_constraint", "execIndexing.c", 840)
BROKEN_VIEW_CHECK = ErrorSource("ExecWithCheckOptions", "execMain.c", 2219)
DEFERRABLE_ARBITER = ErrorSource("ExecCheckIndexConstraints", "execIndexing.c", 586)
NULL_IN_DOMAIN = ErrorSource("ExecEvalConstraintNotNull", "execExprInterp.c", 3816)
BROKEN_DOMAIN_CHECK = ErrorSource("ExecEvalConstraintCheck", "execExprInterp.c", 3831)
NULL_IN_EXISTING_ROWS = ErrorSource("ATRewriteTable", "tablecmds.c", 6111)
CHECK_BROKEN_BY_EXISTING_ROWS = ErrorSource("ATRewriteTable", "tablecmds.c", 6128)
INVALID_INT2 = ErrorSource("pg_strtoint16_safe", "numutils.c", 355)
INVALID_INT4 = ErrorSource("pg_strtoint32_safe", "numutils.c", 617)
INVALID_INT8 = ErrorSource("pg_strtoint64_safe", "numutils.c", 879)
DUPLICATE_IN_EXISTING_ROWS = ErrorSource("comparetup_index_btree", "tuplesortvariants.c", 1361)
