"""From SQL text to typed plans, in floors: each folder imports only those below it.

statements/   one file for each kind of statement
query/        queries to relations: FROM, WHERE, GROUP BY, windows, set operations, recursion
expressions/  syntax of expressions to typed scalars, one family of constructs a file
types/        PostgreSQL's type conversion: type names, literals, casts, overloads, common types
scope/        the state of planning: names, bindings, settings
explain       plans as text
plans/        plans of statements, one family of statements a file
syntax/       text to syntax trees: PostgreSQL's grammar, and our own around it
rules/        rewrites, one a file; each keeps the type of the plan
interpret/    the reference interpreter of the IR
functions/    one row for each function: signature, type rule, failure modes, meaning
ir/           the typed relational language that all of Headwater speaks

Server and catalog speak the language of plans (plans, ir, functions, interpret). Other rooms are entered by doors:

syntax.parse               a text to its statements
syntax.secret_texts        a text without the values of secrets
syntax.string_escapes      a text with standard strings only
syntax.renamed_text        a text with relations renamed, after ALTER … RENAME
scope.system_columns        the columns that every table has beside its own, such as xmin
syntax.statement_identity  one text for all statements that differ in constants alone
statements.plan_statement  a statement to its plan
statements.functions.block_reading  code in PL/pgSQL to its steps
statements.kept_rules      CHECK, DEFAULT, keys and domains, which the catalog keeps as text, to expressions
statements.changes.implied_conditions  the partial indexes that ON CONFLICT means
statements.changes.simple_view  views that can be written to, by their texts
statements.session.scanned_rows rows of tables behind the rows of cursors
rules.inline_views         views in a plan by their queries
rules.pipeline             a plan to a plan for execution, or for maintenance
explain                    a plan to text

Every floor, and every room above, may look at five small files: catalog_view (all that the planner sees of the
catalog), temporary_schema (where a session's temporary relations are), sequence_rules (what a sequence counts by),
function_rules (what a user's function is) and privileges (what may be granted).
"""
