"""Streams of Kinesis on moto, in threads of the tests' own process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import boto3

from tests.amazon import run_amazon


@contextmanager
def running_kinesis() -> Iterator[tuple[str, Any]]:
    """Its endpoint, and a client of it."""
    with run_amazon() as endpoint:
        login = {"aws_access_key_id": "k", "aws_secret_access_key": "s"}
        yield (
            endpoint,
            boto3.session.Session().client("kinesis", endpoint_url=endpoint, region_name="us-east-1", **login),
        )


def put_texts(kinesis: Any, stream: str, *texts: str) -> list[dict[str, Any]]:
    """A record of each, and where it is; the partition key is `p` and its number."""
    put = [{"Data": text.encode(), "PartitionKey": f"p{number}"} for number, text in enumerate(texts)]
    answered: list[dict[str, Any]] = kinesis.put_records(StreamName=stream, Records=put)["Records"]
    return answered
