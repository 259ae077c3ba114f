"""Facts of a state: visible names, defaults, constraints, comments.

visibility         which objects an unqualified name can mean
defaults           DEFAULTs, with sequences named by oid
constraints        constraints of tables and domains
type_texts         types that the texts of tables name
function_texts     functions that the texts of tables name
domain_columns     columns whose values belong to domains
index_definitions  the SQL of an index
shown              guards SQL texts made for display
comments           comments on what users made
temporary_items    finds the items that end with a session
upstream_tables    lists the upstream tables of a source
roles/  decides the rights of roles, without I/O
"""
