"""Where people write: a language server; one file a question that an editor asks."""
