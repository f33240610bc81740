"""Questions that an editor asks of a text: one file each."""
