"""Decides who comes in, and by which proof: rules in the form of PostgreSQL's pg_hba.conf.

rules      a rule, and the choice of the rule for an attempt
rule_file  text to rules, with errors by line; kept_rules: the file, read again while clients come
owner      the user whose process has connected, by the system's tables of sockets
attempts   delays of logins after failed logins
places     the number of authenticated clients, and its limit
refusals   reports refused clients to the log
gate       all questions to a new client, in order: puts the other modules together
rule_rows  rules as pg_hba_file_rules shows them
"""
