"""Records to rows. A record that can't be decoded is a row with an error, or none: see `DecodingErrors`."""
