"""Tests of subscriptions apart from the server around them."""
