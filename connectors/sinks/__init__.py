"""What all sinks have in common: collections written to other systems by the materialization protocol (source: seed 1).

avro_messages      documents as Avro: the schema of their rows, and their bytes (source: the Avro specification, 1.12)
clauses            the clauses of CREATE SINK, as the destination's system asks for them
description        the description of a sink that a replica gets
destination_probe  asks a destination, before a sink is made, whether the table that stands there fits it
documents          makes documents of updates: one a key
driver             the interface of a driver, which speaks with one kind of destination
fences             checkpoints and fences of sinks, for any destination that commits them together with the rows
lake_columns       documents as tables of data lakes have them (Delta Lake, Iceberg), and back
lake_driver        the base of drivers of lake tables
message_parts      turns documents into the keys and values of messages, per envelope
messages           the messages between a runtime and a driver
ordering           decides who may say what when, without I/O
plain_columns      turns documents into columns that other programs read, named as in the collection
plain_parquet      writes rows to a Parquet file that other programs read
recovery_log       keeps durably how far a sink is, and what its driver remembers
reduction          reduces a transaction's changes into documents that add up: the protocol's standard mode
table_driver       the base of drivers of tables
"""
