"""COPY with files and objects."""
