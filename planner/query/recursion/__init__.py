"""WITH RECURSIVE and WITH MUTUALLY RECURSIVE.

recursive_table   WITH RECURSIVE: a fixpoint over the rows added last
mutual_recursion  WITH MUTUALLY RECURSIVE: queries with declared columns, each of which may read any of them
recursion_checks  where a recursive query may name itself
search_cycle      SEARCH and CYCLE: columns that each row passes on
"""
