"""DO, and routines in PL/pgSQL: runs blocks in the transaction of the caller.

running    steps, one after the other
variables  the variables of a block, and expressions and statements over them
cursors    OPEN, FETCH, MOVE, CLOSE, and FOR over cursors
parts      assignments to fields and elements; rows given to variables
returning  the rows that the code of a routine returns
raising    RAISE, and which handler an error has
"""
