"""What nothing is called: names, values and functions that were probably meant by a word."""
