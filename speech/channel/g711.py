"""G.711: 16-bit samples to 8-bit logarithmic codes and back, in pure integers."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

LAWS = ("mulaw", "alaw")


@lru_cache(maxsize=len(LAWS))
def round_trip(law: str) -> NDArray[np.int16]:
    """What each 16-bit value, from -32768 up, comes back as after a pass through `mulaw` or `alaw`, shape (65536,)."""
    every = np.arange(-32768, 32768).astype(np.int16)
    table = mu_law_decode(mu_law_encode(every)) if law == "mulaw" else a_law_decode(a_law_encode(every))
    table.setflags(write=False)
    return table


def mu_law_encode(pcm: NDArray[np.int16]) -> NDArray[np.uint8]:
    """The 8-bit mu-law code of every 16-bit sample."""
    wide = pcm.astype(np.int32)
    magnitude = np.minimum(np.abs(wide), 32635) + 0x84
    exponent = np.floor(np.log2(magnitude)).astype(np.int32) - 7
    mantissa = (magnitude >> (exponent + 3)) & 0x0F
    sign = np.where(wide < 0, 0x80, 0)
    codes: NDArray[np.uint8] = (~(sign | (exponent << 4) | mantissa) & 0xFF).astype(np.uint8)
    return codes


def mu_law_decode(codes: NDArray[np.uint8]) -> NDArray[np.int16]:
    """The 16-bit sample of every mu-law code."""
    bits = ~codes.astype(np.int32) & 0xFF
    magnitude = ((((bits & 0x0F) << 3) + 0x84) << ((bits >> 4) & 7)) - 0x84
    return np.where(bits & 0x80, -magnitude, magnitude).astype(np.int16)


def a_law_encode(pcm: NDArray[np.int16]) -> NDArray[np.uint8]:
    """The 8-bit A-law code of every 16-bit sample; even bits inverted, as on the wire."""
    wide = pcm.astype(np.int32) >> 3
    magnitude = np.where(wide < 0, ~wide, wide)
    segment = np.maximum(np.floor(np.log2(np.maximum(magnitude, 1))).astype(np.int32) - 4, 0)
    mantissa = (magnitude >> np.maximum(segment, 1)) & 0x0F
    sign = np.where(wide < 0, 0, 0x80)
    codes: NDArray[np.uint8] = ((sign | (segment << 4) | mantissa) ^ 0x55).astype(np.uint8)
    return codes


def a_law_decode(codes: NDArray[np.uint8]) -> NDArray[np.int16]:
    """The 16-bit sample of every A-law code."""
    bits = codes.astype(np.int32) ^ 0x55
    segment = (bits >> 4) & 7
    linear = ((bits & 0x0F) << 4) + np.where(segment > 0, 0x108, 8)
    magnitude = linear << np.maximum(segment - 1, 0)
    samples: NDArray[np.int16] = np.where(bits & 0x80, magnitude, -magnitude).astype(np.int16)
    return samples
