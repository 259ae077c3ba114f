"""A topic read by who has a password: SASL's PLAIN, with TLS and without, by a proxy that a real broker sends to."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest
from confluent_kafka import Producer

from connectors.kafka.identity import TopicIdentity
from connectors.kafka.probe import ask_brokers
from connectors.kafka.settings import kafka_login, kafka_settings
from connectors.kafka.source.reader import KafkaReader
from connectors.kafka.topic import KafkaTopic
from connectors.unreachable import Unreachable
from connectors.upstream import VALUE
from model.ids.global_id import GlobalId
from model.time.clock import SystemClock
from tests.connectors.sources.kafka.broker_proxy import SaslProxy, tls_of
from tests.connectors.sources.kafka.certificates import Certificate
from tests.kafka_broker import KafkaBroker, start_broker

_PATIENCE_S = 30.0
_PASSWORD = GlobalId.user(7)


class _Guarded:
    """A broker whose topic `guarded` has a record, and what its clients come by."""

    def __init__(self, proxy: SaslProxy, broker: KafkaBroker, certificate: Certificate | None) -> None:
        self.proxy = proxy
        self._certificate = certificate
        proxy.broker_port = int(broker.address.rpartition(":")[2])

    def settings(self, user: str, password: str, mechanism: str = "PLAIN") -> dict[str, str]:
        """As a connection's options make them."""
        options: dict[str, str | GlobalId] = {
            "BROKER": f"127.0.0.1:{self.proxy.port}",
            "SASL MECHANISMS": mechanism,
            "SASL USERNAME": user,
            "SASL PASSWORD": _PASSWORD,
        }
        if self._certificate is not None:
            options["SSL CERTIFICATE AUTHORITY"] = self._certificate.pem.decode()
        else:
            options["SECURITY PROTOCOL"] = "SASL_PLAINTEXT"
        _, hidden = kafka_login({**options})
        assert dict(hidden) == {"sasl.password": _PASSWORD}
        return kafka_settings({**options}, {_PASSWORD: password})


@pytest.fixture(scope="module", params=["SASL_PLAINTEXT", "SASL_SSL"])
def guarded(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[_Guarded]:
    certificate = Certificate("127.0.0.1") if request.param == "SASL_SSL" else None
    tls = None if certificate is None else tls_of(certificate, tmp_path_factory.mktemp("sasl"))
    proxy = SaslProxy({"alice": "a secret"}, tls)
    with start_broker(advertised=proxy.port) as broker:
        told = _Guarded(proxy, broker, certificate)
        _tell(told.settings("alice", "a secret"), b"first")
        yield told
    proxy.close()


def _tell(settings: dict[str, str], value: bytes) -> None:
    producer = Producer(settings)
    producer.produce("guarded", value=value)
    assert not producer.flush(_PATIENCE_S)


def test_who_has_the_password_reads_and_writes(guarded: _Guarded) -> None:
    settings = guarded.settings("alice", "a secret")
    ask_brokers(settings, _PATIENCE_S)
    _tell(settings, b"told")
    topic_id = TopicIdentity(settings, "guarded").now(_PATIENCE_S)
    assert topic_id is not None
    arrived = threading.Event()
    place = KafkaTopic((), "guarded", identity=("", topic_id))
    reader = KafkaReader(place, {**settings, "group.id": "headwater"}, SystemClock(), arrived.set)
    reader.begin(reader.beginning())
    read: list[bytes] = []
    while len(read) < 2:
        if (fetched := reader.take(10, 1 << 20)) is None:
            assert arrived.wait(_PATIENCE_S)
            arrived.clear()
        else:
            read += fetched.records.column(VALUE).to_pylist()
    assert sorted(read) == [b"first", b"told"]
    reader.close()


@pytest.mark.parametrize(
    ("user", "password", "mechanism", "why"),
    [
        ("alice", "another", "PLAIN", "Authentication failed: Invalid username or password"),
        ("eve", "a secret", "PLAIN", "Authentication failed: Invalid username or password"),
        ("alice", "a secret", "SCRAM-SHA-256", "mechanism handshake failed.*supported mechanisms: PLAIN"),
    ],
)
def test_who_has_not_is_told_why(guarded: _Guarded, user: str, password: str, mechanism: str, why: str) -> None:
    with pytest.raises(Unreachable, match=why) as told:
        ask_brokers(guarded.settings(user, password, mechanism), _PATIENCE_S)
    assert password not in str(told.value)


def test_who_does_not_say_who_it_is_is_not_let_in(guarded: _Guarded) -> None:
    with pytest.raises(Unreachable):
        ask_brokers({"bootstrap.servers": f"127.0.0.1:{guarded.proxy.port}"}, 3.0)


def test_a_password_that_is_no_longer_right_is_trouble_and_no_end(guarded: _Guarded) -> None:
    """Connections that are there stay; the source's status says why there is no other, and it goes on by itself."""
    settings = guarded.settings("alice", "a secret")
    guarded.proxy.users["alice"] = "changed"
    reader = KafkaReader(KafkaTopic((), "guarded"), {**settings, "group.id": "headwater"}, SystemClock(), lambda: None)
    try:
        reader.begin({})
        deadline = time.monotonic() + _PATIENCE_S
        while "Authentication failed" not in (reader.status().trouble or ""):
            assert time.monotonic() < deadline, reader.status()
            time.sleep(0.05)
        guarded.proxy.users["alice"] = "a secret"
        while reader.take(10, 1 << 20) is None:
            assert time.monotonic() < deadline + _PATIENCE_S, reader.status()
            time.sleep(0.05)
        assert reader.status().trouble is None
    finally:
        guarded.proxy.users["alice"] = "a secret"
        reader.close()
