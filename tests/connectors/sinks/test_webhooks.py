"""What the driver of webhooks posts, what it makes of answers, and how what is posted can be told from others'."""

from __future__ import annotations

import hashlib
import hmac
import ssl
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from connectors.sinks.messages import ALL_KEYS, FlushLoads, Open, Opened, Store
from connectors.unreachable import EndpointBusy
from connectors.webhook import driver as webhook
from connectors.webhook.driver import AUTHORIZATION, SIGNING, WebhookDriver
from connectors.webhook.endpoint import Endpoint
from model.errors.sql_error import SqlError
from model.time.backing_off import BackOff
from model.time.clock import SystemClock
from model.time.timestamp import Timestamp
from tests.connectors.sinks.receiver import Receiver, receiving
from tests.connectors.sinks.sessions import DriverSession, RecoveryLog, sink_into
from tests.server.tls.authority import Authority

A, B = (1, "a"), (2, "b")
A2 = (1, 'it\'s, "quoted"\n\\ ünï')
_SECRETS = {SIGNING: "s3cret", AUTHORIZATION: "Bearer x"}


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as found:
        yield found


class SetClock(SystemClock):
    """Stands still."""

    def __init__(self, ms: int) -> None:
        self._ms = ms

    def now_ms(self) -> int:
        return self._ms


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webhook, "_BACK_OFF", BackOff(0.001, 0.002))


def session(receiver: Receiver, log: RecoveryLog, *, keyed: bool = True) -> DriverSession:
    place = Endpoint(receiver.url, None, ())
    found = DriverSession(WebhookDriver(place), sink_into(place, keyed=keyed), log, _SECRETS)
    found.acknowledge()
    return found


def test_the_last_word_on_each_key_is_what_the_collection_has(receiver: Receiver) -> None:
    log = RecoveryLog()
    posting = session(receiver, log)
    posting.transact([(A, 1), (B, 1)], 10)
    assert receiver.read() == Counter([A, B])
    posting.transact([(A, -1), (A2, 1), (B, -1)], 20)
    assert receiver.read() == Counter([A2])
    posting.driver.close()
    assert session(receiver, log).position == 20


def test_documents_go_to_an_endpoint_of_https_that_the_machine_trusts_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    authority = Authority(tmp_path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*authority.server())
    with receiving(context=context) as receiver:
        with pytest.raises(SqlError, match="certificate verify failed"):
            session(receiver, RecoveryLog()).transact([(A, 1)], 10)
        assert receiver.posts == []
        monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
        session(receiver, RecoveryLog()).transact([(A, 1)], 10)
        assert receiver.read() == Counter([A])


