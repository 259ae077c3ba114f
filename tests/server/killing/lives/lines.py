"""Lines of files, and of objects that are written anew with more lines: each is a row, once.

Of objects some are told of over a queue, some of these twice.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import boto3

from tests.server.killing.lives.life import Connection, Life, await_rows, one
from tests.server_process import ServerDatabase

_BUCKET = "lines"
_FILES = 5
_LINES = 200


class Lines(Life):
    """Who writes the same numbers to files of `directory` and to objects at `endpoint`."""

    name = "lines"

    def __init__(self, endpoint: str, directory: Path) -> None:
        session = boto3.session.Session("k", "s", region_name="us-east-1")
        self._s3, self._sqs = (session.client(name, endpoint_url=endpoint) for name in ("s3", "sqs"))
        self._endpoint = endpoint
        self._directory = directory
        self._chance = random.Random(1)
        self._contents: dict[str, bytes] = {}
        self._written = 0
        directory.mkdir()

    def set_up(self, connection: Connection) -> None:
        self._s3.create_bucket(Bucket=_BUCKET)
        told: dict[str, Any] = {"QueueName": _BUCKET, "Attributes": {"VisibilityTimeout": "2"}}
        self._queue = str(self._sqs.create_queue(**told)["QueueUrl"])
        arn = self._sqs.get_queue_attributes(QueueUrl=self._queue, AttributeNames=["QueueArn"])["Attributes"][
            "QueueArn"
        ]
        notified = {"QueueConfigurations": [{"QueueArn": arn, "Events": ["s3:ObjectCreated:*"]}]}
        self._s3.put_bucket_notification_configuration(Bucket=_BUCKET, NotificationConfiguration=notified)
        connection.execute(b"CREATE SECRET key AS 's'")
        options = f"ENDPOINT '{self._endpoint}', ACCESS KEY ID 'k', SECRET ACCESS KEY SECRET key"
        connection.execute(f"CREATE CONNECTION aws TO AWS ({options})".encode())
        objects = f"S3 CONNECTION aws DISCOVER OBJECTS USING BUCKET SCAN '{_BUCKET}', SQS NOTIFICATIONS '{_BUCKET}'"
        files = f"FILES '{self._directory}/*'"
        for name, place, options in (("o", objects, ""), ("f", files, "WITH (SCAN INTERVAL = '20 ms')")):
            connection.execute(f"CREATE SOURCE {name} FROM {place} FORMAT TEXT {options}".encode())
            view = f"CREATE MATERIALIZED VIEW all_{name} AS SELECT count(*) AS n, sum(text::int) AS total FROM {name}"
            connection.execute(view.encode())

    def begin(self, database: ServerDatabase) -> None:
        for _ in range(5):
            self._write()
        with database.connect() as connection:
            for name in ("o", "f"):
                await_rows(connection, f"SELECT n > 0 FROM all_{name}", lambda found: found == [(True,)])

    def watch(self, connection: Connection) -> None:
        self._write()

    def killed(self) -> None:
        self._write()

    def look(self, database: ServerDatabase) -> None:
        whole = (self._written, self._written * (self._written - 1) // 2)
        with database.connect() as connection:
            for name in ("o", "f"):
                await_rows(connection, f"SELECT * FROM all_{name}", lambda found: found == [whole])
                counted = f"SELECT count(DISTINCT text), count(*) FROM {name}"
                assert one(connection, counted) == (self._written, self._written)

    def _write(self) -> None:
        key = f"f{self._chance.randrange(_FILES)}"
        lines = b"".join(b"%d\n" % number for number in range(self._written, self._written + _LINES))
        self._written += _LINES
        with (self._directory / key).open("ab") as file:
            file.write(lines)
        self._contents[key] = self._contents.get(key, b"") + lines
        self._s3.put_object(Bucket=_BUCKET, Key=key, Body=self._contents[key])
        if self._chance.random() < 0.5:
            told = {"bucket": {"name": _BUCKET}, "object": {"key": key}}
            body = json.dumps({"Records": [{"eventName": "ObjectCreated:Put", "s3": told}]})
            self._sqs.send_message(QueueUrl=self._queue, MessageBody=body)
