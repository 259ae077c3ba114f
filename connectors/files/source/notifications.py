"""Receives notifications of new objects of a bucket from a queue: sent by the bucket itself, through a topic, or by an
event bus.

A message is deleted when everything it announces is done. One that is not deleted is delivered again, to any reader: so
a notification may arrive more than once, and in any order.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote_plus

from connectors.aws.clients import AwsFailure, aws_client

_WAIT_S = 1
_MESSAGES, _MESSAGES_MAX = 10, 1_000
_CREATED = ("ObjectCreated:", "s3:ObjectCreated:")


@dataclass(frozen=True, slots=True)
class Notified:
    """An object that was announced."""

    bucket: str
    key: str


@dataclass(slots=True)
class _Message:
    receipt: str
    pending: set[Notified] = field(default_factory=set)


class Notifications:
    """The notifications of a queue, given by name or address. `trouble` describes a message that can't be read; it
    stays in the queue."""

    def __init__(self, settings: Mapping[str, str], queue: str) -> None:
        self._settings = settings
        self._queue = queue
        self._client: Any = None
        self._url = ""
        self._messages: dict[str, _Message] = {}
        self.trouble: str | None = None

    def receive(self) -> list[Notified]:
        """Returns the objects announced by new messages; waits up to a second for one. Raises OSError when the queue
        does not answer."""
        if len(self._messages) >= _MESSAGES_MAX:
            return []
        try:
            answer = self._sqs().receive_message(
                QueueUrl=self._url, MaxNumberOfMessages=_MESSAGES, WaitTimeSeconds=_WAIT_S
            )
        except AwsFailure as failure:
            raise self._failed(failure) from None
        told: list[Notified] = []
        for message in answer.get("Messages", ()):
            found = notified_of(message["Body"])
            if found is None:
                self.trouble = f'queue "{self._queue}" has a message that is no notification of a bucket'
                continue
            # Who gets a message again gets another receipt, and only the last one counts.
            self._messages[message["MessageId"]] = _Message(message["ReceiptHandle"], set(found))
            told += found
        return list(dict.fromkeys(told))

    def done(self, notified: Notified) -> None:
        """Marks an announced object as done: read durably, or never to be read."""
        for message in self._messages.values():
            message.pending.discard(notified)

    def forget_done(self) -> None:
        """Deletes the messages of which all is done. Raises OSError when the queue does not answer."""
        done = [(name, message.receipt) for name, message in self._messages.items() if not message.pending]
        for begin in range(0, len(done), _MESSAGES):
            some = done[begin : begin + _MESSAGES]
            entries = [{"Id": str(at), "ReceiptHandle": receipt} for at, (_, receipt) in enumerate(some)]
            try:
                # One that can't be deleted comes again.
                self._sqs().delete_message_batch(QueueUrl=self._url, Entries=entries)
            except AwsFailure as failure:
                raise self._failed(failure) from None
            for name, _ in some:
                del self._messages[name]

    def _sqs(self) -> Any:
        if self._client is None:
            client = aws_client("sqs", self._settings)
            is_address = self._queue.startswith(("http://", "https://"))
            self._url = self._queue if is_address else client.get_queue_url(QueueName=self._queue)["QueueUrl"]
            self._client = client
        return self._client

    def _failed(self, failure: Exception) -> OSError:
        """Turns an exception into OSError, and drops the client, since its credentials may have ended."""
        self._client = None
        return OSError(f'queue "{self._queue}": {" ".join(str(failure).split())}')


def notified_of(body: str) -> tuple[Notified, ...] | None:
    """Returns the objects that a message announces; None when it is no notification."""
    try:
        return tuple(_objects(json.loads(body)))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def _objects(told: Any) -> Iterator[Notified]:
    if "Message" in told and "Records" not in told:
        # A topic hands on what the bucket has told it, as a text.
        told = json.loads(told["Message"])
    if told.get("Event") == "s3:TestEvent":
        return
    if "detail" in told:
        if told["detail-type"] == "Object Created":
            yield Notified(str(told["detail"]["bucket"]["name"]), str(told["detail"]["object"]["key"]))
        return
    for record in told["Records"]:
        if str(record["eventName"]).startswith(_CREATED):
            yield Notified(str(record["s3"]["bucket"]["name"]), unquote_plus(str(record["s3"]["object"]["key"])))
