"""Records to rows. A record that can't be decoded is a row with an error, or none: see `DecodingErrors`.

avro            decodes Avro: a record's fields, by the schema of its writer and the source's own (the reader's)
avro_defaults   converts the defaults in a reader's schema to the values that decoding gives
changed_rows    rows of a data collection that come as changes of a table
csv_rows        decodes CSV: each record is one line with a given number of fields; every field is text
debezium        Debezium's JSON: what a change has made of a row (ENVELOPE DEBEZIUM), and of which transaction it is
formats         the bytes of a key or a value as datums, format by format
framing         Confluent's wire format: the number of the writer's schema stands before the value
keyed_rows      turns records into rows by key (ENVELOPE UPSERT, and DEBEZIUM)
loaded_changes  loads the values of Debezium's records as dicts and lists, in any format
protobuf        decodes Protocol Buffers: a message's fields, by the protobuf library
records         decodes the keys and values of records; keeps the errors of those that can't be decoded
schema_fields   decodes keys and values that a schema describes: one file per language of schemas
"""
