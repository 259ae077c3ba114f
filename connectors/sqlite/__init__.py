"""SQLite: tables that are written.

connector  describes the system
driver     writes tables of a database, which is a file of the server
"""
