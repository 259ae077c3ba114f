"""Money that goes from account to account, and what everybody who looks at it may rely on.

Each transfer is two events of one commit: one account has less, another more. An event says also what is true of its
account by then, in a way that no destination has computed: the number of the account's events (`seq`), and its
`balance`. So a destination that adds up amounts tells by itself whether it has counted something twice, or never.

    sums       (account, account, ±amount, 1, seq, balance)       reduced: amounts and events of an account are added up
    last       (account, account, balance, seq, seq, balance)     a row an account, which takes the place of the last
    changes    (event, account, ±amount, 1, seq, balance)         a log that nothing is ever taken from
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

from model.types.datum import Row
from model.types.relation_desc import relation_desc
from model.types.scalar_type import INT4, INT8

LEDGER = relation_desc(("k", INT4), ("account", INT4), ("amount", INT8), ("n", INT8), ("seq", INT8), ("balance", INT8))
_SUMMED = (2, 3)
_ACCOUNTS = 12
_AMOUNT_MAX = 50


class Mode(StrEnum):
    """What is written of the events."""

    SUMS = "sums"
    LAST = "last"
    CHANGES = "changes"

    @property
    def sums(self) -> tuple[int, ...]:
        """Columns that are added up."""
        return _SUMMED if self is Mode.SUMS else ()


class Event(NamedTuple):
    """A row of LEDGER."""

    k: int
    account: int
    amount: int
    n: int
    seq: int
    balance: int


class Accounts:
    """The oracle: it knows what is true."""

    def __init__(self, mode: Mode, seed: int = 0) -> None:
        self._mode = mode
        self._chance = random.Random(seed)
        self._balances: Counter[int] = Counter()
        self._numbers: Counter[int] = Counter()
        self._last: dict[int, Row] = {}
        self._events = 0

    def transfers(self, number: int) -> list[tuple[Row, int]]:
        """Changes of one commit; each account is in at most one of its transfers."""
        accounts = self._chance.sample(range(_ACCOUNTS), 2 * number)
        changes: list[tuple[Row, int]] = []
        for giver, taker in zip(accounts[::2], accounts[1::2], strict=True):
            amount = self._chance.randrange(1, _AMOUNT_MAX)
            changes += [*self._event(giver, -amount), *self._event(taker, amount)]
        return changes

    def _event(self, account: int, amount: int) -> list[tuple[Row, int]]:
        self._events += 1
        self._numbers[account] += 1
        self._balances[account] += amount
        seq, balance = self._numbers[account], self._balances[account]
        match self._mode:
            case Mode.SUMS:
                return [(Event(account, account, amount, 1, seq, balance), 1)]
            case Mode.CHANGES:
                return [(Event(self._events, account, amount, 1, seq, balance), 1)]
            case Mode.LAST:
                row = Event(account, account, balance, seq, seq, balance)
                left = [(self._last[account], -1)] if account in self._last else []
                self._last[account] = row
                return [*left, (row, 1)]


def held(rows: Counter[Row], mode: Mode) -> Counter[Row]:
    """What a destination has of these rows of the collection."""
    if mode is not Mode.SUMS:
        return Counter({tuple(row): count for row, count in rows.items()})
    accounts: dict[int, Event] = {}
    for event in sorted(map(Event._make, rows), key=lambda event: event.seq):
        known = accounts.get(event.k)
        if known is not None:
            event = event._replace(amount=known.amount + event.amount, n=known.n + event.n)
        accounts[event.k] = event
    return Counter(tuple(event) for event in accounts.values())


def violation(rows: Counter[Row], mode: Mode) -> str | None:
    """What is wrong with what somebody finds, without knowing what was written."""
    if any(count != 1 for count in rows.values()):
        return "a row is there twice"
    events = [Event._make(row) for row in rows]
    if len({event.k for event in events}) != len(events):
        return "two documents have one key"
    if sum(event.amount for event in events) != 0:
        return "money has come from nowhere, or is gone"
    by_account: dict[int, list[Event]] = {}
    for event in events:
        by_account.setdefault(event.account, []).append(event)
    return next((why for own in by_account.values() if (why := _of_account(own))), None)


def _of_account(events: Iterable[Event]) -> str | None:
    """Its amounts come to its newest balance, its events to the number of the newest."""
    events = sorted(events, key=lambda event: event.seq)
    newest = events[-1]
    if sum(event.n for event in events) != newest.seq:
        return f"account {newest.account} has {sum(event.n for event in events)} events of {newest.seq}"
    if sum(event.amount for event in events) != newest.balance:
        return f"account {newest.account} has {sum(event.amount for event in events)} and not {newest.balance}"
    return None
