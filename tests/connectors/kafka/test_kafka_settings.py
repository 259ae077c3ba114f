"""Options of a connection as librdkafka's settings: each is one that it knows, and what it needs is there."""

from __future__ import annotations

import logging
import ssl
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from confluent_kafka import Producer

from connectors.kafka.probe import ask_brokers
from connectors.kafka.settings import kafka_settings
from connectors.registry.answers import ask_registry
from connectors.unreachable import Unreachable
from model.ids.global_id import GlobalId
from tests.connectors.sources.kafka.certificates import Certificate

SECRET, KEY = GlobalId.user(1), GlobalId.user(2)


@pytest.fixture(scope="module")
def broker() -> Iterator[str]:
    silent = logging.getLogger("librdkafka.mock")
    silent.setLevel(logging.CRITICAL + 1)
    producer = Producer({"test.mock.num.brokers": 1}, logger=silent)
    (found,) = producer.list_topics(timeout=60).brokers.values()
    yield f"{found.host}:{found.port}"
    producer.flush()


def test_brokers_are_listed_and_secrets_put_in_their_places() -> None:
    options: dict[str, str | tuple[str, ...] | GlobalId] = {
        "BROKERS": ("a:1", "b:2"),
        "SECURITY PROTOCOL": "SASL_PLAINTEXT",
        "SASL MECHANISMS": "SCRAM-SHA-256",
        "SASL USERNAME": "u",
        "SASL PASSWORD": SECRET,
    }
    assert kafka_settings(options, {SECRET: "p,w=\n"}) == {
        "bootstrap.servers": "a:1,b:2",
        "security.protocol": "sasl_plaintext",
        "sasl.mechanisms": "SCRAM-SHA-256",
        "sasl.username": "u",
        "sasl.password": "p,w=\n",
    }


def test_brokers_that_answer_are_reached(broker: str) -> None:
    ask_brokers(kafka_settings({"BROKER": broker}, {}), 10)


def test_librdkafka_takes_every_setting_and_says_why_it_fails(broker: str) -> None:
    certificate = Certificate("127.0.0.1")
    options: dict[str, str | tuple[str, ...] | GlobalId] = {
        "BROKER": broker,
        "SASL MECHANISMS": "PLAIN",
        "SASL USERNAME": "u",
        "SASL PASSWORD": SECRET,
        "SSL CERTIFICATE AUTHORITY": certificate.pem.decode(),
        "SSL CERTIFICATE": certificate.pem.decode(),
        "SSL KEY": KEY,
    }
    with pytest.raises(Unreachable, match=r"(?i)ssl.handshake"):
        ask_brokers(kafka_settings(options, {SECRET: "p", KEY: certificate.key_pem.decode()}), 2)


def test_settings_that_cannot_be_are_a_reason_too(broker: str) -> None:
    with pytest.raises(Unreachable, match="PEM"):
        ask_brokers(kafka_settings({"BROKER": broker, "SSL CERTIFICATE AUTHORITY": "no"}, {}), 2)


class _Registry(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        status = 307 if self.path == "/away" else 200 if "Authorization" in self.headers else 401
        self.send_response(status)
        if status == 307:
            self.send_header("Location", "/subjects")
        self.end_headers()
        self.wfile.write(str(self.headers["Authorization"]).encode())

    def log_message(self, *_arguments: object) -> None:
        pass


@pytest.fixture
def registry(request: pytest.FixtureRequest) -> Iterator[str]:
    """Its URL; it answers who has logged in."""
    server = HTTPServer(("127.0.0.1", 0), _Registry)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_registry_is_asked_with_its_login(registry: str) -> None:
    assert ask_registry(registry, ("u", "p"), None, "subjects", 10) == b"Basic dTpw"
    with pytest.raises(Unreachable, match="401"):
        ask_registry(registry, None, None, "subjects", 10)


def test_a_login_goes_nowhere_else(registry: str) -> None:
    with pytest.raises(Unreachable, match="307"):
        ask_registry(registry, ("u", "p"), None, "away", 10)


def test_an_authority_that_is_no_certificate_is_a_reason(registry: str) -> None:
    assert issubclass(ssl.SSLError, OSError)
    with pytest.raises(Unreachable):
        ask_registry(registry, None, "no certificate", "subjects", 10)
