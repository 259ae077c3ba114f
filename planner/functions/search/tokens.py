"""Cuts a document into tokens, as PostgreSQL's default parser does: words, numbers, hyphenated words and their parts,
e-mail addresses, hosts, URLs, paths of files, tags, entities, and what lies between.

    tokens_of("post-war http://a.bc/d")   asciihword post-war, hword_asciipart post, blank -, hword_asciipart war,
                                          blank, protocol http://, url a.bc/d, host a.bc, url_path /d

The rules stand in token_rules.py. A rule on trial keeps where the text was, so that it can be read again. Trials that
failed are remembered, because each word of `a_b_c_d` would try all that follow anew.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from model.patterns.cases import ranges
from model.patterns.characters import CLASSES, Characters
from model.patterns.letter_tables import WITHIN_WORDS
from planner.functions.search.token_rules import STATES, TokenRule, TokenType

_MARKS = Characters(ranges(WITHIN_WORDS))
_ASCII_LETTERS = re.compile("[A-Za-z]*")
_NOT_IN_URLS = frozenset('"<>\\^`{|}')
_DYNAMIC = frozenset(("ignored", "stop", "host", "path"))
_TAGS = {"</script": False, "</style": False, "<script": True, "<style": True}
"""Tags from which on, or up to which, everything is blank."""


def _holds(test: str, letter: str) -> bool:
    """Tells whether a test holds for a character; "" stands for the end of the text."""
    match test:
        case "any":
            return True
        case "end":
            return letter == ""
        case _ if test[0] == "'":
            return letter == test[1:]
        case "notalnum":
            return letter == "" or letter not in CLASSES["alnum"]
        case _ if letter == "":
            return False
        case "asc":
            return letter.isascii() and letter.isalpha()
        case "mark":
            return letter in _MARKS
        case "url":
            return "\x20" < letter < "\x7f" and letter not in _NOT_IN_URLS
        case "hex":
            return letter in CLASSES["xdigit"]
        case _:
            return letter in CLASSES[test]


@lru_cache(maxsize=1 << 16)
def _candidates(state: str, start: int, letter: str) -> tuple[tuple[int, TokenRule], ...]:
    """Returns the rules from `start` on that may count for a character, up to the first that does."""
    found: list[tuple[int, TokenRule]] = []
    for at, rule in enumerate(STATES[state]):
        if at < start:
            continue
        if rule.test in _DYNAMIC:
            found.append((at, rule))
        elif _holds(rule.test, letter):
            found.append((at, rule))
            break
    return tuple(found)


Trial = tuple[str, int, bool, bool]
"""The state and the place where a trial begins, and what the parser looks for there."""


class _Place:
    """A place in the text: the character at hand, how long the token is up to there, the state, and the rule from which
    on the text is read again after a trial; `trial` is the one that led here, while it can fail."""

    __slots__ = ("at", "before", "length", "resume", "state", "trial")

    def __init__(self, at: int, length: int, state: str, before: _Place | None, trial: Trial | None = None) -> None:
        self.at = at
        self.length = length
        self.state = state
        self.before = before
        self.resume = 0
        self.trial = trial


class TokenParser:
    """Reads tokens from `start` on. Hosts within addresses, and paths within URLs, have parsers of their own."""

    def __init__(self, text: str, start: int = 0, state: str = "base", *, wants_host: bool = False) -> None:
        self._text = text
        self._place = _Place(start, 0, "base", None)
        if state != "base":
            self._place = _Place(start, 0, state, self._place)
        self._ignoring = False
        self._wants_host = wants_host
        self._start = start
        self._failed: set[Trial] = set()
        self._comments_open = False

    def next(self) -> tuple[TokenType, str] | None:
        """Returns the next token; None at the end of the text."""
        text, size = self._text, len(self._text)
        place = self._place
        if place.at >= size:
            return None
        self._start = start = place.at
        place.resume = 0
        while True:
            place = self._place
            if place.state == "asciiword" and not place.resume:
                letters = _ASCII_LETTERS.match(text, place.at)
                assert letters is not None
                self._skip(place, letters.end())
            elif place.state == "comment":
                self._skip(place, self._comment_end(place.at))
            index, rule = self._rule(place)
            place.resume = 0
            if rule.effect is not None:
                self._affect(rule.effect, place)
            if rule.token is not None:
                length, place.length = place.length, 0
                self._end_trials(rule.sign)
                place.state = rule.state or place.state
                return rule.token, text[start : start + length]
            if not self._advance(place, index, rule):
                return None

    @staticmethod
    def _skip(place: _Place, to: int) -> None:
        place.length += to - place.at
        place.at = to

    def _comment_end(self, start: int) -> int:
        """Returns where a comment ends; the end of the text for one that does not. Then no later one does, and none is
        looked for."""
        end = -1 if self._comments_open else self._text.find("-->", start)
        self._comments_open = end < 0
        return len(self._text) if end < 0 else end

    def _rule(self, place: _Place) -> tuple[int, TokenRule]:
        letter = self._text[place.at] if place.at < len(self._text) else ""
        for index, rule in _candidates(place.state, place.resume, letter):
            if rule.test not in _DYNAMIC or self._dynamic(rule.test, place):
                return index, rule
        raise AssertionError("the last rule of a state has no condition")

    def _dynamic(self, test: str, place: _Place) -> bool:
        if test == "ignored":
            return self._ignoring
        if test == "stop":
            wanted, self._wants_host = self._wants_host, False
            return wanted
        if test == "host":
            parser, token = TokenParser(self._text, place.at, wants_host=True), TokenType.HOST
        else:
            parser, token = TokenParser(self._text, place.at, "url_path_first"), TokenType.URL_PATH
        found = parser.next()
        if found is None or found[0] is not token:
            return False
        place.at += len(found[1])
        place.length += len(found[1])
        return True

    def _affect(self, effect: str, place: _Place) -> None:
        match effect:
            case "tags":
                name = self._text[self._start : self._start + place.length].lower()
                self._ignoring = _TAGS.get(name, self._ignoring)
            case "again":
                place.at -= place.length
                place.length = 0
            case "url":
                self._wants_host = True
                place.at -= place.length
            case _:
                place.at -= place.length

    def _end_trials(self, sign: str) -> None:
        place = self._place
        if sign in "*!":
            place.trial = None
        if sign == "*":
            place.before = None
        elif sign == "!":
            assert place.before is not None, "only a trial can succeed"
            place.before = place.before.before

    def _advance(self, place: _Place, index: int, rule: TokenRule) -> bool:
        """Applies a rule that ends no token; returns False where the text ends without one."""
        size = len(self._text)
        if rule.sign == "<":
            assert place.before is not None, "only a trial can fail"
            if place.trial is not None and place.trial[2:] == (self._wants_host, self._ignoring):
                self._failed.add(place.trial)
            self._place = place.before
            return self._place.at < size
        if rule.sign == "~":
            place.state = rule.state or place.state
            return True
        if rule.sign == "?":
            place.resume = index + 1
            assert rule.state is not None, "a trial has a state"
            trial = rule.state, place.at, self._wants_host, self._ignoring
            if trial in self._failed:
                return True
            self._place = place = _Place(place.at, place.length, place.state, place, trial)
        elif rule.sign == "^":
            assert place.before is not None, "only a trial can be merged"
            self._place = place.before
            self._place.at, self._place.length = place.at, place.length
            self._place.resume = 0
            place = self._place
        else:
            self._end_trials(rule.sign)
        place.state = rule.state or place.state
        if place.at >= size:
            return False
        place.at += 1
        place.length += 1
        return True


def tokens_of(text: str) -> Iterator[tuple[TokenType, str]]:
    """Yields the tokens of a document."""
    parser = TokenParser(text)
    while (found := parser.next()) is not None:
        yield found
