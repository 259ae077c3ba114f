"""Statements about the session: settings, transactions, prepared statements, cursors, locks."""
