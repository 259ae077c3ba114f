"""What each kind of plan does, one file a kind; `dispatch` picks it."""
