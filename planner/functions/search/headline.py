"""The part of a document to show for a query: its words marked, in a stretch around places where the query holds.

A document is a list of HeadlineWords. A word that several lexemes of the query ask for stands there once for each, the
later ones `repeated`: they count for matching alone.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace

from model.search.queries import Lexeme, Negation, QueryNode, QueryOperator, left_spine, lexemes_of
from model.search.vectors import LEXEME_BYTES_END, limited
from planner.functions.search.dictionaries import check_configuration, has_dictionary, lexeme_of
from planner.functions.search.matching import Look, Occurrence, Presence, found_in, holds_in
from planner.functions.search.token_rules import TokenType
from planner.functions.search.tokens import tokens_of

_COMPOUND = frozenset((TokenType.URL, TokenType.NUMHWORD, TokenType.ASCIIHWORD, TokenType.HWORD))
"""Tokens whose parts follow as tokens of their own."""
_NO_WORDS = _COMPOUND | {TokenType.BLANK, TokenType.TAG}
_NO_ENDS = _NO_WORDS | {
    *(TokenType.SFLOAT, TokenType.VERSION, TokenType.FLOAT, TokenType.INT, TokenType.UINT),
    *(TokenType.PROTOCOL, TokenType.ENTITY),
}


@dataclass(frozen=True, slots=True)
class HeadlineOptions:
    """The options of ts_headline, by PostgreSQL's names."""

    start: str = "<b>"
    stop: str = "</b>"
    delimiter: str = " ... "
    words_min: int = 15
    words_max: int = 35
    short_word: int = 3
    fragments_max: int = 0
    highlight_all: bool = False


@dataclass(slots=True)
class HeadlineWord:
    """A token of a document: the lexeme of the query that asks for it, its place, and whether it is shown."""

    token: TokenType
    text: str
    asked: Lexeme | None = None
    place: int = 0
    repeated: bool = False
    shown: bool = False


Cover = tuple[int, int]
"""The first and the last word of a part of the document in which the query holds."""


def headline(configuration: int, document: str, query: QueryNode | None, options: HeadlineOptions) -> str:
    """Returns the part of a document to show, with the query's words marked. Raises XX000 for a configuration that does
    not exist."""
    check_configuration(configuration)
    words = _words_of(configuration, document, list(lexemes_of(query)))
    if options.highlight_all and not options.fragments_max:
        _show(words, 0, len(words) - 1)
    else:
        covers = [] if query is None else list(_covers(words, query))
        choose = _choose_fragments if options.fragments_max else _choose_stretch
        choose(words, covers, options)
    return _written(words, options)


def _words_of(configuration: int, document: str, asked: list[Lexeme]) -> list[HeadlineWord]:
    words: list[HeadlineWord] = []
    place = 0
    for token, text in tokens_of(document):
        if len(text.encode()) >= LEXEME_BYTES_END:
            continue
        word = HeadlineWord(token, text)
        words.append(word)
        if not has_dictionary(token):
            continue
        place += 1
        lexeme = lexeme_of(configuration, token, text)
        if lexeme is None:
            continue
        word.place = limited(place)
        for each in asked:
            if lexeme.startswith(each.word) if each.prefix else lexeme == each.word:
                if word.asked is None:
                    word.asked = each
                else:
                    words.append(HeadlineWord(token, text, each, word.place, True))
    return words


def _looking_in(words: list[HeadlineWord]) -> Look:
    places: dict[Lexeme, list[int]] = {}
    for word in words:
        if word.asked is not None:
            known = places.setdefault(word.asked, [])
            if not known or known[-1] < word.place:
                known.append(word.place)

    def look(lexeme: Lexeme, placed: bool) -> Occurrence:
        found = places.get(lexeme)
        return Occurrence(Presence.NO) if found is None else Occurrence(Presence.YES, tuple(found))

    return look


def _locations(node: QueryNode, look: Look) -> list[Occurrence] | None:
    """Returns the places of each necessary part of a query; None where the query does not hold. Negations have no
    places."""
    leftmost, pairs = left_spine(node, QueryOperator.PHRASE)
    places = _places_of(leftmost, look)
    for pair in pairs:
        others = _locations(pair.right, look)
        if pair.operator is QueryOperator.AND:
            places = None if places is None or others is None else places + others
        elif places is not None or others is not None:
            alternatives = [_either(one, other) for one in places or () for other in others or ()]
            places = alternatives if places and others else places or others or []
    return places


