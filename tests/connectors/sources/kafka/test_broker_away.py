"""A broker that goes away and comes back, while nobody writes to its topic."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest
from confluent_kafka.admin import AdminClient
from confluent_kafka.cimpl import NewTopic

from connectors.gauge import UpstreamFrontier
from connectors.kafka.source.reader import KafkaReader
from connectors.kafka.topic import KafkaTopic
from connectors.upstream import VALUE
from model.errors.sql_error import SqlError
from model.time.clock import SystemClock
from tests.connectors.sources.kafka.broker_proxy import BrokerProxy
from tests.kafka_broker import start_broker

_PATIENCE_S = 60.0


def _until(arrived: threading.Event, holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + _PATIENCE_S
    while not holds():
        assert time.monotonic() < deadline
        arrived.wait(0.1)
        arrived.clear()


def _beginning(reader: KafkaReader) -> UpstreamFrontier:
    """Where it begins, asked again as a source asks: a broker may take its time over a new topic."""
    deadline = time.monotonic() + _PATIENCE_S
    while True:
        try:
            return reader.beginning()
        except SqlError:
            if time.monotonic() > deadline:
                raise


def test_an_idle_source_goes_on_when_its_broker_is_back(capfd: pytest.CaptureFixture[str]) -> None:
    """Nothing comes of the topic by which it could be told, and librdkafka says nothing by itself meanwhile."""
    proxy = BrokerProxy(None)
    settings = {"bootstrap.servers": f"127.0.0.1:{proxy.port}", "reconnect.backoff.max.ms": "200"}
    with start_broker(advertised=proxy.port) as broker:
        proxy.broker_port = int(broker.address.rpartition(":")[2])
        admin = AdminClient({**settings})
        (created,) = admin.create_topics([NewTopic("quiet", 2, 1)]).values()
        created.result(_PATIENCE_S)
        del admin
        arrived = threading.Event()
        # Brokers are asked what partitions there are once an hour: it is not that answer that tells.
        place = KafkaTopic((), "quiet", refresh_ms=3_600_000)
        reader = KafkaReader(place, {**settings, "group.id": "headwater"}, SystemClock(), arrived.set)
        try:
            reader.begin(_beginning(reader))
            _until(arrived, lambda: reader.status().known == {0: 0, 1: 0} and reader.status().trouble is None)
            capfd.readouterr()
            proxy.close()
            _until(arrived, lambda: "refused" in (reader.status().trouble or ""))
            reasons = set()
            for _ in range(20):
                time.sleep(0.1)
                reasons.add(reader.status().trouble)
            assert not [reason for reason in reasons if "(after" in (reason or "")]
            proxy = BrokerProxy(None, proxy.port)
            proxy.broker_port = int(broker.address.rpartition(":")[2])
            _until(arrived, lambda: reader.status().trouble is None)
            assert reader.take(10, 1 << 20) is None
            assert capfd.readouterr().err == ""
            broker.produce("quiet", [(1, None, b"at last")])
            _until(arrived, lambda: bool(reader.status().known.get(1)))
            fetched = reader.take(10, 1 << 20)
            assert fetched is not None and fetched.records.column(VALUE).to_pylist() == [b"at last"]
        finally:
            reader.close()
            proxy.close()
