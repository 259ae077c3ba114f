"""Clients of Amazon's services, or of services that speak their protocols, made from a connection's options."""
