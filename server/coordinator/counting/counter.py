"""One sequence: what it gives next, and when more must be reserved.

    values given <= what is reserved, in the direction of counting

LOGGED_AHEAD values are reserved beyond those that are asked for, so that few takes have to wait for a commit; a crash
skips what was reserved and not given. The numbers that SELECT from a sequence shows are PostgreSQL's.
"""

from __future__ import annotations

from dataclasses import dataclass

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from planner.sequence_rules import SequenceRules

LOGGED_AHEAD = 32


@dataclass(frozen=True, slots=True)
class Counter:
    """`last` was given last or, unless `called`, is the first to be given; `left` more values are reserved."""

    last: int
    called: bool
    left: int = 0


@dataclass(frozen=True, slots=True)
class Taken:
    """Values from `first` to `last`. `reserved` is how far has to be durable before anybody learns of them; None when
    it was reserved before."""

    first: int
    last: int
    counter: Counter
    reserved: int | None


def take(counter: Counter, rules: SequenceRules, name: str) -> Taken:
    """As many values as the rules say a session takes at once, or as there are left; 2200H when there are none."""
    given = [] if counter.called else [counter.last]
    wanted = rules.cache - len(given)
    ahead = counter.left < wanted or not counter.called
    left = counter.left
    if ahead:
        wanted = left = wanted + LOGGED_AHEAD
    reached = counter.last
    while wanted:
        following = _following(reached, rules)
        if following is None:
            if given:
                break
            raise _exhausted(rules, name)
        reached = following
        wanted -= 1
        if len(given) < rules.cache:
            left -= 1
            given.append(reached)
    return Taken(given[0], given[-1], Counter(given[-1], True, left - wanted), reached if ahead else None)


def _following(value: int, rules: SequenceRules) -> int | None:
    following = value + rules.increment
    if rules.minimum <= following <= rules.maximum:
        return following
    if not rules.cycle:
        return None
    return rules.minimum if rules.increment > 0 else rules.maximum


def _exhausted(rules: SequenceRules, name: str) -> SqlError:
    end, limit = ("maximum", rules.maximum) if rules.increment > 0 else ("minimum", rules.minimum)
    message = f'nextval: reached {end} value of sequence "{name}" ({limit})'
    return SqlError(Sqlstate.SEQUENCE_GENERATOR_LIMIT_EXCEEDED, message)
