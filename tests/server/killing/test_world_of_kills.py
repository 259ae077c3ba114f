"""kill -9 of one server on which much lives at once (`lives/`): sequences, subscriptions, sources of lines, COPY and a
replication slot that was left.

The server is killed, and its replica taken over; then both are. Each life has its own invariant, which is asked after
each start. What writes as much as a server takes, is killed by itself: `test_kill_rounds.py`, `sources/test_kills.py`,
`sinks/test_kills.py`.

`--kill-rounds N` kills N - 1 times more, whatever is drawn.
"""

from __future__ import annotations

import json
import os
import random
import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.connectors.sources.postgres.upstream import upstream_database
from tests.judge import Judge
from tests.server.killing.lives.consumers import Consumers
from tests.server.killing.lives.copies import Copies
from tests.server.killing.lives.left_slot import LeftSlot
from tests.server.killing.lives.life import Connection, Life
from tests.server.killing.lives.lines import Lines
from tests.server.killing.lives.sequences import Sequences
from tests.server_process import ServerDatabase, start_server

_VICTIMS = ("server", "replica and server")
_NO_HISTORY = ("--retain-history-ms", "0")
_PATIENCE_S = 180.0


@pytest.fixture
def lives(tmp_path: Path, judge: Judge, amazon: str) -> Iterator[list[Life]]:
    with upstream_database(judge, "away") as away:
        yield [
            # The longer its upstream is away, the longer it is not asked again: it is looked at first.
            LeftSlot(away),
            Sequences(),
            Consumers(),
            Lines(amazon, tmp_path / "in"),
            Copies(amazon, tmp_path / "copied", tmp_path / "data"),
        ]


class _World:
    """The server that runs, and what lives on it."""

    def __init__(self, data_dir: Path, lives: list[Life]) -> None:
        self.server = start_server(data_dir, *_NO_HISTORY)
        self._data_dir = data_dir
        self._lives = lives

    def set_up(self) -> None:
        for life in self._lives:
            with self.server.connect() as connection:
                connection.execute(f"CREATE DATABASE {life.name}".encode())
            with self._database(life).connect() as connection:
                life.set_up(connection)

    def begin(self) -> None:
        for life in self._lives:
            life.begin(self._database(life))

    def watch_until(self, moment: float) -> None:
        """Looks at each life once at least, and until all have something to lose."""
        latest = time.monotonic() + _PATIENCE_S
        with self._connections() as connections:
            watched = False
            while not watched or time.monotonic() < moment or not all(life.has_lived for life in self._lives):
                assert time.monotonic() < latest, [life.name for life in self._lives if not life.has_lived]
                for life, connection in zip(self._lives, connections, strict=True):
                    life.watch(connection)
                watched = True

    def kill(self, victims: str) -> None:
        """Kills processes, and starts the server again."""
        for life in self._lives:
            life.doomed()
        if "replica" in victims:
            os.kill(int(json.loads((self._data_dir / "replica.json").read_text())["pid"]), signal.SIGKILL)
        self.server.kill()
        for life in self._lives:
            life.killed()
        self.server = start_server(self._data_dir, *_NO_HISTORY)

    def look(self) -> None:
        """Nobody writes any more; then each life looks at what it has."""
        for life in self._lives:
            life.end()
        for life in self._lives:
            life.look(self._database(life))

    def end(self) -> None:
        try:
            for life in self._lives:
                life.end()
        finally:
            self.server.stop()

    def _database(self, life: Life) -> ServerDatabase:
        return ServerDatabase(self.server, life.name)

    @contextmanager
    def _connections(self) -> Iterator[list[Connection]]:
        with ExitStack() as stack:
            yield [stack.enter_context(self._database(life).connect()) for life in self._lives]


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.time_by("--kill-rounds", 300)
def test_what_lives_on_a_server_outlives_its_kills(
    request: pytest.FixtureRequest, lives: list[Life], tmp_path: Path
) -> None:
    more = int(request.config.getoption("--kill-rounds")) - 1
    seed = int(os.environ.get("HEADWATER_KILL_SEED", "1"))
    print(f"HEADWATER_KILL_SEED={seed}")
    chance = random.Random(seed)
    world = _World(tmp_path / "data", lives)
    try:
        world.set_up()
        for victims in (*_VICTIMS, *(chance.choice(_VICTIMS) for _ in range(more))):
            world.begin()
            world.watch_until(time.monotonic() + chance.uniform(0.2, 2.0))
            world.kill(victims)
            world.look()
            print(f"killed {victims}", flush=True)
    finally:
        world.end()
