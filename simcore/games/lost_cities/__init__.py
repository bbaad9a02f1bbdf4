"""Lost Cities (Reiner Knizia, 1999) for two."""
