"""Lets the C library keep the memory that a recogniser frees, instead of handing it back after every turn."""

from __future__ import annotations

import ctypes
from functools import cache

ARENA_MAX, MMAP_MAX, TRIM_THRESHOLD = -8, -4, -1
"""Parameters of glibc's mallopt: number of arenas, of blocks mapped singly, and bytes of free memory that are too many."""
NEVER = 2**31 - 1


@cache
def keep_freed_memory() -> bool:
    """Keep freed memory in this process, once and for all; False where the C library is not glibc and nothing was done.

    Whisper allocates and frees some hundred megabytes for every turn. Getting them anew from the system each time costs a
    hundred thousand page faults and a fifth of all its time; the most memory that is ever held stays the same. Not a byte of
    what any engine puts out depends on it.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is None:
        return False
    return all(mallopt(parameter, value) == 1 for parameter, value in ((ARENA_MAX, 1), (MMAP_MAX, 0), (TRIM_THRESHOLD, NEVER)))
