"""`headwater connector`: what helps those who write programs as destinations of sinks.

program.py   a session with a program, as the server has one
rules.py     what a program has to keep to, a rule a function
check.py     tries all rules on a program, and tells which it keeps
"""
