"""DO: runs blocks of PL/pgSQL, in the transaction of the caller.

running    steps, one after the other
variables  the variables of a block, and expressions and statements over them
raising    RAISE, and which handler an error has
"""
