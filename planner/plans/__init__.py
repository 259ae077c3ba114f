"""What a statement becomes, one family of statements a file; `plan` is the union of all."""
