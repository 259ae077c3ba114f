"""Sinks: collections written to other systems by the materialization protocol (source: seed 1).

messages       what a runtime and a driver say to each other
ordering       who may say what when, without I/O
driver         what a driver is
recovery_log   how far a sink is, durably, and what its driver remembers
documents      updates as documents: one a key
drivers/       one file a destination
avro_messages      documents as Avro: the schema of their rows, and their bytes (source: the Avro specification, 1.12)
description        the description of a sink that a replica gets
destination_probe  asks a destination, before a sink is made, whether the table that stands there fits it
lake_columns       documents as tables of data lakes have them (Delta Lake, Iceberg), and back
message_parts      turns documents into the keys and values of messages, per envelope
open_driver        opens drivers by the kind of their place: the only list of kinds of drivers
plain_columns      turns documents into columns that other programs read, named as in the collection
plain_parquet      writes rows to a Parquet file that other programs read
reduction          documents that a transaction's changes are reduced into: the protocol's standard mode (source
registered_schema  registers the schemas of messages in a schema registry
"""
