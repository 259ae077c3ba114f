"""An application of Django's: customers and their orders."""
