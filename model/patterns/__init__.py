"""PostgreSQL's regular expressions, matched by automata: never by trying one way after another.

`pattern_options` reads flags, `cases` the tables of letters, `characters` and `brackets` sets of characters, `lexer`
and `pattern_reader` the pattern, which becomes a tree of `syntax`. `automaton` runs such a tree over a text in either
direction; `structure` is the tree that decides which match is preferred, and `dissection` finds by it where the groups
of a match lie. `pattern` puts them together.

escapes        what a backslash and the letters behind it stand for when it is a character
failures       the ways in which a pattern is refused, in PostgreSQL's words
letter_tables  the kinds and cases of characters in C.UTF-8
program        a pattern that is ready to match
scan           a pattern on one text: where it matches, and where parts of it end or begin
"""
