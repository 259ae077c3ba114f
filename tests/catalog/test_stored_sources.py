"""Sources in catalogs of earlier versions: their rows are read as the sources that they were, and are never rewritten.

The JSON here was written by earlier versions. A change of the JSON's words would leave stored catalogs unreadable, and
a row that is written otherwise than it stands could not be retracted.
"""

from __future__ import annotations

from typing import Any

import pytest

from catalog.durable.source_rows import source_of, source_value
from connectors.systems import SOURCES
from model.types.relation_desc import ColumnDesc, RelationDesc
from model.types.scalar_type import TEXT

_DESC = RelationDesc((ColumnDesc("text", TEXT),))
_TEXTS: dict[str, Any] = {
    "envelope": "none",
    "key": None,
    "key_errors": "fail",
    "metadata": [],
    "value": "text",
    "value_errors": "fail",
}
_TABLES: dict[str, Any] = {"table": None}
_FILES: dict[str, Any] = {
    "pattern": "/data/*.txt",
    "framing": "text lines",
    "header": False,
    "columns": None,
    "compression": "gzip",
    "interval_ms": 3_000,
    "once": True,
    "changes_ignored": True,
    "fields": (),
    "delimiter": ",",
}
_KAFKA: dict[str, Any] = {
    "connection": "u2",
    "settings": [],
    "topic": "t",
    "start": [[0, 5], [1, 7]],
    "start_ms": -7_000,
    "group_prefix": "p-",
    "refresh_ms": 1_000,
    "identity": ["127.0.0.1:9092", "id of the topic"],
}
_RECORDS: dict[str, tuple[str, dict[str, Any], dict[str, Any]]] = {
    "Kafka by a connection": ("kafka", _KAFKA, _TEXTS),
    "Kafka by brokers": (
        "kafka",
        {**_KAFKA, "connection": None, "settings": [["bootstrap.servers", "h:1"]], "identity": None},
        _TEXTS,
    ),
    "Kinesis": ("kinesis", {"connection": "u2", "stream": "s"}, _TEXTS),
    "PubNub": ("pubnub", {"origin": "https://ps.pndsn.com", "key": "k", "channel": "c"}, _TEXTS),
    "PostgreSQL": (
        "postgres",
        {
            "connection": "u2",
            "name": "p",
            "slot": "headwater_0123456789abcdef",
            "system": ["74", 1],
            "tables": [],
        },
        _TABLES,
    ),
    "generator": (
        "generator",
        {"kind": "counter", "tick_ms": 1_000, "seed": 3, "options": [["MAX CARDINALITY", 5]]},
        _TABLES,
    ),
    "files": ("files", _FILES, _TEXTS),
    "objects": (
        "objects",
        {"connection": "u2", "bucket": "b", "queue": None, "files": {**_FILES, "framing": "lines"}},
        _TEXTS,
    ),
}


def _row(word: str, records: dict[str, Any], encoding: dict[str, Any]) -> dict[str, Any]:
    return {
        "kind": "source",
        word: records,
        "encoding": encoding,
        "interval_ms": 1_000,
        "binding_max": [10, None],
        "retain_history_ms": None,
        "rest": ["FROM …"],
        "transactions": None,
    }


@pytest.mark.parametrize("records", _RECORDS.values(), ids=_RECORDS)
def test_a_stored_source_is_written_as_it_was_read(records: tuple[str, dict[str, Any], dict[str, Any]]) -> None:
    row = _row(*records)
    source = source_of(row, _DESC)
    assert _plain(source_value(source)) == _plain(row)


def _plain(value: Any) -> Any:
    """Lists and tuples are one in JSON."""
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, list | tuple) else value


def test_a_source_of_each_system_was_stored() -> None:
    stored = {source_of(_row(*records), _DESC).system.name for records in _RECORDS.values()}
    assert stored == set(SOURCES)


def test_what_the_first_versions_did_not_write_has_its_default() -> None:
    topic = source_of(_row("kafka", {"connection": None, "settings": [], "topic": "t", "start": []}, _TEXTS), _DESC)
    assert topic == source_of(
        _row(
            "kafka",
            {
                **_KAFKA,
                "connection": None,
                "start": [],
                "start_ms": None,
                "group_prefix": "",
                "refresh_ms": None,
                "identity": None,
            },
            _TEXTS,
        ),
        _DESC,
    )
    files = {"pattern": "/x", "framing": "lines", "columns": None}
    assert source_of(_row("files", files, _TEXTS), _DESC).system is SOURCES["FILES"]
