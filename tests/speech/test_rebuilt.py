"""Whisper small from its 8-bit ONNX files: the reader on bytes written by hand and on a real file, the model on real speech."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest

from core.errors import WeightsError
from models import registry
from models.weights import locate
from speech.asr import make_recogniser
from speech.asr.onnxfile import OnnxWeights
from speech.asr.rebuilt import build
from speech.naming import recogniser_named
from speech.studio import build_studio
from tests.support.command import cache_beside


def _field(number: int, content: bytes | int) -> bytes:
    """One field of a protobuf message: a varint below 128, or bytes of a length below 128."""
    if isinstance(content, int):
        return bytes([number << 3, content])
    return bytes([number << 3 | 2, len(content)]) + content


def _tensor(name: str, kind: int, dims: list[int], *, raw: bytes = b"", other: bytes = b"") -> bytes:
    """TensorProto: dims 1, data_type 2, name 8, raw_data 9 (onnx.proto, IR version 10)."""
    sizes = b"".join(_field(1, size) for size in dims)
    return sizes + _field(2, kind) + other + _field(8, name.encode()) + (_field(9, raw) if raw else b"")


def _node(operation: str, name: str, *inputs: str, inside: bytes = b"") -> bytes:
    """NodeProto: input 1, name 3, op_type 4, attribute 5 with a graph in 6."""
    body = b"".join(_field(1, item.encode()) for item in inputs) + _field(3, name.encode()) + _field(4, operation.encode())
    return body + (_field(5, _field(6, inside)) if inside else b"")


def _model(*nodes: bytes, tensors: tuple[bytes, ...]) -> bytes:
    """ModelProto: graph 7, with nodes 1 and initializers 5."""
    graph = b"".join(_field(1, node) for node in nodes) + b"".join(_field(5, tensor) for tensor in tensors)
    return _field(1, 10) + b"\x3a" + bytes([len(graph) & 127 | 128, len(graph) >> 7]) + graph


def test_tensors_are_read_in_all_the_ways_they_are_stored(tmp_path: Path) -> None:
    """Raw bytes, float and int fields, scalars: each in its type and shape; types that hold no weights are left out."""
    path = tmp_path / "m.onnx"
    path.write_bytes(
        _model(
            tensors=(
                _tensor("w", 2, [2, 2], raw=bytes([0, 1, 254, 255])),
                _tensor("scale", 1, [], raw=struct.pack("<f", 0.5)),
                _tensor("bias", 1, [2], other=_field(4, struct.pack("<2f", 1.5, -2))),
                _tensor("zero", 3, [], other=_field(5, 7)),
                _tensor("shape", 7, [1], raw=bytes(8)),
            )
        )
    )
    found = OnnxWeights(path).tensors
    assert {"w", "scale", "bias", "zero"} == set(found)
    assert [[0, 1], [254, 255]] == found["w"].tolist()
    assert ("uint8", "float32", "int8") == (str(found["w"].dtype), str(found["scale"].dtype), str(found["zero"].dtype))
    assert (0.5, [1.5, -2.0], 7) == (float(found["scale"]), found["bias"].tolist(), int(found["zero"]))


def test_quantised_weights_are_found_by_their_operation(tmp_path: Path) -> None:
    """Products and convolutions name their weight, also inside branches; of two of one name the first counts."""
    inner = _field(1, _node("MatMulInteger", "/b", "x", "w2"))
    path = tmp_path / "m.onnx"
    path.write_bytes(
        _model(
            _node("ConvInteger", "/a", "x", "w1"),
            _node("If", "/if", "c", inside=inner),
            _node("MatMulInteger", "/a", "x", "w2"),
            _node("MatMulInteger", "/no", "x", "y"),
            _node("Add", "/add", "x", "w1"),
            tensors=(_tensor("w1", 2, [1], raw=b"\x01"), _tensor("w2", 2, [1], raw=b"\x02")),
        )
    )
    assert {"/a": "w1", "/b": "w2"} == OnnxWeights(path).quantised


def test_a_real_file_of_others_is_read(warm_root: Path) -> None:
    """The detector's ONNX file, written by another program: its weights are floats, finite and many."""
    weights = OnnxWeights(locate("silero-vad", warm_root) / "silero_vad_v6.onnx").tensors
    floats = [array for array in weights.values() if array.dtype == np.float32]
    assert sum(array.size for array in floats) > 100_000
    assert all(np.isfinite(array).all() for array in floats)


@pytest.mark.parametrize("content", [b"<html>", b"\x3a\x05ab", b""], ids=["a page", "cut short", "nothing"])
def test_what_is_no_model_is_refused(tmp_path: Path, content: bytes) -> None:
    """Files that are no ONNX, or an ONNX without Whisper's weights: one line, and nothing is written."""
    for name in ("encoder.onnx", "decoder.onnx"):
        (tmp_path / name).write_bytes(content)
    (tmp_path / "config.json").write_text(
        '{"encoder_layers": 1, "encoder_attention_heads": 1, "decoder_layers": 1, "decoder_attention_heads": 1}'
    )
    (tmp_path / "out").mkdir()
    with pytest.raises(WeightsError, match=r"no ONNX model|no 8-bit Whisper model") as caught:
        build(tmp_path, tmp_path / "out")
    assert "\n" not in str(caught.value)
    assert [] == list((tmp_path / "out").iterdir())


@pytest.mark.engine
@pytest.mark.npm
@pytest.mark.slow
def test_the_rebuilt_model_hears(npm_cache: Path, tmp_path: Path) -> None:
    """Whisper small, byte for byte the pinned build, understands an English voice and gives its figures."""
    cache = cache_beside(tmp_path / "cache", npm_cache)
    studio = build_studio(cache, "clean", "whisper-small")
    clip = studio.voice(registry.get("hibari-heart")).synthesize("The weather is lovely today.", language="en", seed=1, pace=1.0)

    heard = make_recogniser(recogniser_named("whisper-small"), cache, None).transcribe(clip, language="en")

    assert "a2019db55ac5171e382fd8f50cce2178ca5acb53a8d28ee5cf8dd182f422f103" == registry.get("whisper-small").sha256
    assert "the weather is lovely today" == heard.text.lower().rstrip(".")
    assert -0.6 < (heard.confidence or -9) < 0
