"""The functions and operators of the extension pg_trgm, which is always there.

Its operators compare with thresholds that pg_trgm.similarity_threshold and its kin set, and so are STABLE.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from model.text.floats import to_single
from model.types.scalar_type import BOOL, FLOAT4, TEXT, array_of
from planner.functions.rows import Options, function, operator
from planner.functions.search.trigrams import similarity, word_similarity, written_trigrams
from planner.functions.signature import Function, Volatility
from planner.ir.scalar import SessionName

_TWO = (TEXT, TEXT)
_OF_SESSION: Options = {"session": (SessionName.SIMILARITY,), "volatility": Volatility.STABLE}
_strict_similarity = partial(word_similarity, strict=True)
Measure = Callable[[str, str], float]


def _swapped(measure: Measure) -> Measure:
    return lambda left, right: measure(right, left)


def _alike(measure: Measure, place: int) -> Callable[[str, str, tuple[float, ...]], bool]:
    return lambda left, right, thresholds: measure(left, right) >= thresholds[place]


def _distance(measure: Measure) -> Measure:
    return lambda left, right: to_single(1.0 - measure(left, right))


_MEASURES: tuple[tuple[str, str, str, Measure, int], ...] = (
    ("%", "<->", "similarity", similarity, 0),
    ("<%", "<<->", "word_similarity", word_similarity, 1),
    ("%>", "<->>", "word_similarity_commutator", _swapped(word_similarity), 1),
    ("<<%", "<<<->", "strict_word_similarity", _strict_similarity, 2),
    ("%>>", "<->>>", "strict_word_similarity_commutator", _swapped(_strict_similarity), 2),
)

FUNCTIONS: tuple[Function, ...] = (
    function("similarity", _TWO, FLOAT4, similarity),
    function("word_similarity", _TWO, FLOAT4, word_similarity),
    function("strict_word_similarity", _TWO, FLOAT4, _strict_similarity),
    function("show_trgm", (TEXT,), array_of(TEXT), written_trigrams),
    function("show_limit", (), FLOAT4, lambda thresholds: to_single(thresholds[0]), **_OF_SESSION),
    *(
        operator(sign, f"{word}_op", _TWO, BOOL, _alike(each, at), **_OF_SESSION)
        for sign, _, word, each, at in _MEASURES
    ),
    *(operator(sign, f"{word}_dist", _TWO, FLOAT4, _distance(each)) for _, sign, word, each, _ in _MEASURES),
)
