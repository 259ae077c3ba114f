"""One sequence: its next values, and when to reserve more.

    values given <= values reserved, in the direction of counting

LOGGED_AHEAD values are reserved beyond those asked for, so that few takes wait for a commit; a crash skips values that
were reserved and not given. The numbers shown by SELECT from a sequence are PostgreSQL's.
"""

from __future__ import annotations

from dataclasses import dataclass

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from planner.sequence_rules import SequenceRules

LOGGED_AHEAD = 32


@dataclass(frozen=True, slots=True)
class Counter:
    """The state of a sequence's counting. `last` is the value given last or, unless `called`, the first to be given;
    `left` more values are reserved."""

    last: int
    called: bool
    left: int = 0


@dataclass(frozen=True, slots=True)
class Taken:
    """Values from `first` to `last`. `reserved` must be durable before a client sees them; None if reserved before."""

    first: int
    last: int
    counter: Counter
    reserved: int | None


def take(counter: Counter, rules: SequenceRules, name: str) -> Taken:
    """Takes as many values as the rules give a session at once, or as are left; raises 2200H without any."""
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
