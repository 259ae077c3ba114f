"""jsonpath as text.

jsonpath_input   a text to the tree
jsonpath_output  the tree to a text
jsonpath_tokens  the words of a text
"""
