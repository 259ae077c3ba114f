"""From SQL text to typed plans.

sql/          parse (PostgreSQL's grammar), resolve names, assign types, plan queries and statements
ir/           the typed relational language that all of Headwater speaks
functions/    one row for each function: signature, type rule, failure modes, meaning
rules/        rewrites, one a file; each keeps the type of the plan
interpret/    the reference interpreter of the IR
plans         what a statement becomes (type_plans, sequence_plans, session_plans)
sequence_rules    what a sequence counts by
catalog_view  all that the planner sees of the catalog
temporary_schema  where a session's temporary relations are, and where its search path has them
explain       plans as text
"""
