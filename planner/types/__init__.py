"""PostgreSQL's type conversion: types by their names, literals, casts, overloads, common types.

bound_relations    replaces relations named in an expression by oids, so that renames don't matter
categories         type categories and preferred types (pg_type.typcategory and typispreferred)
coercion           casts that PostgreSQL applies by itself, or on request
comparability      types that can be compared
domains            values as values of a domain
function_table     the function table for name resolution: rows by SQL name, casts by pair of types
object_names       names in reg* constants, read while planning
polymorphic_routines  users' functions of anyelement and its kin, settled by each call
resolution         chooses the function of an overloaded name or operator by argument types
session_arguments  calls of functions that read the session
set_order          ORDER BY of a query whose only columns are its results: UNION and its kin, VALUES
type_names         type names in SQL to types, modifiers included
"""
