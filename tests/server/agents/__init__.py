"""Tools for agents, called as agents call them."""
