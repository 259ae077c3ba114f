"""Where statements are evaluated that read no table."""
