"""Functions of json and jsonb, jsonpath, and what SQL/JSON's grammar writes."""
