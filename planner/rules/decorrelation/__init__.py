"""Decorrelation, the rule that makes joins of subqueries and lateral inputs: `decorrelate` is its door.

frame            the rows outside a relation, and how expressions inside refer to them
matched          a correlated relation as an uncorrelated one and a condition
lateral          a lateral join as one join
lift_subqueries  subqueries in expressions as joins
guarded_lift     what CASE, COALESCE, AND and OR keep from being evaluated
failing          what may fail, and so may not be evaluated for rows that nobody asks for
local_ids        fresh names for what is read several times
"""
