"""What the driver of webhooks posts, what it makes of answers, and how what is posted can be told from others'."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from collections.abc import Iterator
from contextlib import closing

import pytest

from model.backing_off import BackOff
from model.errors import SqlError
from model.timestamp import Timestamp
from storage.sinks.description import Endpoint
from storage.sinks.drivers import webhook
from storage.sinks.drivers.webhook import AUTHORIZATION, SIGNING, WebhookDriver
from storage.sinks.messages import ALL_KEYS, FlushLoads, Open, Opened, Store
from tests.storage.sinks.receiver import Receiver, receiving
from tests.storage.sinks.sessions import DriverSession, RecoveryLog, sink_into

A, B = (1, "a"), (2, "b")
A2 = (1, 'it\'s, "quoted"\n\\ ünï')
_SECRETS = {SIGNING: "s3cret", AUTHORIZATION: "Bearer x"}


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as found:
        yield found


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


@pytest.mark.parametrize("answers", [[503], [500, 502, 429], [408]])
def test_what_may_be_better_later_is_tried_again(receiver: Receiver, answers: list[int]) -> None:
    receiver.answers = answers
    session(receiver, RecoveryLog()).transact([(A, 1)], 10)
    assert receiver.read() == Counter([A])


@pytest.mark.parametrize("answers", [[400], [401], [302], [503] * 4])
def test_what_is_not_taken_is_an_error_with_the_answer(receiver: Receiver, answers: list[int]) -> None:
    receiver.answers = list(answers)
    posting = session(receiver, RecoveryLog())
    with pytest.raises(SqlError, match=rf"did not take documents: HTTP {answers[0]} .*: nothing for you"):
        posting.transact([(A, 1)], 10)
    assert receiver.posts == [] and receiver.answers == []


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
