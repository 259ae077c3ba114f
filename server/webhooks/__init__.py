"""Webhook sources as clients have them: HTTP, checks, decoding, and rows that are written by group commit.

checking         whether a request passes its source's check
evaluating       where a request's check and body are evaluated
heads            refuses heads of requests that two readers may take for different requests (RFC 9112, 2.2
http_connection  one client over HTTP/1.1: its requests one after the other, each within bounds of size and time
http_server      HTTP for webhook sources: a socket, its connections, and what these may hold together
limits           how much a client over HTTP may ask for
receiving        a request becomes rows of its source, durable before it is answered
request          a request to a webhook source as it came, and what it is answered
"""
