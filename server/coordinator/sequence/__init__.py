"""The work of each kind of plan, one file a kind; `dispatch` picks the file."""
