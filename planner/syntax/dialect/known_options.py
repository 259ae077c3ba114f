"""The options of each kind of source, by the words in front of them, as the systems describe themselves; those that
statements about any system share; and those of generators.

A kind that isn't listed takes any options, which are checked when the statement is planned.
"""

from __future__ import annotations

from connectors.systems import SOURCES

_GENERATED = ("TICK INTERVAL", "SEED", "AS OF", "UP TO")

CONNECTION_CONDITIONS = ("VALIDATE",)

UPSTREAM_OPTIONS = {of.name: of.options for of in SOURCES.values() if of.options is not None}
ADDRESS_OPTIONS = {of.name: of.address_options for of in SOURCES.values() if of.address_options is not None}
GENERATOR_OPTIONS: dict[str, tuple[str, ...]] = {
    "COUNTER": (*_GENERATED, "MAX CARDINALITY"),
    "AUCTION": _GENERATED,
    "TPCH": (*_GENERATED, "SCALE FACTOR"),
    "MARKETING": _GENERATED,
    "KEY VALUE": (*_GENERATED, "KEYS", "SNAPSHOT ROUNDS", "VALUE SIZE", "PARTITIONS", "BATCH SIZE"),
    "NEXMARK": (*_GENERATED, "BATCH SIZE"),
}
SOURCE_OPTIONS = (
    "RETAIN HISTORY",
    "TIMESTAMP INTERVAL",
    "DECODING ERRORS",
    "KEY DECODING ERRORS",
    "VALUE DECODING ERRORS",
    "MAX BINDING RECORDS",
    "MAX BINDING BYTES",
    "SCAN",
    "SCAN INTERVAL",
    "CHANGED OBJECTS",
)
TABLE_OPTIONS = ("RETAIN HISTORY", "DECODING ERRORS", "KEY DECODING ERRORS", "VALUE DECODING ERRORS")
REFERENCE_OPTIONS = ("REFERENCE", "TEXT COLUMNS", "WIDE COLUMNS")
SINK_OPTIONS = ("MAX AGE", "MAX SIZE", "SNAPSHOT", "REDUCE", "PARALLELISM")
ALTERED_SINK_OPTIONS = ("PARALLELISM",)
SCHEMA_OPTIONS = ("CONFLUENT WIRE FORMAT",)
ENVELOPE_OPTIONS: dict[str, tuple[str, ...]] = {
    "NONE": (),
    "UPSERT": ("VALUE DECODING ERRORS",),
    "DEBEZIUM": ("TRANSACTION METADATA", "VALUE DECODING ERRORS"),
}
