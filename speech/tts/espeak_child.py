"""Run as a program of its own: one utterance through the espeak-ng library, then the process ends. Standard library only.

espeak-ng keeps state between utterances, so only the first of a process is repeatable; it is GPL-3, so it stays outside
of the process that asks. Arguments: library, data folder. Standard input: a JSON object with `voice` and either `phonemes`,
a list of texts, or `text`, `rate` and `pitch`. Standard output: a JSON list of IPA, or samples, 16-bit mono at 22050 Hz.
"""

from __future__ import annotations

import ctypes
import json
import sys
from collections.abc import Iterator
from typing import Any

RATE_HZ = 22050
NOISE_SEED = 1
"""For the random numbers of which espeak-ng makes the breath of some variants; left alone, it seeds them by the clock."""
_OUTPUT_SYNCHRONOUS = 2
_DO_NOT_EXIT = 0x8000
_UTF8 = 1
_IPA = 2
_TIE = 0x80
_PARAMETER_RATE, _PARAMETER_PITCH = 1, 3


def main(library: str, data: str) -> None:
    """Answer the one request on standard input; on failure exit with one line on standard error."""
    request = json.load(sys.stdin)
    espeak = ctypes.CDLL(library)
    if espeak.espeak_Initialize(_OUTPUT_SYNCHRONOUS, 0, data.encode(), _DO_NOT_EXIT) != RATE_HZ:
        sys.exit(f"espeak-ng does not start with the data in {data!r}")
    espeak.espeak_ng_SetRandSeed(ctypes.c_long(NOISE_SEED))
    if espeak.espeak_SetVoiceByName(request["voice"].encode()) != 0:
        sys.exit(f"espeak-ng has no voice {request['voice']!r}")
    if "phonemes" in request:
        answer = json.dumps([" ".join(_phonemes(espeak, text)) for text in request["phonemes"]]).encode()
    else:
        answer = _samples(espeak, request)
    sys.stdout.buffer.write(answer)


def _phonemes(espeak: Any, text: str) -> Iterator[str]:
    """IPA clause by clause, diphthongs and affricates tied by `^`."""
    espeak.espeak_TextToPhonemes.restype = ctypes.c_char_p
    rest = ctypes.c_char_p(text.encode())
    while rest.value is not None:
        yield espeak.espeak_TextToPhonemes(ctypes.byref(rest), _UTF8, _IPA | _TIE | ord("^") << 8).decode()


def _samples(espeak: Any, request: dict[str, Any]) -> bytes:
    pieces: list[bytes] = []

    def collect(samples: Any, count: int, _events: Any) -> int:
        if samples and count > 0:
            pieces.append(ctypes.string_at(samples, 2 * count))
        return 0

    # Held by a name until the speech is made: a callback that is thrown away is called all the same.
    callback = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.c_void_p)(collect)
    espeak.espeak_SetSynthCallback(callback)
    espeak.espeak_SetParameter(_PARAMETER_RATE, request["rate"], 0)
    espeak.espeak_SetParameter(_PARAMETER_PITCH, request["pitch"], 0)
    text = request["text"].encode() + b"\0"
    if espeak.espeak_Synth(text, len(text), 0, 1, 0, _UTF8, None, None) != 0:
        sys.exit("espeak-ng refused the text")
    espeak.espeak_Synchronize()
    return b"".join(pieces)


if __name__ == "__main__":
    main(*sys.argv[1:])
