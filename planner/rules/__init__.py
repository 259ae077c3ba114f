"""Rewrites of relations; each keeps the columns and the meaning. `pipeline` puts them in order.

inline_views       views by their queries
inline_subqueries  subqueries that read no rows by what they select
guard_filtered     arguments of aggregates behind their FILTER, where they could fail
keep_decimals      what rounds by what rounds less, in queries of constants
fold_constants     expressions of constants by their values
raise_constants    (no rewrite) where a statement fails since constants do
decorrelation      subqueries and lateral inputs by joins
decimals           numerics' decimals by columns of their own, for dataflows
push_filters       conditions toward the data, and into joins
order_joins        inner joins without needless crossing
prune_columns      columns that nobody reads
"""
