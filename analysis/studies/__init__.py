"""Studies: they simulate and analyse."""
