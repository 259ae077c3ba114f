"""What the environment and a replica say to each other.

dataflow    what is to be computed from which collections, and where it goes
command     what the environment tells a replica, each with must, must not and may
response    what a replica answers
measures    what dataflows take, in figures, for a response
codec       values of a closed vocabulary as bytes, and back: never code
vocabulary  which classes that vocabulary has; its fingerprint is the protocol's version
framing     messages and Arrow payloads on a byte stream, without I/O
history     the commands so far, reduced to the fewest that have the same effect
"""
