"""Statements that change rows: INSERT, UPDATE, DELETE, COPY, and what they share."""
