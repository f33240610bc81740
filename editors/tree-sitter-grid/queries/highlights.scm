; Written by editors/generate.py: do not edit.
(identifier) @variable
(comment) @comment
(string) @string
(map) @string.special
(statement) @keyword
(rule) @keyword.conditional
(word) @keyword.operator
(constant) @boolean
(builtin) @function.builtin
(number) @number
(operator) @operator
