"""Sources: what is read from elsewhere (source: seed 3).

kafka              Kafka brokers: settings of their clients, and whether they answer
schema_registry    a schema registry's answers
unreachable        what is told of a system that does not answer
"""
