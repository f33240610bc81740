"""Native: the search of states under numba, with the numbers, the order and the chances of Python's."""
