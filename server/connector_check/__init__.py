"""`headwater connector`: checks programs that users write as destinations of sinks.

program.py   a session with a program, like the server's
rules.py     the rules for programs, a function each
check.py     tries all rules on a program, and reports the result of each
"""
