"""Delays of logins after failed ones: guessing passwords is slow, from each address and for each role.

Failures are counted by address and by role, and forgotten little by little. Those of an address have its next attempts
come one after the other, whatever connections they come over; those of a role delay everybody who comes as that role,
though never for long, so that nobody is kept out by somebody else's guesses.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

from server.admission.rules import Address, network_of

_FREE = 3
"""So many failures are a person's, who mistypes."""
_FORGOTTEN_S = 30.0
"""One failure is forgotten after so long."""
_FIRST_S = 0.25
_ADDRESS_WAIT_MAX_S, _ROLE_WAIT_MAX_S = 8.0, 1.0
_QUEUE_MAX_S = 16.0
"""Who would have to wait for longer is refused at once."""
_KEPT = 10_000


@dataclass(slots=True)
class _Failures:
    count: float
    at: float
    free_at: float = 0.0


class Attempts:
    """Times are seconds of any clock that only goes forward."""

    def __init__(self) -> None:
        self._by_address: OrderedDict[str, _Failures] = OrderedDict()
        self._by_role: OrderedDict[str, _Failures] = OrderedDict()

    def wait_s(self, address: Address | None, role: str, now: float) -> float | None:
        """Returns how long the next attempt has to wait, and has it take its turn; None when it is refused, since too
        many wait before it."""
        of_role = _delay(self._by_role.get(role), now, _ROLE_WAIT_MAX_S)
        failures = self._by_address.get(network_of(address))
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
        """An attempt has failed."""
        for table, key in ((self._by_address, network_of(address)), (self._by_role, role)):
            known = table.pop(key, None)
            left = 0.0 if known is None else _left(known, now)
            table[key] = _Failures(left + 1, now, 0.0 if known is None else known.free_at)
            if len(table) > _KEPT:
                table.popitem(last=False)


def _left(failures: _Failures, now: float) -> float:
    return max(failures.count - (now - failures.at) / _FORGOTTEN_S, 0.0)


def _delay(failures: _Failures | None, now: float, most: float) -> float:
    over = 0.0 if failures is None else _left(failures, now) - _FREE
    return 0.0 if over <= 0 else min(_FIRST_S * 2.0 ** min(over, 20.0), most)
