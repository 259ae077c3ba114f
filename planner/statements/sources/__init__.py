"""CREATE SOURCE: where records are, what rows become of them."""
