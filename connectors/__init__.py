"""Other systems, as those that are read from and written to: clients, formats and protocols of each.

sources/        what is read from elsewhere, and which of our times it belongs to; one folder a kind of system
sinks/          collections written to other systems by the materialization protocol; drivers/ has one file a system
aws/            clients of Amazon's services, their settings, and uploads in parts
kafka/          settings of Kafka's clients, and what tries a connection
mysql/          connections to MySQL and MariaDB
redis/          connections to Redis
registry/       schema registries: where one is, what it answers, its schemas
endpoint_probe  tries whether anybody listens at an HTTP endpoint
unreachable     the errors for a system that does not answer, or takes nothing now

Nothing here knows of shards: storage, which stands above, keeps what sources have read and how far sinks are.
"""
