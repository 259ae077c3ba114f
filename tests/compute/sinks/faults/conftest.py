"""What every trial of a sink under faults has: small transactions, and a broker for those that write to it."""

from __future__ import annotations

import pytest

from compute.replica.sinks import input_updates, sink_runner
from tests.kafka_broker import run_broker

broker = pytest.fixture(scope="module")(run_broker)


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A transaction takes several messages, and several files; ended sessions are not waited for."""
    for module in (input_updates, sink_runner):
        monkeypatch.setattr(module, "STORE_ROWS", 2)
    monkeypatch.setattr("connectors.kafka.driver._ABORT_S", 0.2)
    monkeypatch.setattr("connectors.sqlite.driver._BUSY_S", 0.2)
