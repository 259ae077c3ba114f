"""Other systems, as those that are read from and written to: a room for each, and what they have in common.

sources/       what all sources have in common: records, bounds, transactions, formats
sinks/         what all sinks have in common: the materialization protocol, documents, messages, fences
aws/           clients of Amazon's services, their settings, and uploads in parts
delta/         tables of Delta Lake, which are written
dynamodb/      tables of DynamoDB, which are written
files/         files of the server and objects of buckets, which are read and written
generators/    load generators, which compute what is read
iceberg/       tables of Apache Iceberg, which are written
kafka/         topics of Kafka, which are read and written
kinesis/       streams of Amazon Kinesis, which are read
mysql/         tables of MySQL and MariaDB, which are written
postgres/      tables of PostgreSQL, which are read and written
program/       programs of users, which write what they are told
pubnub/        channels of PubNub, which are read
redis/         keys and streams of Redis, which are written
registry/      schema registries: where one is, what it answers, its schemas
sqlite/        tables of SQLite, which are written
webhook/       HTTP endpoints, which documents are posted to
unreachable    the errors for a system that does not answer, or takes nothing now

Nothing here knows of shards: storage, which stands above, keeps what sources have read and how far sinks are.
"""
