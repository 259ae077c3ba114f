"""MySQL and MariaDB: tables that are written.

mysql_columns      maps columns of documents to columns of MySQL, and documents to literals of MySQL's SQL
mysql_connections  opens sessions with a server, all alike whatever the server's defaults are
connector          describes the system
driver             writes tables of a server
settings           turns a connection's options into settings of a session
table              a table that a sink writes, as the replica is told of it
"""
