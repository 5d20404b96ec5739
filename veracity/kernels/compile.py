"""Loops that run as plain Python on tiny input and compiled on the rest."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, update_wrapper
from typing import Any

import numpy as np

Array = Any  # loops take arrays of any kind
PLAIN_BELOW = 5_000  # elements: below this, compiling would take longer than the loop itself


class Kernel:
    """One loop. Both ways run the same lines, so they give the same numbers: to the last digit, or up to rounding where
    sums may be taken in any order, which lets a processor take several at once.
    """

    def __init__(self, function: Callable[..., Any], any_order: bool = False) -> None:
        self.function = function
        self.loose = {"reassoc", "contract"} if any_order else False
        update_wrapper(self, function)

    def __call__(self, *arguments: Any) -> Any:
        size = sum(a.size for a in arguments if isinstance(a, np.ndarray))
        return self.function(*arguments) if size < PLAIN_BELOW else self.compiled(*arguments)

    @cached_property
    def compiled(self) -> Callable[..., Any]:
        """The machine code, kept on disk between runs."""
        from numba import njit  # a third of a second, so only when it pays

        compile_it = njit(cache=True, nogil=True, error_model="numpy", fastmath=self.loose)
        function: Callable[..., Any] = compile_it(self.function)
        return function


def kernel(function: Callable[..., Any]) -> Kernel:
    """Make a loop a kernel."""
    return Kernel(function)


def kernel_in_any_order(function: Callable[..., Any]) -> Kernel:
    """Make a loop a kernel whose sums round as the processor likes, the same way each time."""
    return Kernel(function, any_order=True)
