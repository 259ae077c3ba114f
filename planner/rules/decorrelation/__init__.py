"""Decorrelation, the rule that makes joins of subqueries and lateral inputs: `decorrelate` is its door.

frame            the rows outside a relation, and references to outer rows inside
matched          a correlated relation as an uncorrelated one and a condition
lateral          a lateral join as one join
lift_subqueries  subqueries in expressions as joins
guarded_lift     subqueries guarded by CASE, COALESCE, AND and OR
failing          fallible expressions, not to be evaluated for rows that nobody asks for
local_ids        fresh names for relations read several times
"""
