"""JSON as PostgreSQL reads and writes it, its order, and the syntax tree of jsonpaths.

json_text    JSON texts to values and back
json_errors  what is wrong with a text, in PostgreSQL's words
quick_jsonb  jsonb of plain texts by the C decoder
json_order   jsonb values as bytes that compare as the values do
jsonpath     the syntax tree of a jsonpath
"""
