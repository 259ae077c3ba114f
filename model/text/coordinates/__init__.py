"""Values of several numbers in text.

embeddings  vectors
shapes      points, boxes, segments and circles
"""
