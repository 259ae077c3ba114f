"""The protocol between the environment and a replica.

dataflow    descriptions of dataflows: imports, objects, exports
command     the environment's commands, each with must, must not and may
response    the replica's responses
measures    figures about dataflows, for a response
codec       values of a closed vocabulary as bytes, and back: never code
vocabulary  the classes of the vocabulary; their fingerprint is the protocol's version
plan_form   a digest of a plan that is equal in every process and version
link_tls    certificates of replicas on other hosts
framing     messages and Arrow payloads on a byte stream, without I/O
siblings    where the replicas of a cluster keep their states
history     the commands so far, reduced to the fewest with the same effect
"""
