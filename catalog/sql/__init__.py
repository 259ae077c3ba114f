"""Items as the statements that would make them.

definitions  CREATE statements of all kinds of items
function_sql  the SQL of users' functions
sink_sql     CREATE SINK
webhook_sql  CREATE SOURCE FROM WEBHOOK
"""
