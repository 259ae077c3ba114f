"""Full text search: documents become tsvectors, questions become tsqueries, and one is held against the other.

dictionaries   what a configuration makes of a token: a lexeme, or nothing of a stop word
documents      to_tsvector: of texts, and of the strings in JSON
matching       whether, and where, a document has what a query asks for: @@
query_making   to_tsquery, plainto_tsquery, phraseto_tsquery, websearch_to_tsquery
query_rows     the functions and operators of tsquery
token_rules    the states and rules of the parser of documents
tokens         cuts documents into tokens
vector_rows    the functions and operators of tsvector
word_rows      functions that take words: of configurations, and from documents and questions
"""
