"""An OpenAI-compatible speech server with real engines behind it, and models that misbehave: started as a process of its own.

A voice or model called `real` speaks with hibari and hears with Whisper base; every other name below breaks something.
"""

from __future__ import annotations

import email
import json
import socket
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import uvicorn
from fastapi import FastAPI, Request, Response

from models import registry
from speech import audiofile
from speech.intake import Claims, take
from speech.studio import build_studio

KEY = "sk-test-0123456789"


def sound_app(cache_root: Path) -> FastAPI:
    """The server over a cache folder."""
    app, studio, asked = FastAPI(), build_studio(cache_root, "clean", "whisper-base"), Counter[str]()
    seen: list[dict[str, Any]] = []

    @app.get("/seen")
    async def _seen() -> list[dict[str, Any]]:
        """Every request so far: where it went, whether it bore the key, and its fields."""
        return seen

    @app.post("/v1/audio/speech")
    async def _speech(request: Request) -> Response:
        fields = await request.json()
        seen.append({"path": "speech", "key": request.headers.get("authorization"), **fields})
        voice = studio.voice(registry.get("hibari-heart"))
        clip = voice.synthesize(fields["input"], language="en", seed=0, pace=fields["speed"])
        wav = audiofile.encode(clip.to_pcm16()[:, None], clip.sample_rate, "WAV")
        if fields["response_format"] == "pcm" and fields["voice"] == "real":
            return Response(clip.to_pcm16().astype("<i2").tobytes(), media_type="audio/pcm")
        slow = clip.resampled(16000)
        bodies = {
            "real": wav,
            "cut": wav[: len(wav) // 2],
            "mp3": b"ID3\x04\x00\x00\x00\x00\x00\x00" + bytes(2000),
            "slow-rate": audiofile.encode(slow.to_pcm16()[:, None], slow.sample_rate, "WAV"),
        }
        trouble = _trouble(fields["voice"], asked, request)
        return trouble or Response(bodies[fields["voice"]], media_type="audio/wav")

    @app.post("/v1/audio/transcriptions")
    async def _transcriptions(request: Request) -> Response:
        fields = _form(request.headers["content-type"], await request.body())
        sound = fields.pop("file")
        seen.append({"path": "transcriptions", "key": request.headers.get("authorization"), **fields})
        if trouble := _trouble(fields["model"], asked, request):
            return trouble
        if fields["model"] == "shapeless":
            return Response(json.dumps({"text": "Hello.", "segments": [{"text": "Hello."}]}), media_type="application/json")
        clip, _ = take(sound, Claims("turn.wav", "audio/wav", 16000)).clip()
        heard = studio.listener("en").recognizer.transcribe(clip, language=fields["language"])
        answer: dict[str, Any] = {"text": heard.text}
        if fields["response_format"] == "verbose_json":
            answer["segments"] = [
                {"start": piece.start_s, "end": piece.end_s, **{name: getattr(piece, name) for name in _FIGURES}}
                for piece in heard.segments
            ]
        return Response(json.dumps(answer), media_type="application/json")

    return app


_FIGURES = ("text", "avg_logprob", "no_speech_prob", "compression_ratio")


def _trouble(name: str, asked: Counter[str], request: Request) -> Response | None:
    """The answer of a misbehaving model; None for one that behaves, or behaves by now."""
    asked[name] += 1
    page = "<html><body>Sign in</body></html>"
    answers = {
        "down": Response("engine on fire\nsecond line", 503),
        "empty": Response(b"", media_type="audio/wav"),
        "html": Response(page, media_type="text/html"),
        "stranger": Response(f"no key {request.headers.get('authorization')}", 401),
    }
    if name == "busy" and asked[name] == 1:
        return Response("slow down", 429, headers={"Retry-After": "1"})
    return answers.get(name)


def _form(content_type: str, body: bytes) -> dict[str, Any]:
    """The fields of a multipart form; the file's as bytes."""
    message: Any = email.message_from_bytes(b"Content-Type: " + content_type.encode() + b"\r\n\r\n" + body)
    found: dict[str, Any] = {}
    for part in message.get_payload():
        name = part.get_param("name", header="content-disposition")
        content = part.get_payload(decode=True)
        found[name] = content if part.get_filename() else content.decode()
    return found


if __name__ == "__main__":
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    sys.stdout.write(f"{listening.getsockname()[1]}\n")
    sys.stdout.flush()
    config = uvicorn.Config(sound_app(Path(sys.argv[1])), log_level="error")
    uvicorn.Server(config).run(sockets=[listening])
