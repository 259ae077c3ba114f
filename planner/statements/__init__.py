"""How each kind of statement becomes a plan, one file a kind."""
