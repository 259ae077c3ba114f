"""Items as the statements that would make them."""
