"""Statements about views, what keeps them, and who follows them: indexes, materialized views, SUBSCRIBE, read holds."""
