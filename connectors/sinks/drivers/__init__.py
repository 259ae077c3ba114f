"""Drivers of sinks, one file a destination.

bucket            objects of a bucket: uploaded in parts, which nobody sees, and completed when the log names them
connector         runs a program as a driver
delta             a table of Delta Lake, in a directory of the server's or in a bucket
directory         files in a directory of the server's
dynamodb          writes documents as items of a table of DynamoDB, in portions
dynamodb_items    documents as items of DynamoDB, and items as documents
fences            checkpoints and fences of sinks, for any destination that commits them together with the rows
file_store        the interface of a store of files of changes
file_writer       writes one file of changes, in a format that other programs read
files             writes files of changes, each visible only when complete
iceberg           writes a table of Apache Iceberg in a directory of the server
iceberg_commits   Iceberg's commits that pyiceberg makes in another way
kafka             a topic of Kafka: each transaction is one of Kafka's, with how far the sink is in it
lake_driver       the base of drivers of lake tables
message_encoding  encodes documents as messages, in the formats that the sink names
mysql             writes tables of a MySQL or MariaDB server
mysql_columns     maps columns of documents to columns of MySQL, and documents to literals of MySQL's SQL
postgres          writes tables of a PostgreSQL database
postgres_columns  maps columns of documents to columns of PostgreSQL
redis             writes hashes or a stream of a Redis server
redis_pieces      cuts documents into pieces, which scripts in the server take apart; and holds the scripts
sqlite            writes tables of a SQLite database
table_driver      the base of drivers of tables
webhook           posts documents to an HTTP endpoint, which cannot take them back
"""
