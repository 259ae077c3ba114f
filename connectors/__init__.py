"""Other systems, to read from and to write to: a room for each system, and rooms shared by all systems.

systems          lists the systems, a line for each
system           describes a system: the connections, and the kinds of sources and sinks
gauge            tells how far a source has come: a whole number for each partition
upstream         the interface of a system that is read
source_clauses   the clauses of CREATE SOURCE, as systems ask for them
client_settings  turns a connection's options into the settings of a client
http             asks over HTTP: the one client of all systems
option_values    checks the values of options, and brings them into their standard form
unreachable      the errors for a system that does not answer, or takes nothing now
sources/         shared by all sources: records, bounds, transactions, formats
sinks/           shared by all sinks: the materialization protocol, documents, messages, fences
aws/             clients of Amazon's services, their settings, and uploads in parts
delta/           writes tables of Delta Lake
dynamodb/        writes tables of DynamoDB
files/           reads and writes files of the server and objects of buckets
generators/      load generators, which compute rows
iceberg/         writes tables of Apache Iceberg
kafka/           reads and writes topics of Kafka
kinesis/         reads streams of Amazon Kinesis
mysql/           writes tables of MySQL and MariaDB
opensearch/      writes indices of OpenSearch
postgres/        reads and writes tables of PostgreSQL
program/         sends documents to programs of users
pubnub/          reads channels of PubNub
redis/           writes keys and streams of Redis
registry/        schema registries: addresses, requests, schemas
sqlite/          writes tables of SQLite
webhook/         posts documents to HTTP endpoints

Nothing here knows of shards: storage, which stands above, keeps the records read by sources and the progress of sinks.
"""
