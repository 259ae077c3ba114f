"""Other systems, to read from and to write to: a room for each, and the rooms for what all systems share.

systems          lists the systems, a line for each
system           describes a system: the connections, and what sinks may write
client_settings  turns a connection's options into the settings of a client
option_values    checks the values of options, and brings them into their standard form
open_upstream    opens upstreams by the kind of their place: the only list of kinds
unreachable      the errors for a system that does not answer, or takes nothing now
sources/         shared by all sources: records, bounds, transactions, formats
sinks/           shared by all sinks: the materialization protocol, documents, messages, fences
aws/             clients of Amazon's services, their settings, and uploads in parts
delta/           tables of Delta Lake, which are written
dynamodb/        tables of DynamoDB, which are written
files/           files of the server and objects of buckets, which are read and written
generators/      load generators, which compute what is read
iceberg/         tables of Apache Iceberg, which are written
kafka/           topics of Kafka, which are read and written
kinesis/         streams of Amazon Kinesis, which are read
mysql/           tables of MySQL and MariaDB, which are written
postgres/        tables of PostgreSQL, which are read and written
program/         programs of users, which write what they are told
pubnub/          channels of PubNub, which are read
redis/           keys and streams of Redis, which are written
registry/        schema registries: where one is, what it answers, its schemas
sqlite/          tables of SQLite, which are written
webhook/         HTTP endpoints, which documents are posted to

Nothing here knows of shards: storage, which stands above, keeps what sources have read and how far sinks are.
"""
