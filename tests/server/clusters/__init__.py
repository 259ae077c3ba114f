"""Clusters and their replicas, as objects of the catalog."""
