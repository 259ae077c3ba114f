"""Texts to PostgreSQL's syntax trees, and what our own grammar adds around them.

parse, grammar        the door, and PostgreSQL's own grammar; nesting   how deep a text may be, judged from its tokens
segments, …_clauses   our clauses inside and around PostgreSQL's statements, cut out in place
"""
