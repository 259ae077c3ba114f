"""The catalog as rows of its shard, and its states over time.

rows              a state as rows, one an object, and back
source_rows       sources as JSON in these rows
constraint_rows   foreign keys and the rules of keys as JSON in these rows
cluster_rows      clusters in these rows
function_rows  users' functions as JSON in these rows
policy_rows  row security of tables as JSON in these rows
migrations/       older forms of the rows to the present one
history           the states over time, for reads AS OF
range_rows       range types of users
role_rows  memberships, access control lists and settings of roles as rows of the catalog (see durable), and back
"""
