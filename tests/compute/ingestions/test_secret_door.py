"""Who has a ticket is told what belongs to it, as long as its task is under way; nobody else is told anything."""

from __future__ import annotations

import pickle
import stat
from collections.abc import Iterator
from dataclasses import replace
from multiprocessing import AuthenticationError
from multiprocessing.connection import Client
from pathlib import Path

import pytest

from compute.replica.ingestions.ranges.range_task import RangeTask
from compute.replica.ingestions.ranges.secret_door import SecretDoor, redeemed
from model.ids.global_id import GlobalId
from tests.compute.ingestions.world import PLACE

_SECRET = "hunter2"
_VALUES = {GlobalId.user(7): _SECRET}


@pytest.fixture
def door(tmp_path: Path) -> Iterator[SecretDoor]:
    door = SecretDoor(tmp_path)
    yield door
    door._listener.close()


def test_a_ticket_is_worth_its_secrets_until_its_task_has_ended(door: SecretDoor) -> None:
    with door.ticket(_VALUES) as ticket, door.ticket({}) as other:
        assert redeemed(ticket) == _VALUES
        assert redeemed(other) == {}
        assert redeemed(replace(ticket, name="x")) == {}
    assert redeemed(ticket) == {}


def test_who_has_not_the_key_is_told_nothing(door: SecretDoor) -> None:
    with door.ticket(_VALUES) as ticket:
        with pytest.raises(AuthenticationError):
            redeemed(replace(ticket, key=b"guessed"))
        with Client(ticket.path, "AF_UNIX") as silent:
            silent.send_bytes(b"x")
        assert redeemed(ticket) == _VALUES, "those who come later are answered"
        assert stat.S_IMODE(Path(ticket.path).stat().st_mode) == 0o600


def test_what_spark_is_given_has_no_secret_in_it(door: SecretDoor) -> None:
    with door.ticket(_VALUES) as ticket:
        assert _SECRET.encode() not in pickle.dumps(ticket)
        assert ticket.key.decode() not in repr(ticket)
    assert _SECRET not in repr(RangeTask(PLACE, (), 0, 0, (), {}, _VALUES))
