"""What is known of a program before it is walked: what functions read and write, which slots pass."""
