"""Casts by the types that they go between; `table` has them all."""
