"""TLS: what is shown to clients, what each of them asks for, and what hostile ones can do."""
