"""The syntax of expressions to typed scalars, one family of constructs a file; `planner` dispatches."""
