"""Webhook sources as clients have them: HTTP, checks, decoding, and rows that are written by group commit."""
