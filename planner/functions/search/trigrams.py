"""How alike two texts are by their trigrams, as PostgreSQL's extension pg_trgm counts them.

A text is read as words of letters and digits in lower case; each, with two blanks before and one behind, has the three
letters from each of its places as trigrams: `Cat` has "  c", " ca", "cat" and "at ". Letters outside of ASCII make a
trigram of their checksum's lowest three bytes. Similarity is the share of common trigrams among all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from model.patterns.cases import lower
from model.patterns.characters import CLASSES
from model.search.checksums import old_checksum
from model.text.floats import to_single

_ASCII_WORD = re.compile("[a-z0-9]+")


def _words(text: str) -> Iterator[str]:
    """Yields the words of a text in lower case."""
    if text.isascii():
        yield from _ASCII_WORD.findall(text.lower())
        return
    letters: list[str] = []
    for letter in text:
        if letter in CLASSES["alnum"]:
            letters.append(letter)
        elif letters:
            yield lower("".join(letters))
            letters = []
    if letters:
        yield lower("".join(letters))


def _trigrams_of(word: str) -> list[bytes]:
    padded = f"  {word} "
    return [_packed(padded[at : at + 3]) for at in range(len(padded) - 2)]


def _packed(letters: str) -> bytes:
    data = letters.encode()
    return data if len(data) == 3 else old_checksum(data).to_bytes(4, "little")[:3]


def trigrams(text: str) -> frozenset[bytes]:
    """Returns the trigrams of a text."""
    return frozenset(trigram for word in _words(text) for trigram in _trigrams_of(word))


def written_trigrams(text: str) -> tuple[str, ...]:
    """Returns the trigrams of a text in order of signed bytes; hexadecimal where not of ASCII's letters."""
    ordered = sorted(trigrams(text), key=lambda trigram: tuple(byte ^ 0x80 for byte in trigram))
    return tuple(map(_written, ordered))


def _written(trigram: bytes) -> str:
    plain = all(byte < 0x80 and (chr(byte).isalnum() or byte == 0x20) for byte in trigram)
    return trigram.decode() if plain else f"0x{trigram.hex()}"


def similarity(left: str, right: str) -> float:
    """Returns the share of common trigrams, from 0 to 1."""
    one, two = trigrams(left), trigrams(right)
    if not one or not two:
        return 0.0
    common = len(one & two)
    return _share(common, len(one), len(two))


def _share(common: int, left: int, right: int) -> float:
    return to_single(common / (left + right - common))


def word_similarity(word: str, text: str, *, strict: bool = False) -> float:
    """Returns the greatest similarity of a word to a stretch of a text's trigrams; `strict`: to whole words."""
    wanted = trigrams(word)
    sequence: list[bytes] = []
    begins, ends = set(), set()
    for each in _words(text):
        begins.add(len(sequence))
        sequence += _trigrams_of(each)
        ends.add(len(sequence) - 1)
    if not wanted or not sequence:
        return 0.0
    starts = begins if strict else None
    return _Stretch(wanted, sequence, starts).greatest(ends if strict else None)


class _Stretch:
    """A stretch of trigrams, which grows at the end, and is shortened at the beginning for more similarity."""

    def __init__(self, wanted: frozenset[bytes], sequence: list[bytes], starts: set[int] | None) -> None:
        self._wanted = wanted
        self._sequence = sequence
        self._starts = starts
        self._last: dict[bytes, int] = {}
        self._first = -1 if starts is None else 0
        self._different = 0
        self._common = 0

    def greatest(self, ends: set[int] | None) -> float:
        """Returns the greatest similarity of stretches up to places in `ends`; for None, up to wanted trigrams."""
        greatest = 0.0
        for at, trigram in enumerate(self._sequence):
            found = trigram in self._wanted
            if self._first >= 0 or found:
                if trigram not in self._last:
                    self._different += 1
                    self._common += found
                self._last[trigram] = at
            if found if ends is None else at in ends:
                if self._first < 0:
                    self._first, self._different = at, 1
                greatest = max(greatest, self._shortened(at))
        return greatest

    def _shortened(self, end: int) -> float:
        """Moves the beginning for the greatest similarity of the stretch up to `end`, and returns the similarity."""
        common, different, before = self._common, self._different, self._first
        best = _share(common, len(self._wanted), different)
        for at in range(before, end + 1):
            if self._starts is None or at in self._starts:
                alike = _share(common, len(self._wanted), different)
                if alike > best:
                    best = alike
                    self._first, self._common, self._different = at, common, different
            trigram = self._sequence[at]
            if self._last.get(trigram) == at:
                different -= 1
                common -= trigram in self._wanted
        for at in range(before, self._first):
            if self._last.get(self._sequence[at]) == at:
                del self._last[self._sequence[at]]
        return best
