"""Webhook sources as clients have them: checks, decoding, and rows that are written by group commit.

checking    checks a request by its source's CHECK
decoding    a request's body to rows
evaluating  the process in which a request's check and body are evaluated
receiving   a request becomes rows of its source, durable before it is answered
request     the source that a request names by its path
"""
