"""Delta Lake: tables that are written.

driver  writes a table in a directory of the server, or in a bucket
"""
