"""Plans of statements that define things as changes of the catalog; `statements` is the door."""
