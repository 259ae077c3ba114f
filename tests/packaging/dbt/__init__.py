"""dbt: a project, what runs dbt's commands in an environment of its own, and what comes of them."""
