"""Similarity by trigrams: the examples of pg_trgm's own documentation and scripts, since the judge lacks the extension,
and laws that hold for all texts."""

from __future__ import annotations

import pytest

from model.text.floats import to_single
from planner.functions.search.trigrams import similarity, trigrams, word_similarity, written_trigrams
from tests.planner.functions.search.drawn_texts import DrawnTexts


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("", ()),
        ("(*&^$@%@", ()),
        ("a b c", ("  a", "  b", "  c", " a ", " b ", " c ")),
        (" a b c ", ("  a", "  b", "  c", " a ", " b ", " c ")),
        ("aA bB cC", ("  a", "  b", "  c", " aa", " bb", " cc", "aa ", "bb ", "cc ")),
        ("a b C0*%^", ("  a", "  b", "  c", " a ", " b ", " c0", "c0 ")),
        ("foo|bar", ("  b", "  f", " ba", " fo", "ar ", "bar", "foo", "oo ")),
        ("cat", ("  c", " ca", "at ", "cat")),
    ],
)
def test_trigrams_are_those_of_the_documentation(text: str, written: tuple[str, ...]) -> None:
    assert written_trigrams(text) == written


def test_similarities_are_those_of_the_documentation() -> None:
    assert similarity("wow", "WOWa ") == 0.5
    assert similarity("wow", " WOW ") == 1.0
    assert similarity("---", "####---") == 0.0
    assert similarity("word", "two words") == to_single(4 / 11)
    assert word_similarity("word", "two words") == to_single(0.8)
    assert word_similarity("word", "two words", strict=True) == to_single(4 / 7)
    assert word_similarity("word", "words", strict=True) == to_single(4 / 7)


def test_measures_hold_their_laws() -> None:
    draw = DrawnTexts(1)
    for _ in range(400):
        left, right = draw.odd_document(), draw.document()
        alike = similarity(left, right)
        assert alike == similarity(right, left)
        assert 0 <= alike <= 1
        assert similarity(right, right.upper()) == (1.0 if trigrams(right) else 0.0)
        # All words of the text are one of the stretches that are tried.
        assert word_similarity(left, right, strict=True) >= alike
        for word in right.split():
            assert word_similarity(word, right) == (1.0 if trigrams(word) else 0.0), (word, right)
