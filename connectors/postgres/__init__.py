"""PostgreSQL: tables that are written, and tables of a publication that are read.

connector            describes the system
driver               writes tables of a PostgreSQL database
driver_columns       maps columns of documents to columns of PostgreSQL
probe                connects to a server, and tells why none answers
publication          the place of a source: a publication
settings             turns a connection's options into libpq's
source/              reads the tables of a publication: copied once, then followed by logical replication
stored_publications  publications and their tables as JSON in the catalog's rows
table                a table that a sink writes, as the replica is told of it
"""
