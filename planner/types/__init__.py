"""PostgreSQL's type conversion: types by their names, literals, casts, overloads, common types."""
