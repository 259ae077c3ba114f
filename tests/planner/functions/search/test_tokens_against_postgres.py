"""Documents are cut into tokens, and words are stemmed, as PostgreSQL does."""

from __future__ import annotations

from string import ascii_lowercase
from typing import Any

import psycopg
import pytest

from model.patterns.characters import CLASSES
from model.search.configurations import ENGLISH
from planner.functions.search.dictionaries import lexeme_of
from planner.functions.search.token_rules import STATES, TokenRule, TokenType
from planner.functions.search.tokens import TokenParser, tokens_of
from tests.planner.functions.search.drawn_texts import DrawnTexts

_CUT = """
SELECT (SELECT array_agg(tokid || ' ' || token ORDER BY place)
        FROM ts_parse('default', text) WITH ORDINALITY AS p (tokid, token, place))
FROM unnest(%s::text[]) WITH ORDINALITY AS u (text, number) ORDER BY number
"""
_ENDINGS = (
    *("", "s", "es", "ed", "ing", "ly", "er", "est", "ness", "ful", "less", "ation", "ational", "izer", "ism"),
    *(
        "iveness",
        "ability",
        "ies",
        "ied",
        "y",
        "ment",
        "ous",
        "ogist",
        "logi",
        "al",
        "ic",
        "ical",
        "ative",
        "ize",
        "eed",
    ),
    *("eedly", "ingly", "edly", "ss", "sses", "'s", "'", "s'"),
)
_STEMS = (
    *("cat", "hop", "bless", "agre", "conflat", "troubl", "siz", "fail", "happ", "sk", "dy", "relat", "condition"),
    *("vietnam", "predicat", "oper", "feud", "decis", "hope", "goode", "form", "electr", "b", "ab", "yell", "sayy"),
    *("gener", "commun", "arsen", "inn", "proceed", "succ", "outing", "canning", "herring", "idl", "gentl", "ugl"),
)


@pytest.mark.parametrize("seed", range(4))
def test_documents_are_cut_as_postgres_cuts_them(seed: int, postgres: psycopg.Connection[tuple[object, ...]]) -> None:
    draw = DrawnTexts(seed)
    texts = [draw.odd_document() for _ in range(1500)]
    expected = [row[0] or [] for row in postgres.execute(_CUT, (texts,))]
    found = [[f"{int(type_)} {token}" for type_, token in tokens_of(text)] for text in texts]
    wrong = [(text, *pair) for text, *pair in zip(texts, found, expected, strict=True) if pair[0] != pair[1]]
    assert wrong == []


def test_every_letter_is_one_to_postgres(postgres: psycopg.Connection[tuple[object, ...]]) -> None:
    # A sample through all of Unicode, in which every kind of character stands.
    codes = [code for code in range(1, 0x110000, 37) if not 0xD800 <= code < 0xE000]
    texts = [f"é{chr(code)}é" for code in codes]
    expected = [row[0] or [] for row in postgres.execute(_CUT, (texts,))]
    assert [[f"{int(type_)} {token}" for type_, token in tokens_of(text)] for text in texts] == expected
    assert any(chr(code) in CLASSES["alpha"] for code in codes)


def test_words_are_stemmed_as_postgres_stems_them(postgres: psycopg.Connection[tuple[object, ...]]) -> None:
    words = [stem + first + second for stem in _STEMS for first in _ENDINGS for second in ("", "ly", "s", "ing")]
    rows = postgres.execute("SELECT w, ts_lexize('english_stem', w) FROM unnest(%s::text[]) AS w", (words,))
    stems = {str(word): lexemes for word, lexemes in rows}
    found = {word: lexeme_of(ENGLISH, TokenType.ASCIIWORD, word) for word in words}
    assert {word: [] if lexeme is None else [lexeme] for word, lexeme in found.items()} == stems


def test_stop_words_are_those_of_postgres(postgres: psycopg.Connection[tuple[object, ...]]) -> None:
    words = [first + second for first in ascii_lowercase for second in ("", "t", "s", "he", "ould")]
    words += ["themselves", "yourselves", "against", "between", "through", "during", "before", "after", "because"]
    rows = postgres.execute("SELECT w, ts_lexize('english_stem', w) = '{}' FROM unnest(%s::text[]) AS w", (words,))
    for word, stops in rows:
        assert (lexeme_of(ENGLISH, TokenType.ASCIIWORD, str(word)) is None) is stops, word


def test_every_rule_leads_to_a_state() -> None:
    for name, rules in STATES.items():
        assert rules[-1].test == "any", name
        assert {rule.state for rule in rules if rule.state is not None} <= STATES.keys(), name


@pytest.mark.parametrize("piece", ["a_", "a-", "a.", "1-", "é-", "a1-", "<a ", "/a", "a@b.", "&a", "1.2.", "http://"])
def test_the_work_grows_with_the_text(piece: str, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = 0
    advance = TokenParser._advance

    def counted(parser: TokenParser, place: Any, index: int, rule: TokenRule) -> bool:
        nonlocal steps
        steps += 1
        return advance(parser, place, index, rule)

    monkeypatch.setattr(TokenParser, "_advance", counted)
    text = piece * 2000
    assert "".join(token for _, token in tokens_of(text)).startswith(piece[:1])
    assert steps < 30 * len(text)


def test_comments_without_an_end_take_no_more_steps_for_each_than_one(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = TokenParser._rule
    steps = 0

    def counted(parser: TokenParser, place: Any) -> Any:
        nonlocal steps
        steps += 1
        return whole(parser, place)

    monkeypatch.setattr(TokenParser, "_rule", counted)

    def steps_of(count: int) -> int:
        nonlocal steps
        steps = 0
        assert len(list(tokens_of("<!-- a " * count))) > count
        return steps

    assert steps_of(200) <= 2 * steps_of(100) + 100
