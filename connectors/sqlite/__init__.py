"""SQLite: tables that are written.

driver  writes tables of a database, which is a file of the server
"""
