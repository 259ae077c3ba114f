"""Secrets: encrypts their values for the catalog, with keys that are kept elsewhere.

keyring    AES-GCM under keys that have names; pure
key_file   the file that keeps the keys, outside the data directory
stored     secrets of the catalog: made, read, and brought to the newest key
"""
