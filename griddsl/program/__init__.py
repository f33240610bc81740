"""The waist of the pipeline: a small typed program, printable as plain Python."""
