"""Lisboa: numbers as arguments. Given a literal, a kernel is compiled once more, for that number alone."""

import numpy as np

ZERO, SINGLE, MINUS = np.int64(0), np.int64(1), np.int64(-1)
TOP = np.bool_(True)  # a card for the upper half of a portfolio
