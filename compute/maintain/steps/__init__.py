"""The operators that views are maintained with, one a file: what a step means, what it reads and arranges, and how
EXPLAIN says it. They are plans alone: what each does in a tick is the stage of the same name in `stages/`."""
