"""Programs that measure. README.md lists them."""
