"""Lines at column 0 that are no statement: what was probably meant, by their words and by their whole wording."""
