"""Who comes in, and by which proof."""
