"""Grid environments: importing this registers them with Gymnasium, and so does importing griddsl alone."""

import griddsl  # noqa: F401
