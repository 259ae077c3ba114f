"""Prepared statements, portals and cursors.

holdings   all that a session holds by name
portals    prepared statements and portals
cursor     a place among a query's rows
kept_rows  rows that a cursor may come back to
"""
