"""Tests whether brokers answer, by a request for their metadata with a time limit."""

from __future__ import annotations

import logging
import math
from collections.abc import Mapping
from typing import Any

from confluent_kafka import KafkaError, KafkaException
from confluent_kafka.admin import AdminClient

from connectors.unreachable import Unreachable

SILENT = logging.getLogger("librdkafka.probe")
"""What it has to say is in the errors."""
SILENT.setLevel(logging.CRITICAL + 1)


_ATTEMPT_S = 0.5


def ask_brokers(settings: Mapping[str, str], timeout_s: float) -> None:
    """Raises Unreachable when no broker answers in time, or none accepts the credentials. Blocks: never call this on
    the event loop."""
    heard: list[KafkaError] = []
    try:
        configuration: dict[str, Any] = {**settings, "error_cb": heard.append}
        client = AdminClient(configuration, logger=SILENT)
    except (KafkaException, ValueError) as failure:
        raise Unreachable(_words(failure)) from None
    for left in range(math.ceil(timeout_s / _ATTEMPT_S) - 1, -1, -1):
        try:
            client.list_topics(timeout=_ATTEMPT_S)
        except KafkaException as failure:
            # What brokers said comes apart from the answer, and says more.
            client.poll(0)
            if left and not any(error.code() == KafkaError._ALL_BROKERS_DOWN for error in heard):
                continue
            told = [error.str() for error in heard if error.code() != KafkaError._ALL_BROKERS_DOWN]
            raise Unreachable(told[-1] if told else _words(failure)) from None
        return


def _words(failure: Exception) -> str:
    error = failure.args[0]
    return str(error.str() if isinstance(error, KafkaError) else error)
