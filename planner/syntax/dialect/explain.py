"""EXPLAIN as Materialize writes it: the stage of the plan, the format, and the explained statement or object.

    EXPLAIN [RAW | [LOCALLY] OPTIMIZED | PHYSICAL] PLAN [WITH (option, …)] [AS [VERBOSE] TEXT] FOR statement
    EXPLAIN TIMESTAMP [AS TEXT] FOR statement         EXPLAIN {VIEW | MATERIALIZED VIEW | INDEX | SINK} name
    EXPLAIN ANALYZE [MEMORY | CPU] [AS TEXT] [FOR] {INDEX | MATERIALIZED VIEW} name

AS JSON is PostgreSQL's FORMAT JSON.

Options are accepted and ignored: the details that options add to Materialize's plans don't exist in plans here.
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
_ANALYZED = {("ANALYZE", "MEMORY"): "memory", ("ANALYZE", "CPU"): "cpu", ("ANALYZE",): "ticks"}
_OBJECTS = (("VIEW",), ("MATERIALIZED", "VIEW"), ("INDEX",), ("SINK",))
_FORMATS = {("AS", "TEXT"): "text", ("AS", "VERBOSE", "TEXT"): "text", ("AS", "JSON"): "json"}


def take_explain(parser: StatementParser) -> tuple[str, str] | None:
    """Takes away EXPLAIN's words that PostgreSQL does not know, and returns the stage and the format; None if
    PostgreSQL knows all words. Raises 0A000 for stages that do not exist here.
    """
    if not parser.sees_at(0, "EXPLAIN"):
        return None
    parser.within(1, len(parser.tokens))
    analyzed = _take_analyzed(parser)
    if analyzed is not None:
        return analyzed
    form = next((form for form in _STAGES if parser.sees(*form)), ())
    stage = _STAGES.get(form, "optimized")
    parser.expect(*(form[:-1] if form[-1:] == ("FOR",) else form))
    _take_options(parser)
    format_ = _take_format(parser)
    at = parser.at
    if at > 1 and parser.take("FOR"):
        at += 1
    elif not any(parser.sees(*kind) for kind in _OBJECTS) and (form or at == 1):
        return None
    if stage is None:
        raise NotSupported("EXPLAIN DECORRELATED PLAN", hint="RAW and OPTIMIZED show the plan before and after.")
    parser.cut(0, at - 1)
    return stage, format_


def _take_analyzed(parser: StatementParser) -> tuple[str, str] | None:
    """Reads EXPLAIN ANALYZE of an object; None, with nothing read, for what else is analyzed."""
    begin = parser.at
    form = next((form for form in _ANALYZED if parser.take(*form)), None)
    if form is None:
        return None
    format_ = _take_format(parser)
    parser.take("FOR")
    if not any(parser.sees(*kind) for kind in _OBJECTS):
        parser.back_to(begin)
        return None
    parser.cut(0, parser.at - 1)
    return _ANALYZED[form], format_


def _take_options(parser: StatementParser) -> None:
    """Reads `WITH (option, …)`, whose options are ignored; leaves the text alone if an option is unknown."""
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


def _take_format(parser: StatementParser) -> str:
    return next((format_ for words, format_ in _FORMATS.items() if parser.take(*words)), "text")
