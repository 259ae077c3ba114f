"""Tests of secrets, and of the key that they are under."""
