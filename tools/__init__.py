"""Programs for developers; none of them is part of an installed Headwater."""
