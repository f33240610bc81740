"""Programs as functions of JAX arrays: for accelerators, and for training loops that live on them."""
