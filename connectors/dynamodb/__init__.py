"""DynamoDB: tables that are written.

connector  describes the system
driver     writes documents as items of a table, in portions
items      turns documents into items, and items into documents
table      a table that a sink writes, as the replica is told of it
"""
