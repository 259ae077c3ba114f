"""Bodies as datums: one of the whole body, or as many as JSON has values or elements.

JSON is a value, or several with a line for each. What is short is parsed at once, what is long by a query in an
evaluation process, which says the same in SQL.
"""

from __future__ import annotations

import re

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.external.webhooks import BodyFormat
from model.json.json_text import load_json, parse_jsonb, write_jsonb
from model.types.datum import Datum
from model.types.scalar_type import TEXT
from planner.interpret.parameters import bind_query
from planner.plans.queries import SelectPlan
from planner.syntax.parse import parse
from server.http.request import Refused
from server.planning.statement_plans import PlanningSession
from server.webhooks.evaluating import TOO_MANY, RequestEvaluations

_SMALL_BYTES = 16 << 10
"""JSON of which no more is parsed on the event loop: some milliseconds."""
_DIGITS_MAX = 64 << 10
_EXPONENT = re.compile(r"(?:^|[\[,:\s])-?[0-9]++(?:\.[0-9]++)?[eE][+-]?([0-9]{3,6})(?![0-9])")
_VALUE_BYTES_MAX = 32 << 20
_WHOLE = "(SELECT $1::pg_catalog.text AS v) AS texts"
_LINES = r"(SELECT v FROM pg_catalog.string_to_table($1::pg_catalog.text, E'\n') AS v WHERE v ~ '\S') AS texts"
_QUERIES = {
    BodyFormat.JSON: "SELECT v::pg_catalog.jsonb AS j FROM {texts}",
    BodyFormat.JSON_ARRAY: """
        SELECT e AS j FROM (SELECT v::pg_catalog.jsonb AS v FROM {texts}) AS body, pg_catalog.jsonb_array_elements(
            CASE pg_catalog.jsonb_typeof(v) WHEN 'array' THEN v ELSE pg_catalog.jsonb_build_array(v) END) AS e
    """,
}
_BOUNDED = """
    SELECT CASE WHEN pg_catalog.octet_length(j::pg_catalog.text) <= {bytes} THEN j END FROM ({query}) AS decoded
"""


async def decoded_body(
    body: bytes, format_: BodyFormat, evaluations: RequestEvaluations, database: str, rows_max: int
) -> list[Datum]:
    """Decodes a body to a datum per row. Raises Refused with 400 for a body that is not of the format, 413 for too
    many rows."""
    if format_ is BodyFormat.BYTES:
        return [body]
    text = body_text(body)
    if format_ is BodyFormat.TEXT:
        return [text]
    try:
        try:
            return await _values(text, format_, evaluations, database, rows_max, lines=False)
        except SqlError as error:
            if error.sqlstate is not Sqlstate.INVALID_TEXT_REPRESENTATION or "\n" not in text.strip():
                raise
            return await _values(text, format_, evaluations, database, rows_max, lines=True)
    except SqlError as error:
        if error.sqlstate is Sqlstate.OUT_OF_MEMORY:
            raise Refused(413, "the body takes too much memory") from None
        raise Refused(400, error.message) from None


def body_text(body: bytes) -> str:
    """Decodes a body as text; raises Refused with 400 for bytes that are not UTF-8, and for zero characters."""
    try:
        text = body.decode()
    except UnicodeDecodeError as error:
        raise Refused(400, f"the body is not UTF-8 at byte {error.start}") from None
    if "\0" in text:
        raise Refused(400, "the body has zero characters, which text can't have")
    return text


async def _values(
    text: str, format_: BodyFormat, evaluations: RequestEvaluations, database: str, rows_max: int, *, lines: bool
) -> list[Datum]:
    """Returns the values of the whole body, or of its lines; raises SqlError for text that is no JSON."""
    if len(text) > _SMALL_BYTES or _digits(text) > _DIGITS_MAX:
        query = _QUERIES[format_].format(texts=_LINES if lines else _WHOLE)
        sql = _BOUNDED.format(bytes=_VALUE_BYTES_MAX, query=query)
        values = await _queried(sql, text, evaluations, database, rows_max)
        if None in values:
            raise Refused(413, TOO_MANY)
        return values
    parsed = [parse_jsonb(each) for each in (text.split("\n") if lines else [text]) if not lines or each.strip()]
    if format_ is BodyFormat.JSON_ARRAY:
        return [element for value in parsed for element in _elements(value)]
    return list(parsed)


def _elements(value: str) -> list[str]:
    """Returns the elements of an array; any other value alone."""
    parsed = load_json(value) if value.startswith("[") else None
    return [value] if not isinstance(parsed, list) else [write_jsonb(element) for element in parsed]


async def _queried(sql: str, text: str, evaluations: RequestEvaluations, database: str, rows_max: int) -> list[Datum]:
    environment = evaluations.environment
    (statement,) = parse(sql)
    session = PlanningSession(database, (), "", own=True)
    planned = environment.planning.plan(statement, environment.catalog.state, session, (TEXT,))
    assert isinstance(planned.plan, SelectPlan), "it is a query"
    query = bind_query(planned.plan.query, (text,), {})
    return [value for (value,) in await evaluations.rows(query, database, rows_max)]


def _digits(text: str) -> int:
    """Returns the number of digits that exponents stand for: 1e9 is 1000000000 in jsonb. Exponents in strings may be
    counted."""
    return sum(map(int, _EXPONENT.findall(text)))
