"""What verification reckons with: ranges, what is known at a place, values and tests, what is written to."""
