"""Queries and documents of thousands of words: chains of operators are as long as one likes, whatever the depth of
calls may be, and a headline looks at each of its covers, not at the whole document for each."""

from __future__ import annotations

import pytest

from model.search.queries import decode_query, encode_query, node_count
from model.search.query_text import format_query, parse_query
from planner.functions.registry import FUNCTIONS
from planner.functions.search.headline import HeadlineWord
from server.pgwire.encoding.searches import send_query

_WORDS = 5000
_ENGLISH = 12361


@pytest.mark.parametrize("sign", ["&", "|", "<->"])
def test_a_chain_of_operators_is_read_written_and_asked(sign: str) -> None:
    text = f" {sign} ".join(f"'w{number}'" for number in range(_WORDS))
    query = parse_query(text)
    assert format_query(query) == text
    assert encode_query(decode_query(query)) == query
    assert node_count(decode_query(query)) == 2 * _WORDS - 1
    assert send_query(query)[:4] == (2 * _WORDS - 1).to_bytes(4)
    document = FUNCTIONS["to_tsvector_regconfig_text"].evaluate(_ENGLISH, "w1 w2")
    assert FUNCTIONS["match_tsvector_tsquery"].evaluate(document, query) is (sign == "|")
    assert FUNCTIONS["querytree_tsquery"].evaluate(query) == text
    headline = FUNCTIONS["ts_headline_regconfig_text_tsquery"].evaluate(_ENGLISH, "w1 x w2", query)
    assert headline == "<b>w1</b> x <b>w2</b>"


def test_a_headline_reads_words_in_proportion_to_the_document(monkeypatch: pytest.MonkeyPatch) -> None:
    reads = 0

    def counted(word: HeadlineWord, name: str) -> object:
        nonlocal reads
        reads += 1
        return object.__getattribute__(word, name)

    monkeypatch.setattr(HeadlineWord, "__getattribute__", counted, raising=False)
    counts = []
    for size in (300, 600):
        reads = 0
        document = "a x b y " * size
        FUNCTIONS["ts_headline_regconfig_text_tsquery"].evaluate(_ENGLISH, document, parse_query("x & y"))
        counts.append(reads)
    assert counts[1] < 2.5 * counts[0]
