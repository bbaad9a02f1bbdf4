"""The public Python face of fairdeal."""
