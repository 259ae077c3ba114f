"""The history of clients that append to lists on a running server, whose shards are compacted all the while, is
strictly serializable: on a server in memory, whose compaction never rests, and on a real one.

`--history-transactions N` makes it of N transactions instead of CI's few.
"""

from __future__ import annotations

import os
import random
import threading
import time
from pathlib import Path

import pytest

from tests.histories.clients import SETUP, Lists, Server
from tests.histories.list_append import anomalies
from tests.server.memory_server import memory_server
from tests.server_process import start_server
from tests.simulation.compacting import compaction_that_never_rests

_CLIENTS = 6
_SEED = int(os.environ.get("HEADWATER_HISTORY_SEED", "1"))


@pytest.mark.time_by("--history-transactions", 1)
def test_the_history_of_a_server_in_memory_has_an_order(request: pytest.FixtureRequest) -> None:
    with compaction_that_never_rests(_SEED, every_s=0.1), memory_server() as server:
        _make_a_history(server, int(request.config.getoption("--history-transactions")))


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.time_by("--history-transactions", 1)
def test_the_history_of_a_real_server_has_an_order(request: pytest.FixtureRequest, tmp_path: Path) -> None:
    server = start_server(tmp_path)
    try:
        _make_a_history(server, int(request.config.getoption("--history-transactions")))
    finally:
        server.stop()


def _make_a_history(server: Server, transactions: int) -> None:
    lists, source = Lists(transactions), random.Random(_SEED)
    with server.connect() as connection:
        for statement in SETUP:
            connection.execute(statement.encode())
    clients = [threading.Thread(target=lists.work, args=(server, source.randrange(2**32))) for _ in range(_CLIENTS)]
    begun = time.monotonic()
    for client in clients:
        client.start()
    for client in clients:
        client.join()
    took = time.monotonic() - begun
    lists.read_all(server)
    refused = sum(done.committed is False for done in lists.history)
    print(f"{lists.committed} transactions in {took:.0f} s, {refused} refused; HEADWATER_HISTORY_SEED={_SEED}")
    assert lists.committed >= lists.goal
    assert anomalies(lists.history) == []
