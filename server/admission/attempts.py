"""Delays of logins after failed logins: guessing passwords is slow, from each address and for each role.

Failures are counted by address and by role, and forgotten little by little. After failures from an address, further
attempts from the address come one after the other, over any number of connections. After failures for a role, everybody
who logs in as the role waits, but never for long, so that a stranger's guesses keep out no client.

A client that has logged in before is spared the guesses of strangers: the same role from the same address waits only
for failures of this role from this address. A program with an old password keeps out no other program behind the same
address.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

from server.admission.rules import Address, network_of

_FREE = 3
"""A person who mistypes makes so many failures."""
_FORGOTTEN_S = 30.0
"""One failure is forgotten after so long."""
_FIRST_S = 0.25
_ADDRESS_WAIT_MAX_S, _ROLE_WAIT_MAX_S = 8.0, 1.0
_QUEUE_MAX_S = 16.0
"""A longer wait is a refusal at once."""
_KEPT = 10_000


@dataclass(slots=True)
class _Failures:
    count: float
    at: float
    free_at: float = 0.0


_Table = OrderedDict[tuple[str, ...], _Failures]


class Attempts:
    """Times are seconds of any clock that only goes forward."""

    def __init__(self) -> None:
        self._by_address: _Table = OrderedDict()
        self._by_role: _Table = OrderedDict()
        self._acquainted: _Table = OrderedDict()

    def wait_s(self, address: Address | None, role: str, now: float) -> float | None:
        """Returns how long the next attempt has to wait, and has it take its turn; None when it is refused, since too
        many wait before it."""
        failures, of_role = self._acquainted.get((network_of(address), role)), 0.0
        if failures is None:
            failures = self._by_address.get((network_of(address),))
            of_role = _delay(self._by_role.get((role,)), now, _ROLE_WAIT_MAX_S)
        spacing = _delay(failures, now, _ADDRESS_WAIT_MAX_S)
        if failures is None or not spacing:
            return of_role
        waits = max(failures.free_at - now, 0.0)
        if waits > _QUEUE_MAX_S and not (address is None or address.is_loopback):
            return None
        # On the machine itself all have one address: others' guesses keep nobody out for good.
        failures.free_at = min(now + waits + spacing, now + _QUEUE_MAX_S + spacing)
        return max(min(waits, _QUEUE_MAX_S), of_role)

    def failed(self, address: Address | None, role: str, now: float) -> None:
        """Notes that an attempt has failed."""
        pair = network_of(address), role
        place = (self._acquainted, pair) if pair in self._acquainted else (self._by_address, pair[:1])
        for table, key in (place, (self._by_role, pair[1:])):
            known = table.get(key)
            left = 0.0 if known is None else _left(known, now)
            _keep(table, key, _Failures(left + 1, now, 0.0 if known is None else known.free_at))

    def came_in(self, address: Address | None, role: str, now: float) -> None:
        """Notes that an attempt has succeeded. Failures are not forgotten for that."""
        pair = network_of(address), role
        _keep(self._acquainted, pair, self._acquainted.get(pair) or _Failures(0.0, now))


def _keep(table: _Table, key: tuple[str, ...], failures: _Failures) -> None:
    """Notes what is known of a key as the latest of a table, which forgets the oldest."""
    table[key] = failures
    table.move_to_end(key)
    if len(table) > _KEPT:
        table.popitem(last=False)


def _left(failures: _Failures, now: float) -> float:
    return max(failures.count - (now - failures.at) / _FORGOTTEN_S, 0.0)


def _delay(failures: _Failures | None, now: float, most: float) -> float:
    over = 0.0 if failures is None else _left(failures, now) - _FREE
    return 0.0 if over <= 0 else min(_FIRST_S * 2.0 ** min(over, 20.0), most)
