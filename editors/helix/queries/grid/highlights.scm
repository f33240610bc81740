; Written by editors/generate.py: do not edit.
(identifier) @variable
(comment) @comment
(string) @string
(map) @string.special
(statement) @keyword
(rule) @keyword.control.conditional
(word) @keyword.operator
(constant) @constant.builtin.boolean
(builtin) @function.builtin
(number) @constant.numeric
(operator) @operator
