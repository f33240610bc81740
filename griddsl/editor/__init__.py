"""Where people write: a language server; `questions` answers, one file a question that an editor asks."""
