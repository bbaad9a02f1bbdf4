"""Vaalbara (Olivier Cipiere, 2022) for 2 to 5 seats."""
