"""Large objects: bytes by oid, read and written in pieces, in a transaction like all else.

calls              the functions: lo_open and its kin, with the transaction's descriptors
files              lo_import and lo_export: files of the server
contents           bytes of objects: pages read, changed in memory, and written into the tables
large_object_rows  the tables of a database that hold its large objects, created with the first
"""
