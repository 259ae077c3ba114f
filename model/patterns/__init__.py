"""PostgreSQL's regular expressions, matched by automata: never by trying one way after another.

`options` reads flags, `cases` the tables of letters, `characters` and `brackets` sets of characters, `lexer` and
`reader` the pattern, which becomes a tree of `syntax`. `automaton` runs such a tree over a text in either direction;
`structure` is the tree that decides which match is preferred, and `dissection` finds by it where the groups of a match
lie. `pattern` puts them together.
"""
