"""What commits take away is there."""
