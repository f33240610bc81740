"""What is drawn: names for values and things, random values, and the shares by which they are drawn."""
