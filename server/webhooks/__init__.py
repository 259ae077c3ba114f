"""Webhook sources as clients have them: checks, decoding, and rows that are written by group commit.

checking    whether a request passes its source's check
decoding    the rows that a request's body holds
evaluating  where a request's check and body are evaluated
receiving   a request becomes rows of its source, durable before it is answered
request     the source that a request names by its path
"""
