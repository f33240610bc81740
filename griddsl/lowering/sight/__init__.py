"""What is seen: observations, info, and what pictures show."""
