"""HTTP/1.1 without a thought of the requests' subjects: sockets, connections, and common limits.

connection  one client: requests one after the other, each within limits of size and time
exchange    one request under way, as a handler sees the request; routes from paths to handlers
heads       refuses heads of requests that two readers may take for different requests (RFC 9112, 2.2)
limits      how much a client over HTTP may ask for
repeated    knows the head of a connection's last request again
request     a request's head, and a whole answer
server      sockets, connections, common limits
switched    a connection that has left HTTP for another protocol
web_socket  messages of a WebSocket over such a connection
"""
