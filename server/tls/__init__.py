"""TLS for all connections: certificates, the protocol without I/O, and its connection to sockets.

files        certificate, key and authorities, read from their files and read again while connections come
session      one connection's TLS, bytes in and bytes out
transport    between a socket and whoever speaks through it
self_signed  a certificate and its key, made where nobody else signs one
"""
