"""Durable time-varying collections and the seed's commands over them (source: seed 2, "Storage").

persist/       shards on a consensus store and a blob store: append, read, compact, collect garbage
backup/        a whole system at one moment, in a place of its own
seed_commands  Create, SubscribeAt, UpdateAndDowngrade, AcquireCapabilities, and the others over capabilities
controller     the collections that there are, their frontiers, and durable changes of them
reads          holds, snapshots and changes of collections
collection     one collection as the controller holds it
maintenance    leases, retention, compaction and garbage, in rounds
capabilities   pure rules of held capabilities
holds          volatile read holds of statements
source_progress how far a source is bound, as rows that users read
subscription   a snapshot and then the updates, with progress
"""