def _places_of(node: QueryNode, look: Look) -> list[Occurrence] | None:
    """Returns the places of a part of a query that is no pair, or a phrase, as `_locations` does."""
    match node:
        case Lexeme():
            found = look(node, True)
            return [found] if found.answer is Presence.YES else None
        case Negation(operand=operand):
            return [] if _locations(operand, look) is None else None
        case _:
            found = found_in(node, look)
            if found.answer is not Presence.YES:
                return None
            return [] if found.negated else [found]


def _either(left: Occurrence, right: Occurrence) -> Occurrence:
    places = tuple(sorted({*left.places, *right.places}))
    return Occurrence(Presence.YES, places, False, max(left.width, right.width))


def _covers(words: list[HeadlineWord], query: QueryNode) -> Iterator[Cover]:
    """Yields the shortest parts of the document in which the query holds, by their beginnings."""
    locations = _locations(query, _looking_in(words))
    asked = [at for at, word in enumerate(words) if word.asked is not None]
    asked_places = [words[at].place for at in asked]
    start = 0
    while locations:
        end = -1
        for found in locations:
            at = bisect_left(found.places, start)
            if at == len(found.places):
                return
            end = max(end, found.places[at])
        begin = max(min(_last_begin(found, end) for found in locations), start)
        first, last = bisect_left(asked_places, begin), bisect_right(asked_places, end) - 1
        if begin <= end and first <= last:
            cover = asked[first], asked[last]
            if holds_in(query, _looking_in(words[cover[0] : cover[1] + 1])):
                yield cover
        start = begin + 1


def _last_begin(found: Occurrence, end: int) -> int:
    """Returns where a part begins for the last time up to a place; -1 where it does not."""
    at = bisect_right(found.places, end + found.width)
    return found.places[at - 1] - found.width if at else -1


def _is_word(word: HeadlineWord) -> bool:
    return word.token not in _NO_WORDS


def _is_asked(word: HeadlineWord) -> bool:
    return word.asked is not None and not word.repeated


def _is_bad_end(word: HeadlineWord, options: HeadlineOptions) -> bool:
    """Tells whether a headline should not end at a word: a short word, or no word at all, unless asked for."""
    return (word.token in _NO_ENDS or len(word.text.encode()) <= options.short_word) and not _is_asked(word)


def _show(words: list[HeadlineWord], first: int, last: int) -> None:
    for word in words[first : last + 1]:
        word.shown = not word.repeated


def _show_beginning(words: list[HeadlineWord], options: HeadlineOptions) -> None:
    last, count = 0, 0
    for at, word in enumerate(words):
        if count >= options.words_min:
            break
        count += _is_word(word)
        last = at
    _show(words, 0, last)


@dataclass(frozen=True, slots=True)
class _Stretch:
    """A part of a document that may be shown, with its words, those asked for, and whether it holds a whole cover."""

    first: int
    last: int
    length: int
    asked: int
    whole: bool = False


def _choose_stretch(words: list[HeadlineWord], covers: list[Cover], options: HeadlineOptions) -> None:
    """Shows a stretch: rather a whole cover than not, with most words asked for, and a good end."""
    best: _Stretch | None = None
    for cover in covers:
        found = _fitted(words, cover, options)
        better = best is None or (found.whole, found.asked) > (best.whole, best.asked)
        if best is not None and (found.whole, found.asked) == (best.whole, best.asked):
            better = not _is_bad_end(words[found.last], options) and _is_bad_end(words[best.last], options)
        best = found if better else best
    if best is None:
        _show_beginning(words, options)
    else:
        _show(words, best.first, best.last)


def _fitted(words: list[HeadlineWord], cover: Cover, options: HeadlineOptions) -> _Stretch:
    """Returns a cover made longer or shorter, to have as many words as the options ask for."""
    first, last = cover
    length, asked, at = 0, 0, first
    while at <= last and length < options.words_max:
        length += _is_word(words[at])
        asked += _is_asked(words[at])
        at += 1
    found = _Stretch(first, at - 1, length, asked)
    if length < options.words_max:
        found = _lengthened(words, last, found, options)
    else:
        found = _shortened(words, min(at, last), found, options)
    return replace(found, whole=found.first <= first and found.last >= last)


