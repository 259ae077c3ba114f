"""Large objects: by functions, by the protocol's own message, in transactions, after kill -9."""
