"""Left slots are tried until they are dropped, looked for once more, and forgotten only then."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor

import pytest

from catalog.changes.apply import apply
from catalog.changes.change import ForgetSlot
from catalog.durable.history import CatalogHistory
from catalog.nouns.connections import Connection
from catalog.nouns.sources import LeftSlot
from catalog.state.catalog_state import CatalogState, build_state
from connectors.unreachable import Unreachable
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.time.clock import SystemClock
from model.time.timestamp import Timestamp
from server.ledgers.audit_log import AuditLog
from server.ledgers.committed_catalog import CommittedCatalog
from server.objects.sources import left_slots
from server.objects.sources.left_slots import LeftSlots
from server.secrets.keyring import Keyring
from timeline.fence import Fenced

_PATIENCE_S = 30.0
_CONNECTION = Connection("POSTGRES", (("HOST", "here"), ("USER", "somebody")))
_LEFT = LeftSlot("slot", "74", GlobalId.user(3), "bank", GlobalId.user(2), _CONNECTION, ())


class _World:
    """A catalog with a left slot; a server that is away as often as is said, before anything else; and a list of what
    was done, in its order."""

    def __init__(self, away: list[bool], forgetting: list[Exception | None]) -> None:
        state = build_state(
            version=1,
            databases=(),
            schemas=(),
            roles=(),
            items=(),
            configuration={},
            next_user_id=4,
            next_oid=20_000,
            left_slots=[_LEFT],
        )
        self.catalog = CommittedCatalog(state, CatalogHistory([], Timestamp(0)), Timestamp(0), AuditLog(()))
        self.done: list[str] = []
        self._away = away
        self._forgetting = forgetting
        self._clock = _Recorded(self.done)

    def forget_slot(self, settings: Mapping[str, str], slot: str, system: str) -> None:
        assert (settings["host"], slot, system) == ("here", "slot", "74")
        if self._away.pop(0):
            self.done.append("away")
            raise Unreachable("nobody is there")
        self.done.append("dropped")

    async def forget(self, slot: str) -> None:
        error = self._forgetting.pop(0)
        if error is not None:
            self.done.append("not forgotten")
            raise error
        self.done.append("forgotten")
        self.catalog.state = apply(self.catalog.state, (ForgetSlot(slot),))

    async def run(self) -> CatalogState:
        """To its end."""
        with ThreadPoolExecutor(1) as probes:
            slots = LeftSlots(self._clock, Keyring(()), probes)
            self._clock.seen = slots
            slots.begin(self.catalog, self.forget)
            slots.drop(self.catalog.state)
            async with asyncio.timeout(_PATIENCE_S):
                while slots.attempts() or len(asyncio.all_tasks()) > 1:
                    await asyncio.sleep(0)
            assert slots.attempts() == {}
        return self.catalog.state


class _Recorded(SystemClock):
    """Sleeps for nothing, and notes how it stands then."""

    def __init__(self, done: list[str]) -> None:
        self.seen: LeftSlots | None = None
        self._done = done

    async def sleep(self, seconds: float) -> None:
        assert self.seen is not None
        for attempts in self.seen.attempts().values():
            self._done.append(f"{seconds:g} s after {attempts.count}, {attempts.error or attempts.dropped}")


def _ran(monkeypatch: pytest.MonkeyPatch, world: _World) -> CatalogState:
    monkeypatch.setattr(left_slots, "forget_slot", world.forget_slot)
    return asyncio.run(world.run())


def test_it_is_tried_until_it_is_gone_and_looked_for_once_more(monkeypatch: pytest.MonkeyPatch) -> None:
    unknown = SqlError(Sqlstate.STATEMENT_COMPLETION_UNKNOWN, "who knows")
    world = _World([True, True, False, True, False], [unknown, None])
    assert _ran(monkeypatch, world).left_slots == {}
    assert world.done == [
        "away",
        "0.5 s after 1, nobody is there",
        "away",
        "1 s after 2, nobody is there",
        "dropped",
        "20 s after 3, True",
        "away",
        "0.5 s after 1, nobody is there",
        "dropped",
        "not forgotten",
        "0.5 s after 2, True",
        "forgotten",
    ]


def test_another_environment_goes_on_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    world = _World([False, False], [Fenced()])
    assert _ran(monkeypatch, world).left_slots == {"slot": _LEFT}
    assert world.done == ["dropped", "20 s after 1, True", "dropped", "not forgotten"]


def test_a_slot_that_is_forgotten_meanwhile_is_tried_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    world = _World([True], [])

    def then_forgotten(settings: Mapping[str, str], slot: str, system: str) -> None:
        world.catalog.state = apply(world.catalog.state, (ForgetSlot(slot),))
        world.forget_slot(settings, slot, system)

    monkeypatch.setattr(left_slots, "forget_slot", then_forgotten)
    assert asyncio.run(world.run()).left_slots == {}
    assert world.done[:2] == ["away", "0.5 s after 1, nobody is there"] and "dropped" not in world.done
