"""The replica process: from its command line to its end.

start     Java boots first, while Python imports what a replica is made of
main      the process: options, Spark, server
options   the command line, and the place for files
server    sockets, and the loop that carries out instructions
instance  the opened locations, and peeks and dataflows over them
"""
