"""Full text search: documents become tsvectors, questions become tsqueries, and queries are held against documents.

dictionaries   lexemes of tokens by a configuration, and none of stop words
documents      to_tsvector: of texts, and of the strings in JSON
headline       the part of a document to show for a query
headline_rows  ts_headline, with its options
matching       whether, and where, a query holds in a document: @@
query_making   to_tsquery, plainto_tsquery, phraseto_tsquery, websearch_to_tsquery
query_rows     the functions and operators of tsquery
ranking        how well a document matches: ts_rank, ts_rank_cd
token_rules    the states and rules of the parser of documents
tokens         cuts documents into tokens
trigram_rows   the functions and operators of the extension pg_trgm
trigrams       similarity of texts by their trigrams
vector_rows    the functions and operators of tsvector
word_rows      functions that take words: of configurations, and from documents and questions
"""
