"""Sources and sinks as plain data, for all packages.

files            files that are read as a source
records          a record's key, value and metadata, and the formats of these
record_schemas   the columns that a schema of keys or values makes
avro_schema      Avro schemas as columns
protobuf_schema  Protocol Buffers schemas as columns
generators       load generators and their tables
publications     what a PostgreSQL server publishes
webhooks         what becomes of requests to a webhook source
connections      the options of connections: texts, and the secrets that hold texts
sinks            where sinks write to, and how their transactions close
"""
