"""Lisboa (Vital Lacerda, 2017) for 2 to 4 seats."""