def test_no_authorities_are_read_for_an_endpoint_of_http(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(ssl, "create_default_context")
    session(receiver, RecoveryLog()).transact([(A, 1)], 10)
    assert receiver.read() == Counter([A])


def test_changes_have_their_times(receiver: Receiver) -> None:
    posting = session(receiver, RecoveryLog(), keyed=False)
    posting.transact([(A, 1), (B, 2)], 10)
    posting.transact([(A, -1)], 20)
    assert receiver.taken == [
        {"k": 1, "v": "a", "mz_timestamp": 9, "mz_diff": 1},
        {"k": 2, "v": "b", "mz_timestamp": 9, "mz_diff": 2},
        {"k": 1, "v": "a", "mz_timestamp": 19, "mz_diff": -1},
    ]


def test_whoever_knows_the_secret_knows_who_posted(receiver: Receiver) -> None:
    posting = session(receiver, RecoveryLog())
    posting.ask(FlushLoads())
    for _ in range(2):
        posting.ask(Store(posting.documents([(A, 1)], 9)))
    (headers, body), (again, same) = receiver.posts
    at, _, signed = headers["Headwater-Signature"].removeprefix("t=").partition(",v1=")
    wanted = hmac.new(b"s3cret", f"{at}.".encode() + body, hashlib.sha256).hexdigest()
    assert signed == wanted and headers["Authorization"] == "Bearer x"
    assert body == same and headers["Idempotency-Key"] == again["Idempotency-Key"]


@pytest.mark.parametrize("answers", [[200, 503], [200, 500, 502, 429], [200, 408]])
def test_what_may_be_better_later_is_tried_again_where_others_of_its_transaction_were_taken(
    receiver: Receiver, answers: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webhook, "_AT_ONCE", 1)
    monkeypatch.setattr(webhook, "_BUSY_S", 0.001)
    receiver.answers = answers
    session(receiver, RecoveryLog()).transact([(A, 1), (B, 1)], 10)
    assert receiver.read() == Counter([A, B]) and receiver.answers == []


@pytest.mark.parametrize("answers", [[400], [401], [302], [503], [500]])
def test_what_is_not_taken_is_an_error_with_the_answer(receiver: Receiver, answers: list[int]) -> None:
    """One that may be better later, too, where nothing was taken: the sink waits, and says why meanwhile."""
    receiver.answers = list(answers)
    posting = session(receiver, RecoveryLog())
    with pytest.raises(SqlError, match=rf"did not take documents: HTTP {answers[0]} .*: nothing for you"):
        posting.transact([(A, 1)], 10)
    assert receiver.posts == [] and receiver.answers == []


@pytest.mark.parametrize(
    ("status", "told", "after_s"),
    [
        (503, "7", 7.0),
        (429, " 120 ", 120.0),
        (429, None, 1.0),
        (503, "0", 1.0),
        (503, "soon", 1.0),
        (503, "-5", 1.0),
        (500, "3", 3.0),
        (503, "9" * 400, 3600.0),
        (503, "Thu, 01 Jan 1970 00:01:40 GMT", 60.0),
        (503, "Thu, 01 Jan 1970 00:00:00 GMT", 1.0),
        (503, "Fri, 31 Dec 9999 23:59:59 GMT", 3600.0),
        (503, "Thu, 99 Jan 1970 00:01:40 GMT", 1.0),
    ],
)
def test_an_endpoint_is_left_alone_as_long_as_it_asks(
    receiver: Receiver, status: int, told: str | None, after_s: float
) -> None:
    receiver.answers, receiver.retry_after = [status], told
    place = Endpoint(receiver.url, None, ())
    driver = WebhookDriver(place, SetClock(40_000))
    posting = DriverSession(driver, sink_into(place, keyed=True), RecoveryLog(), _SECRETS)
    posting.acknowledge()
    with pytest.raises(EndpointBusy) as raised:
        posting.transact([(A, 1)], 10)
    assert raised.value.after_s == after_s and raised.value.hint is not None


def test_a_token_of_a_file_has_no_line_end_and_one_with_a_line_end_within_is_refused_by_name(
    receiver: Receiver,
) -> None:
    place = Endpoint(receiver.url, None, ())
    posting = DriverSession(
        WebhookDriver(place), sink_into(place, keyed=True), RecoveryLog(), {AUTHORIZATION: "Bearer s3cret\n"}
    )
    posting.acknowledge()
    posting.transact([(A, 1)], 10)
    assert receiver.posts[0][0]["Authorization"] == "Bearer s3cret"
    for told in ("Bearer s3\ncret", "Bearer s3cret\x00x", "Bearer s3cr\u0113t"):
        with pytest.raises(SqlError, match="AUTHORIZATION can't be the value of a header") as raised:
            DriverSession(WebhookDriver(place), sink_into(place, keyed=True), RecoveryLog(), {AUTHORIZATION: told})
        assert "s3" not in f"{raised.value} {raised.value.detail}"


def test_nobody_there_is_an_error(receiver: Receiver) -> None:
    receiver.url = "http://127.0.0.1:9/"
    with pytest.raises(SqlError, match="refused"):
        session(receiver, RecoveryLog()).transact([(A, 1)], 10)


@pytest.mark.parametrize(("keyed", "frontier", "partial"), [(True, 0, False), (True, 10, True), (False, 10, False)])
def test_what_may_have_been_posted_of_a_lost_transaction_is_told_as_it_is_now(
    keyed: bool, frontier: int, partial: bool
) -> None:
    place = Endpoint("http://127.0.0.1:9/", None, ())
    with closing(WebhookDriver(place)) as driver:
        request = Open(sink_into(place, keyed=keyed), ALL_KEYS, Timestamp(frontier), {}, {})
        assert [*driver.answer(request)] == [Opened(None, partial=partial)]
