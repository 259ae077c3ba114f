"""What stands behind FROM WEBHOOK.

BODY FORMAT {JSON [ARRAY] | TEXT | BYTES}
[INCLUDE HEADERS [([NOT] 'h', …)] | INCLUDE HEADER 'h' AS column [BYTES]] …
[CHECK ([WITH ({HEADERS | BODY | SECRET s} [AS name] [BYTES], …)] expression)]
"""

from __future__ import annotations

from planner.syntax.dialect.formats import data_format
from planner.syntax.dialect.options import text
from planner.syntax.dialect.parser import StatementParser
from planner.syntax.source_statements import CheckInput, FromWebhook, PlainFormat, WebhookCheck, WebhookHeader


def webhook(parser: StatementParser) -> FromWebhook:
    """Reads a webhook's definition from BODY on."""
    parser.expect("BODY", "FORMAT")
    body = data_format(parser)
    if isinstance(body, PlainFormat) and body.kind == "JSON" and parser.take("ARRAY"):
        body = PlainFormat("JSON", array=True)
    headers: tuple[tuple[str, bool], ...] | None = None
    columns: list[WebhookHeader] = []
    while parser.take("INCLUDE"):
        if parser.take("HEADER"):
            columns.append(_column(parser))
            continue
        if headers is not None:
            parser.refuse()
        parser.expect("HEADERS")
        headers = _headers(parser)
    check = _check(parser) if parser.take("CHECK") else None
    return FromWebhook(body, headers, tuple(columns), check)


def _column(parser: StatementParser) -> WebhookHeader:
    header = text(parser)
    parser.expect("AS")
    return WebhookHeader(header, parser.identifier(), parser.take("BYTES"))


def _headers(parser: StatementParser) -> tuple[tuple[str, bool], ...]:
    """Reads the headers that are listed, each with whether NOT stands before it; none when all are meant."""

    def header() -> tuple[str, bool]:
        left_out = parser.take("NOT")
        return text(parser), left_out

    if not parser.take("("):
        return ()
    found = parser.items(header)
    parser.expect(")")
    return found


def _check(parser: StatementParser) -> WebhookCheck:
    opener = parser.at
    _, end = parser.parenthesis()
    stop = parser.at
    parser.back_to(opener + 1)
    inputs: tuple[CheckInput, ...] = ()
    if parser.take("WITH"):
        parser.expect("(")
        inputs = parser.items(lambda: _input(parser))
        parser.expect(")")
    if parser.at >= stop - 1:
        parser.refuse()
    start = int(parser.next.start)
    parser.back_to(stop - 1)
    condition = parser.expression_at(start, end - 1)
    parser.back_to(stop)
    return WebhookCheck(inputs, condition)


def _input(parser: StatementParser) -> CheckInput:
    what = parser.next_word()
    if what not in ("HEADERS", "BODY", "SECRET"):
        parser.refuse()
    parser.skip()
    secret = parser.place() if what == "SECRET" else None
    name = parser.identifier() if parser.take("AS") else None
    return CheckInput(what, secret, name, parser.take("BYTES"))
