"""CMA-ES: minimising a noisy function of some dozens of numbers, given only its values at points that are asked for."""

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]


class Evolution:
    """The (mu/mu_w, lambda)-CMA-ES with the default settings of N. Hansen's tutorial (arXiv:1604.00772).

    Ask for a population of points, tell their values (less is better), repeat; `mean` is the answer.
    """

    def __init__(self, mean: Vector, sigma: float, population: int, seed: int) -> None:
        n, parents = len(mean), population // 2
        self.mean, self.sigma, self.population = mean.astype(np.float64), sigma, population
        self._dice = np.random.default_rng(seed)
        weights = np.log((population + 1) / 2) - np.log(np.arange(1, parents + 1))
        self._weights = weights / weights.sum()
        mass = 1 / (self._weights**2).sum()
        self._mass = mass
        self._c_path = (4 + mass / n) / (n + 4 + 2 * mass / n)
        self._c_sigma = (mass + 2) / (n + mass + 5)
        self._c_one = 2 / ((n + 1.3) ** 2 + mass)
        self._c_mean = min(1 - self._c_one, 2 * (mass - 2 + 1 / mass) / ((n + 2) ** 2 + mass))
        self._damping = 1 + 2 * max(0.0, np.sqrt((mass - 1) / (n + 1)) - 1) + self._c_sigma
        self._expected = np.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n))
        self._path, self._sigma_path, self._covariance = np.zeros(n), np.zeros(n), np.eye(n)
        self._generation = 0
        self._steps = np.zeros((population, n))

    def ask(self) -> Vector:
        """(population, n): the points of the next generation."""
        values, self._axes = np.linalg.eigh(self._covariance)
        self._lengths = np.sqrt(np.maximum(values, 1e-20))
        normal = self._dice.standard_normal((self.population, len(self.mean)))
        self._steps = (normal * self._lengths) @ self._axes.T
        return self.mean + self.sigma * self._steps

    def tell(self, values: Vector) -> None:
        """The values of the points that were asked for, in their order."""
        best = self._steps[np.argsort(values, kind="stable")[: len(self._weights)]]
        step = self._weights @ best
        self._generation += 1
        self.mean = self.mean + self.sigma * step
        white = self._axes @ ((self._axes.T @ step) / self._lengths)
        c = self._c_sigma
        self._sigma_path = (1 - c) * self._sigma_path + np.sqrt(c * (2 - c) * self._mass) * white
        length = np.linalg.norm(self._sigma_path)
        n = len(self.mean)
        short = length / np.sqrt(1 - (1 - c) ** (2 * self._generation)) < (1.4 + 2 / (n + 1)) * self._expected
        c = self._c_path
        self._path = (1 - c) * self._path + short * np.sqrt(c * (2 - c) * self._mass) * step
        old = 1 - self._c_one - self._c_mean + (not short) * self._c_one * c * (2 - c)
        rank_one = self._c_one * np.outer(self._path, self._path)
        self._covariance = old * self._covariance + rank_one + self._c_mean * (best.T * self._weights) @ best
        self.sigma *= float(np.exp(self._c_sigma / self._damping * (length / self._expected - 1)))
