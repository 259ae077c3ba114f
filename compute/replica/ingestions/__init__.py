"""Sources, ingested: read from upstream, bound to a time, written, all in one step.

decoded_rows      turns what was read into updates of collections, and keeps the state of keys
grouped_shards    the shards of several sources bound together: one compare-and-set writes the bindings of all
held_rows         checks, before a binding, that collections hold the old rows that upstream's changes retract
ingestion         one source, or several that are bound together, run
joining           collections added to an existing source, or to be read anew
joining_members   the joining collections of all sources that are bound together
keyed_state       the rows of a data collection by key
measuring         reports the measures of an ingestion from time to time
opened_reader     the reader of upstream: opened with secrets, at one place at a time
pending_binding   the next binding: read and decoded, or staged by tasks, and not yet durable
range_rows        turns a range of upstream into updates of a data collection
ranges/           upstream far beyond the bound: cut into ranges that tasks read, decode and stage
reclocked_shards  the shards of one source, written together or not at all
tally             counts an ingestion's results as its bindings become durable
writer_schemas    the schemas with which a source's records were written: fetched from registries as records name them
"""
