"""From text to nodes: layout, clauses, and the words of the language."""
