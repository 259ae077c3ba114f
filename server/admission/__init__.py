"""Who comes in, and by which proof: rules in the form of PostgreSQL's pg_hba.conf.

rules      what a rule is, and which one is an attempt's
rule_file  text to rules, with what is wrong in it line by line; kept_rules: the file, read again while clients come
owner      whose process it is that has connected, by what the system tells of sockets
attempts   how long who has failed waits
places     how many clients there may be who have proven who they are
refusals   tells the log who was refused
gate       what is asked of somebody who has connected: puts the others together
rule_rows  rules as pg_hba_file_rules shows them
"""
