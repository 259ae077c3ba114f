"""tsvectors and tsqueries drawn at random are read, written, ordered, combined and held against each other as by
PostgreSQL, and refused with its errors; so are documents and questions in both configurations."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from functools import partial

import psycopg
import pytest

from model.errors.sql_error import SqlError
from model.search.configurations import CONFIGURATIONS
from model.search.queries import stored_query_bytes
from model.search.query_text import format_query, parse_query
from model.search.vector_text import format_vector, parse_vector
from model.search.vectors import stored_bytes
from planner.functions.registry import FUNCTIONS
from tests.planner.functions.search.drawn_texts import DrawnTexts

Case = tuple[str, tuple[str, ...], Callable[[], object]]
"""What PostgreSQL is asked, with which arguments, and the same here."""

_DRAWN = 2000


def _called(key: str, *arguments: object) -> object:
    return FUNCTIONS[key].evaluate(*arguments)


def _vectors(draw: DrawnTexts) -> Iterator[Case]:
    left, right, query = draw.vector(), draw.vector(), draw.query()
    both, asked = (left, right), (left, query)
    yield "SELECT %s::tsvector::text", (left,), lambda: format_vector(parse_vector(left))
    yield "SELECT sign(tsvector_cmp(%s, %s))", both, lambda: _called("tsvector_cmp_tsvector_tsvector", *_parsed(*both))
    yield "SELECT %s::tsvector = %s", both, lambda: parse_vector(left) == parse_vector(right)
    yield "SELECT (%s::tsvector || %s)::text", both, lambda: _vector("concat_tsvector_tsvector", *_parsed(*both))
    yield (
        "SELECT %s::tsvector @@ %s::tsquery",
        asked,
        lambda: _called("match_tsvector_tsquery", parse_vector(left), parse_query(query)),
    )
    yield "SELECT pg_column_size(%s::tsvector)", (left,), lambda: stored_bytes(parse_vector(left))


def _queries(draw: DrawnTexts) -> Iterator[Case]:
    left, right = draw.query(), draw.query()
    both = left, right

    def called(key: str) -> object:
        return _called(key, *map(parse_query, both))

    yield "SELECT %s::tsquery::text", (left,), lambda: format_query(parse_query(left))
    yield "SELECT tsquery_cmp(%s, %s)", both, lambda: called("tsquery_cmp_tsquery_tsquery")
    yield "SELECT %s::tsquery = %s", both, lambda: called("eq_tsquery_tsquery")
    yield "SELECT %s::tsquery @> %s", both, lambda: called("contains_tsquery_tsquery")
    yield "SELECT querytree(%s)", (left,), lambda: _called("querytree_tsquery", parse_query(left))
    yield "SELECT numnode(%s)", (left,), lambda: _called("numnode_tsquery", parse_query(left))
    yield "SELECT (%s::tsquery <-> %s)::text", both, lambda: format_query(_bytes(called("phrase_tsquery_tsquery")))
    yield "SELECT (%s::tsquery && %s)::text", both, lambda: format_query(_bytes(called("both_tsquery_tsquery")))
    yield "SELECT (%s::tsquery || %s)::text", both, lambda: format_query(_bytes(called("concat_tsquery_tsquery")))
    yield "SELECT pg_column_size(%s::tsquery)", (left,), lambda: stored_query_bytes(parse_query(left))


def _words(draw: DrawnTexts) -> Iterator[Case]:
    document = draw.document()
    for name, oid in CONFIGURATIONS.items():
        yield (
            f"SELECT to_tsvector('{name}', %s)::text",
            (document,),
            partial(_vector, "to_tsvector_regconfig_text", oid, document),
        )
        for function, text in (
            ("to_tsquery", draw.query_of_words()),
            ("plainto_tsquery", draw.document()),
            ("phraseto_tsquery", draw.document()),
            ("websearch_to_tsquery", draw.question()),
        ):
            yield (
                f"SELECT {function}('{name}', %s)::text",
                (text,),
                partial(_query, f"{function}_regconfig_text", oid, text),
            )


def _ranks(draw: DrawnTexts) -> Iterator[Case]:
    vector, query = draw.vector(), draw.query()
    for name in ("ts_rank", "ts_rank_cd"):
        for normalization in (0, 1, 2, 4, 8, 16, 32, 63):
            yield (
                f"SELECT {name}(%s::tsvector, %s::tsquery, {normalization})::float8",
                (vector, query),
                partial(_rank, f"{name}_tsvector_tsquery_int4", vector, query, normalization),
            )


def _rank(key: str, vector: str, query: str, normalization: int) -> object:
    return _called(key, parse_vector(vector), parse_query(query), normalization)


_OPTIONS = (
    *("", "MaxWords=5,MinWords=2", "MaxFragments=2", "MaxFragments=3,MaxWords=6,MinWords=3", "HighlightAll=yes"),
    *("HighlightAll=true,MaxFragments=2", "ShortWord=0,MinWords=1,MaxWords=3", "MaxWords", "MinWords=0", "Some=1"),
    "StartSel=\"<<\", StopSel='>>' FragmentDelimiter=...,MaxFragments=5,MaxWords=4,MinWords=1",
)


def _headlines(draw: DrawnTexts) -> Iterator[Case]:
    documents = draw.document() + " " + draw.document() + " " + draw.document(), draw.odd_document()
    query = draw.query_of_documents()
    for document in documents:
        for name, oid in CONFIGURATIONS.items():
            for options in _OPTIONS:
                yield (
                    f"SELECT ts_headline('{name}', %s, %s::tsquery, %s)",
                    (document, query, options),
                    partial(_headline, oid, document, query, options),
                )


def _headline(configuration: int, document: str, query: str, options: str) -> object:
    return _called("ts_headline_regconfig_text_tsquery_text", configuration, document, parse_query(query), options)


def _parsed(*texts: str) -> Iterator[bytes]:
    return map(parse_vector, texts)


def _vector(key: str, *arguments: object) -> str:
    return format_vector(_bytes(_called(key, *arguments)))


def _query(key: str, *arguments: object) -> str:
    return format_query(_bytes(_called(key, *arguments)))


def _bytes(datum: object) -> bytes:
    assert isinstance(datum, bytes)
    return datum


def _answer(ask: Callable[[], object]) -> object:
    try:
        return ask()
    except SqlError as error:
        return error.sqlstate.value, error.message


@pytest.mark.in_part(6)
@pytest.mark.parametrize("cases", [_vectors, _queries, _words, _ranks, _headlines])
@pytest.mark.parametrize("seed", range(2))
def test_drawn_texts_answer_as_postgres_does(
    cases: Callable[[DrawnTexts], Iterator[Case]], seed: int, postgres: psycopg.Connection[tuple[object, ...]]
) -> None:
    draw, wrong = DrawnTexts(seed), []
    drawn = (case for _ in itertools.count() for case in cases(draw))
    for statement, arguments, ask in itertools.islice(drawn, _DRAWN):
        try:
            row = postgres.execute(statement.encode(), arguments).fetchone()
            assert row is not None
            expected: object = row[0]
        except psycopg.Error as error:
            expected = error.diag.sqlstate, error.diag.message_primary
        found = _answer(ask)
        if found != expected:
            wrong.append((statement, arguments, found, expected))
    assert wrong == []
