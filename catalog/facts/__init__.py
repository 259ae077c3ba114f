"""Facts of a state: visible names, defaults, constraints, comments.

visibility         which objects an unqualified name can mean
defaults           DEFAULTs, which name sequences by oid
constraints        constraints of tables and domains
domain_columns     columns whose values belong to domains
index_definitions  the SQL of an index
shown              guards SQL texts that are made to be shown
comments           comments on what users made
temporary_items    which items end with their session
upstream_tables    which of upstream's tables a source follows
roles/  decides the rights of roles, without I/O
"""
