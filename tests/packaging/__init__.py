"""Headwater as it is shipped: the wheel, the image's recipe, the compose file."""
