"""From a validated spec to a program: names resolved, types checked, rules laid out in the order of the step."""
