"""A topic read through TLS: a proxy that a real broker sends its clients to; certificates that fit, and that don't."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from confluent_kafka import Producer
from confluent_kafka.admin import AdminClient
from confluent_kafka.cimpl import NewTopic

from connectors.kafka.probe import ask_brokers
from connectors.kafka.settings import kafka_settings
from connectors.kafka.source.reader import KafkaReader
from connectors.kafka.topic import KafkaTopic
from connectors.unreachable import Unreachable
from connectors.upstream import VALUE
from model.time.clock import SystemClock
from tests.connectors.sources.kafka.broker_proxy import BrokerProxy, tls_of
from tests.connectors.sources.kafka.certificates import Certificate
from tests.kafka_broker import start_broker

_PATIENCE_S = 30.0


@pytest.fixture(scope="module")
def certificate() -> Certificate:
    return Certificate("127.0.0.1")


@pytest.fixture(scope="module")
def address(certificate: Certificate, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Of a broker behind TLS."""
    proxy = BrokerProxy(tls_of(certificate, tmp_path_factory.mktemp("tls")))
    with start_broker(advertised=proxy.port) as broker:
        proxy.broker_port = int(broker.address.rpartition(":")[2])
        yield f"127.0.0.1:{proxy.port}"
    proxy.close()


def _settings(address: str, authority: Certificate) -> dict[str, str]:
    return kafka_settings({"BROKER": address, "SSL CERTIFICATE AUTHORITY": authority.pem.decode()}, {})


def test_records_come_through_tls(address: str, certificate: Certificate) -> None:
    settings = _settings(address, certificate)
    ask_brokers(settings, _PATIENCE_S)
    admin = AdminClient({**settings})
    (created,) = admin.create_topics([NewTopic("secured", 1, 1)]).values()
    created.result(_PATIENCE_S)
    producer = Producer(settings)
    producer.produce("secured", value=b"a secret", partition=0)
    assert not producer.flush(_PATIENCE_S)
    arrived = threading.Event()
    place = KafkaTopic((), "secured")
    reader = KafkaReader(place, {**settings, "group.id": "headwater"}, SystemClock(), arrived.set)
    reader.begin(reader.beginning())
    while (fetched := reader.take(10, 1 << 20)) is None:
        assert arrived.wait(_PATIENCE_S)
        arrived.clear()
    assert fetched.records.column(VALUE).to_pylist() == [b"a secret"]
    reader.close()


def test_a_certificate_that_nobody_vouches_for_is_a_reason(address: str) -> None:
    with pytest.raises(Unreachable, match="certificate verify failed"):
        ask_brokers(_settings(address, Certificate("127.0.0.1")), _PATIENCE_S)


def test_a_certificate_of_another_server_is_a_reason(tmp_path: Path) -> None:
    elsewhere = Certificate("192.0.2.1")
    proxy = BrokerProxy(tls_of(elsewhere, tmp_path))
    try:
        with pytest.raises(Unreachable, match="certificate verify failed"):
            ask_brokers(_settings(f"127.0.0.1:{proxy.port}", elsewhere), _PATIENCE_S)
    finally:
        proxy.close()
