"""Who may reach what of the machine, and what the server leaves to others."""
