"""Work that is done once in a process, also when the first to ask for it are several threads."""

import threading
from collections.abc import Callable
from functools import cache, wraps
from typing import Any, ParamSpec, TypeVar

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def once(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """Decorate a function to be called once for each of its (hashable) arguments, with its result kept.

    `functools.cache` alone lets threads that ask at the same time all call it; what registers something must not.
    """
    kept: Callable[..., Result] = cache(function)
    one_at_a_time = threading.RLock()  # a function may need itself for another argument

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Result:
        with one_at_a_time:
            return kept(*args, **kwargs)

    return call
