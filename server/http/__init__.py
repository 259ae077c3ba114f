"""HTTP/1.1 without a thought of what is asked: a socket, its connections, and what these may hold together.

connection  one client: its requests one after the other, each within limits of size and time
exchange    one request under way, as its handler sees it; routes from paths to handlers
heads       refuses heads of requests that two readers may take for different requests (RFC 9112, 2.2)
limits      how much a client over HTTP may ask for
request     a request's head, and a whole answer
server      the server: sockets, connections, their common limits
"""
