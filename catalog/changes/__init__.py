"""Changes of the catalog, and the next state that they make.

change          the closed union of changes
apply           apply(state, changes): the next state, or PostgreSQL's error
auditing        what was done to the catalog, in the words of mz_audit_events
table_changes   columns and checks of tables
policies        row security of tables
composites      ALTER TYPE … ATTRIBUTE
retyped_column  ALTER COLUMN … TYPE
enums           labels of enumerated types
domains         domains and their constraints
commenting      comments
clusters        clusters and their replicas
drops           what goes with what is dropped, in PostgreSQL's order and words
functions       which users' functions there may be, and what CREATE OR REPLACE may change of one
moving          items that come into another schema, with what belongs to them
references      the objects that a definition needs, which may be gone
replace_view    what CREATE OR REPLACE may change of a view
read_holds      named read holds
restored        the catalog of a system that was restored from a backup
temporary       the relations of one session; which changes nobody else can notice
roles/  changes of roles, memberships, owners and privileges; and which changes of the catalog a role may make
"""
