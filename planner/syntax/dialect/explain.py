"""EXPLAIN as Materialize writes it: which plan, how it is shown, and of what.

    EXPLAIN [RAW | [LOCALLY] OPTIMIZED | PHYSICAL] PLAN [WITH (option, …)] [AS [VERBOSE] TEXT] FOR statement
    EXPLAIN TIMESTAMP [AS TEXT] FOR statement         EXPLAIN {VIEW | MATERIALIZED VIEW | INDEX | SINK} name

The options change what Materialize's plans show, and these have none of it, so they are taken and do nothing.
"""

from __future__ import annotations

from model.errors.sql_error import NotSupported
from planner.syntax.dialect.parser import StatementParser

_STAGES = {
    ("RAW", "PLAN"): "raw",
    ("LOCALLY", "OPTIMIZED", "PLAN"): "optimized",
    ("OPTIMIZED", "PLAN"): "optimized",
    ("PHYSICAL", "PLAN"): "physical",
    ("DECORRELATED", "PLAN"): None,
    ("PLAN",): "optimized",
    ("PHYSICAL", "FOR"): "physical",
    ("TIMESTAMP",): "timestamp",
}
_OPTIONS = frozenset(
    (
        "ARITY",
        "CARDINALITY",
        "COLUMN NAMES",
        "EQUIVALENCES",
        "FILTER PUSHDOWN",
        "HUMANIZED EXPRESSIONS",
        "JOIN IMPLEMENTATIONS",
        "KEYS",
        "LINEAR CHAINS",
        "NO FAST PATH",
        "NO NOTICES",
        "NODE IDENTIFIERS",
        "NON NEGATIVE",
        "RAW PLANS",
        "RAW SYNTAX",
        "REDACTED",
        "SUBTREE SIZE",
        "TIMING",
        "TYPES",
        "VERBOSE SYNTAX",
    )
)
_OBJECTS = (("VIEW",), ("MATERIALIZED", "VIEW"), ("INDEX",), ("SINK",))
_FORMATS = (("AS", "TEXT"), ("AS", "VERBOSE", "TEXT"))


def take_explain(parser: StatementParser) -> str | None:
    """The stage that is asked for, in words that PostgreSQL does not know, which are taken away; None when it knows
    them. 0A000 for plans that there are not, and for other formats than text."""
    if not parser.sees_at(0, "EXPLAIN"):
        return None
    parser.within(1, len(parser.tokens))
    form = next((form for form in _STAGES if parser.sees(*form)), ())
    stage = _STAGES.get(form, "optimized")
    parser.expect(*(form[:-1] if form[-1:] == ("FOR",) else form))
    _take_options(parser)
    _take_format(parser)
    at = parser.at
    if at > 1 and parser.take("FOR"):
        at += 1
    elif not any(parser.sees(*kind) for kind in _OBJECTS) and (form or at == 1):
        return None
    if stage is None:
        raise NotSupported("EXPLAIN DECORRELATED PLAN", hint="RAW and OPTIMIZED show the plan before and after.")
    parser.cut(0, at - 1)
    return stage


def _take_options(parser: StatementParser) -> None:
    """Reads `WITH (option, …)`, if all are known."""
    begin = parser.at
    if not parser.take("WITH", "("):
        return
    options = parser.items(lambda: _option(parser))
    if not (parser.take(")") and _OPTIONS.issuperset(options)):
        parser.back_to(begin)


def _option(parser: StatementParser) -> str:
    words: list[str] = []
    while not parser.done and not (parser.sees(",") or parser.sees(")")):
        words.append(parser.next_word())
        parser.skip()
    return " ".join(words)


def _take_format(parser: StatementParser) -> None:
    if any(parser.take(*form) for form in _FORMATS):
        return
    if parser.sees("AS", "JSON"):
        raise NotSupported("EXPLAIN AS JSON")
