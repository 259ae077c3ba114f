"""Guesses become slow by address and by role, within bounds of memory; a person who mistypes does not notice."""

from __future__ import annotations

import ipaddress

from server.admission.attempts import Attempts
from server.admission.rules import Address

_ONE, _OTHER = ipaddress.ip_address("192.0.2.1"), ipaddress.ip_address("192.0.2.2")
_LOOPBACK = ipaddress.ip_address("127.0.0.1")


def _guess(attempts: Attempts, address: Address | None, role: str, begin: float, seconds: float) -> int:
    """How many guesses come to an answer in so many seconds, each made as soon as the one before is answered."""
    now, made = begin, 0
    while (wait := attempts.wait_s(address, role, now)) is not None and now + wait < begin + seconds:
        now += wait + 0.001
        attempts.failed(address, role, now)
        made += 1
    return made


def test_three_failures_cost_nothing() -> None:
    attempts = Attempts()
    for _ in range(3):
        assert attempts.wait_s(_ONE, "ada", 10.0) == 0.0
        attempts.failed(_ONE, "ada", 10.0)
    assert attempts.wait_s(_ONE, "ada", 10.0) == 0.0


def test_guesses_from_an_address_become_few_whatever_role_they_are_for() -> None:
    attempts = Attempts()
    made, now = 0, 0.0
    while now < 600:
        wait = attempts.wait_s(_ONE, f"role {made}", now)
        assert wait is not None
        now += wait + 0.001
        attempts.failed(_ONE, f"role {made}", now)
        made += 1
    assert 60 < made < 120
    # Others do not wait for that.
    assert attempts.wait_s(_OTHER, "ada", now) == 0.0


def test_guesses_over_many_connections_come_one_after_the_other() -> None:
    attempts = Attempts()
    _guess(attempts, _ONE, "ada", 0.0, 60.0)
    waits = [attempts.wait_s(_ONE, "ada", 75.0) for _ in range(1000)]
    taken = [wait for wait in waits if wait is not None]
    assert 1 < len(taken) < 16 and sorted(taken) == taken and taken[-1] <= 16
    # On the machine itself nobody is kept out for good.
    for each in (_LOOPBACK, None):
        _guess(attempts, each, "ada", 0.0, 60.0)
        assert all((attempts.wait_s(each, "ada", 60.0) or 0.0) <= 16 for _ in range(1000))


def test_who_has_come_in_before_does_not_wait_for_others_who_fail() -> None:
    attempts = Attempts()
    attempts.came_in(_ONE, "ada", 0.0)
    attempts.came_in(_ONE, "bob", 0.0)
    # A program behind the same address that has an old password, of a role of its own and of one that had come in.
    for role in ("carol", "bob"):
        while (wait := attempts.wait_s(_ONE, role, 10.0)) is not None and wait < 16:
            attempts.failed(_ONE, role, 10.0)
    assert attempts.wait_s(_ONE, "ada", 10.0) == 0.0
    assert attempts.wait_s(_ONE, "dan", 10.0) is None
    # From elsewhere nobody has come in as that role.
    for _ in range(50):
        attempts.failed(_OTHER, "ada", 10.0)
    assert attempts.wait_s(_ONE, "ada", 10.0) == 0.0
    assert attempts.wait_s(ipaddress.ip_address("192.0.2.3"), "ada", 10.0) == 1.0


def test_to_have_come_in_once_makes_guesses_no_faster() -> None:
    attempts = Attempts()
    attempts.came_in(_ONE, "ada", 0.0)
    assert 60 < _guess(attempts, _ONE, "ada", 0.0, 600.0) < 120
    attempts.came_in(_ONE, "ada", 600.0)
    assert (attempts.wait_s(_ONE, "ada", 600.0) or 0.0) > 1.0


def test_guesses_from_everywhere_delay_a_role_a_little() -> None:
    attempts = Attempts()
    for number in range(1000):
        attempts.failed(ipaddress.ip_address(f"2001:db8:0:{number:x}::1"), "ada", 5.0)
    assert attempts.wait_s(_ONE, "ada", 5.0) == 1.0
    assert attempts.wait_s(_ONE, "bob", 5.0) == 0.0


def test_an_address_of_ipv6_is_as_all_of_its_network() -> None:
    attempts = Attempts()
    for number in range(50):
        attempts.failed(ipaddress.ip_address(f"2001:db8::{number:x}"), f"role {number}", 5.0)
    assert attempts.wait_s(ipaddress.ip_address("2001:db8::ffff"), "other", 5.0) == 0.0
    assert (attempts.wait_s(ipaddress.ip_address("2001:db8::ffff"), "other", 5.0) or 0.0) > 0.0


def test_failures_are_forgotten_and_what_is_kept_is_bounded() -> None:
    attempts = Attempts()
    for number in range(100_000):
        attempts.failed(ipaddress.ip_address(number), f"role {number}", float(number))
        attempts.came_in(ipaddress.ip_address(number), "ada", float(number))
    assert len(attempts._by_address) == len(attempts._by_role) == len(attempts._acquainted) == 10_000
    for _ in range(10):
        attempts.failed(_ONE, "ada", 200_000.0)
    assert attempts.wait_s(_ONE, "ada", 200_000.0) is not None
    assert attempts.wait_s(_ONE, "ada", 200_400.0) == 0.0
