"""The operators by which views are maintained, one a file: meaning, inputs, arrangements, and words for EXPLAIN.
Steps are plans alone: the work in a tick is done by the stage of the same name in `stages/`."""
