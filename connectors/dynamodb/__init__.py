"""DynamoDB: tables that are written.

driver  writes documents as items of a table, in portions
items   turns documents into items, and items into documents
"""
