"""Failures that users may see, as PostgreSQL names them.

sql_error       SqlError: PostgreSQL's fields of a failure
sqlstate        SQLSTATEs by PostgreSQL's names for them
error_sources   where PostgreSQL raises errors whose place clients look at
deep_recursion  room for expressions as deep as PostgreSQL allows
"""