def _lengthened(words: list[HeadlineWord], last: int, found: _Stretch, options: HeadlineOptions) -> _Stretch:
    length, asked, end = found.length, found.asked, found.last
    for at in range(found.last, len(words)):
        if length >= options.words_max:
            break
        if at > last:
            length += _is_word(words[at])
            asked += _is_asked(words[at])
        end = at
        if not _is_bad_end(words[at], options) and length >= options.words_min:
            break
    first = found.first
    if length < options.words_min:
        first = 0
        for at in range(found.first - 1, -1, -1):
            length += _is_word(words[at])
            asked += _is_asked(words[at])
            if length >= options.words_max or (not _is_bad_end(words[at], options) and length >= options.words_min):
                first = at
                break
    return _Stretch(first, end, length, asked)


def _shortened(words: list[HeadlineWord], at: int, found: _Stretch, options: HeadlineOptions) -> _Stretch:
    length, asked, end = found.length, found.asked, found.last
    while length > options.words_min and _is_bad_end(words[at], options):
        length -= _is_word(words[at])
        asked -= _is_asked(words[at])
        end = at - 1
        at -= 1
    return _Stretch(found.first, end, length, asked)


def _choose_fragments(words: list[HeadlineWord], covers: list[Cover], options: HeadlineOptions) -> None:
    """Shows several fragments of covers: by most words asked for, the shortest first, none twice."""
    left = [fragment for cover in covers for fragment in _fragments(words, cover, options)]
    for _ in range(options.fragments_max):
        if not left:
            break
        chosen = max(left, key=lambda fragment: (fragment.asked, -fragment.length))
        first, last = _stretched(words, chosen, options)
        _show(words, first, last)
        left = [each for each in left if each is not chosen and (each.last < first or each.first > last)]
    if not any(word.shown for word in words):
        _show_beginning(words, options)


def _fragments(words: list[HeadlineWord], cover: Cover, options: HeadlineOptions) -> Iterator[_Stretch]:
    """Yields a cover in parts of no more words than the options allow, between words asked for."""
    start, last = cover
    while start <= last:
        first = next((at for at in range(start, last + 1) if _is_asked(words[at])), last)
        length, asked, at = 0, 0, first
        while at <= last and length < options.words_max:
            length += _is_word(words[at])
            asked += _is_asked(words[at])
            at += 1
        end = last
        if last > at:
            end = at
            while end > first and not _is_asked(words[end]):
                length -= _is_word(words[end])
                end -= 1
        yield _Stretch(first, end, length, asked)
        start = end + 1


def _stretched(words: list[HeadlineWord], fragment: _Stretch, options: HeadlineOptions) -> Cover:
    """Returns a fragment made longer on both sides up to others that are shown, and to good ends."""
    first, last, length = fragment.first, fragment.last, fragment.length
    if length >= options.words_max:
        return first, last
    wanted, taken, begin = (options.words_max - length) // 2, 0, first
    for at in range(first - 1, -1, -1):
        if taken >= wanted or words[at].shown:
            break
        taken += _is_word(words[at])
        begin = at
    length += taken
    while begin < first and _is_bad_end(words[begin], options):
        length -= _is_word(words[begin])
        begin += 1
    end = last
    for at in range(last + 1, len(words)):
        if length >= options.words_max or words[at].shown:
            break
        length += _is_word(words[at])
        end = at
    while end > last and _is_bad_end(words[end], options):
        end -= 1
    return begin, end


def _written(words: list[HeadlineWord], options: HeadlineOptions) -> str:
    parts: list[str] = []
    inside, fragments = False, 0
    for word in words:
        if word.repeated:
            continue
        if not word.shown:
            inside = False
            continue
        if not inside:
            inside, fragments = True, fragments + 1
            parts.append(options.delimiter if fragments > 1 else "")
        if word.token is TokenType.TAG and not options.highlight_all:
            parts.append(" ")
        elif word.token not in _COMPOUND:
            parts.append(word.text if word.asked is None else f"{options.start}{word.text}{options.stop}")
    return "".join(parts)
