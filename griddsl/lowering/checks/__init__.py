"""What is legal and surely unmeant: checks, each a function of the world that adds to the report."""
