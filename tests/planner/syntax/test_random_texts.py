"""Random texts are read as PostgreSQL's grammar reads them, or refused at a place in them, in little time."""

from __future__ import annotations

import re
import time
from random import Random
from typing import Any

import postgast
import pytest

from model.errors.sql_error import SqlError
from planner.syntax.extensions import Extension
from planner.syntax.own_syntax import take_extensions, take_members, take_recursions
from planner.syntax.parse import ParsedStatement, parse
from planner.syntax.refusals import syntax_error
from tests.planner.syntax.random_texts import (
    COMMENT,
    MEMBER_WORDS,
    OUR_WORDS,
    broken,
    corpus,
    renamed,
    respelled,
    timed,
    tokens,
)

_PLACES = re.compile(r"(\w*location(: |=)|rexpr_list_\w+: |list_(start|end): |stmt_len: |end=|rest=)-?\d+")
_BLANK = " " * len(COMMENT)
_SECONDS_MAX = 2.0
_CORPUS = corpus()
_QUERIES = [sql for sql in _CORPUS if re.match(r"\(|select|with|values|table", sql, re.IGNORECASE)]
_OTHER_WORDS = {*MEMBER_WORDS, "show", "check", "explain", "replace", "default"}
"""Of our statements and clauses, those that are also PostgreSQL's."""


@pytest.fixture(scope="module")
def seeds(request: pytest.FixtureRequest) -> range:
    return range(request.config.getoption("--random-texts"))


def test_names_that_are_our_words_change_nothing(seeds: range) -> None:
    wrong = []
    for seed in seeds:
        random = Random(seed)
        words = sorted(OUR_WORDS) if seed % 4 else [*MEMBER_WORDS, "of"]
        sql = renamed(random, random.choice(_CORPUS), words)
        try:
            expected = postgast.parse(sql).stmts
        except postgast.PgQueryError:
            continue
        found = parse(sql)
        if any(each.members.types or each.members.constructors for each in found):
            continue
        beside = parse(f"{sql}\n; SUBSCRIBE t")[:-1]
        for statements in (found, beside):
            if [(each.node, each.extension) for each in statements] != [
                (getattr(raw.stmt, raw.stmt.WhichOneof("node")), Extension()) for raw in expected
            ]:
                wrong.append((seed, sql, statements is beside))
    assert wrong == []


def test_broken_texts_are_refused_at_a_place_in_them(seeds: range) -> None:
    wrong = [(seed, *found) for seed in seeds if (found := _fault(seed)) is not None]
    assert wrong == []


def _fault(seed: int) -> tuple[str, str] | None:
    random = Random(seed)
    sql = broken(random, random.choice(_CORPUS))
    began = time.process_time()
    failure: SqlError | None = None
    statements: tuple[ParsedStatement, ...] = ()
    try:
        statements = parse(sql)
    except SqlError as error:
        failure = error
    except Exception as error:  # noqa: BLE001 - what should not be is what is looked for
        return sql, repr(error)
    if time.process_time() - began > _SECONDS_MAX:
        return sql, "takes long"
    if failure is None:
        pieces = [sql[each.offset : each.offset + len(each.text)] for each in statements]
        return None if pieces == [each.text for each in statements] else (sql, f"texts {pieces}")
    if failure.position is not None and not 1 <= failure.position <= len(sql) + 1:
        return sql, f"position {failure.position}"
    return _refusal_fault(sql, failure)


def _refusal_fault(sql: str, failure: SqlError) -> tuple[str, str] | None:
    """Whether the words are not PostgreSQL's, or those that it quotes do not stand there."""
    start = "syntax error at or near "
    if failure.message.startswith(start) and failure.position is not None:
        quoted = failure.message.removeprefix(start)[1:-1]
        if not sql[failure.position - 1 :].startswith(quoted):
            return sql, f"{failure.message} is not at {failure.position}"
    if "secret" in sql.lower() or "/*" in sql.replace(COMMENT, ""):
        return None
    words = {text.lower() for text, _ in tokens(sql)}
    if words.isdisjoint(OUR_WORDS | _OTHER_WORDS):
        try:
            postgast.parse(sql.replace(COMMENT, _BLANK))
        except postgast.PgQueryError as error:
            plain = syntax_error(error)
            if (plain.message, plain.position) != (failure.message.replace(COMMENT, _BLANK), failure.position):
                return sql, f"{failure.message} at {failure.position}, not {plain.message} at {plain.position}"
        else:
            return sql, f"{failure.message}, and PostgreSQL takes it"
    return None


def test_a_time_is_read_behind_every_query(seeds: range) -> None:
    wrong = []
    for seed in seeds:
        random = Random(seed)
        query = random.choice(_QUERIES)
        if seed % 2:
            query = renamed(random, query, sorted(OUR_WORDS))
        sql, expression, without = timed(random, query)
        try:
            plain = parse(without)
            (alone,) = parse(query)
        except (SqlError, ValueError):
            continue
        if alone.extension.as_of is not None or not tokens(query) or ";" in query:
            continue
        try:
            found = parse(sql)
        except SqlError as failure:
            wrong.append((seed, sql, f"{failure.message} at {failure.position}"))
            continue
        times = [each for each in found if each.extension.as_of is not None]
        if [each.node for each in found] != [each.node for each in plain] or len(times) != 1:
            wrong.append((seed, sql, "another tree"))
        elif _without_places(times[0].extension.as_of) != _without_places(_expression(expression)):
            wrong.append((seed, sql, "another time"))
    assert wrong == []


def test_blanks_and_capitals_change_nothing(seeds: range) -> None:
    wrong = []
    for seed in seeds:
        random = Random(seed)
        sql = random.choice(_CORPUS)
        if seed % 2:
            sql = broken(random, sql)
        if not tokens(sql):
            continue
        spelled, outcome = respelled(random, sql), _outcome(sql)
        # `$1a` is junk, and `$1 a` a parameter and a name.
        if not outcome[0].startswith("TRAILING JUNK") and outcome != _outcome(spelled):
            wrong.append((seed, sql, spelled, outcome, _outcome(spelled)))
    assert wrong == []


def _outcome(sql: str) -> list[str]:
    try:
        return [f"{each.kind} {_without_places((each.node, each.extension))}" for each in parse(sql)]
    except SqlError as failure:
        return [failure.message.upper(), failure.sqlstate.value]


def _expression(text: str) -> Any:
    return postgast.parse(f"SELECT ({text})").stmts[0].stmt.select_stmt.target_list[0].res_target.val


def _without_places(value: Any) -> str:
    """A syntax tree, or nodes of ours, as text, with nothing in it of where they stand."""
    return " ".join(_PLACES.sub("", str(value)).upper().split())


def test_a_rewritten_text_keeps_its_length(seeds: range) -> None:
    wrong = []
    for seed in seeds:
        random = Random(seed)
        sql = broken(random, random.choice(_CORPUS))
        for take in (take_members, take_recursions, take_extensions):
            try:
                taken = take(sql)
            except SqlError:
                continue
            if taken is not None and len(taken[0].encode()) != len(sql.encode()):
                wrong.append((seed, sql, taken[0]))
    assert wrong == []
