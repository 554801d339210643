"""Builds a Whisper model that faster-whisper can read from the 8-bit ONNX files npm carries.

Weights are taken back to floats, laid out as CTranslate2 wants them, and stored as int8 again. The tables that belong to
every multilingual Whisper (vocabulary, languages, suppressed tokens) come from the base model. The same ingredients
give the same bytes with the versions in the lock; the catalogue pins them.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import WeightsError
from speech import extras
from speech.asr.onnxfile import OnnxWeights, Tensor

Floats = NDArray[np.float32]

PURPOSE = "building a Whisper model"
DECODER_PREFIX, DECODER_SUFFIX = "model.decoder.", "_merged_0"
"""What the merged decoder's export put around the names of its weights."""


def build(ingredients: Path, folder: Path) -> None:
    """Write `model.bin`, `config.json` and `vocabulary.json` into `folder`; about 2 s and 2 GB of memory for the small size.

    `ingredients` holds encoder.onnx, decoder.onnx, config.json and generation_config.json of the model, and
    base-config.json and base-vocabulary.txt of the base model.

    Raises:
        WeightsError: an ingredient does not hold what it should.
        MissingExtraError: CTranslate2 is not installed.
    """
    specs = extras.load("ctranslate2.specs", package="ctranslate2", extra="speech", purpose=PURPOSE)
    try:
        config = json.loads((ingredients / "config.json").read_bytes())
        model = specs.WhisperSpec(
            config["encoder_layers"],
            config["encoder_attention_heads"],
            config["decoder_layers"],
            config["decoder_attention_heads"],
        )
        _fill_encoder(model.encoder, _Layers(OnnxWeights(ingredients / "encoder.onnx"), "", ""))
        decoder = OnnxWeights(ingredients / "decoder.onnx")
        _fill_decoder(model.decoder, _Layers(decoder, DECODER_PREFIX, DECODER_SUFFIX))
        _set_tables(model, ingredients, config["vocab_size"])
    except (KeyError, ValueError, AttributeError) as error:
        what = f"{type(error).__name__}: {error}"
        raise WeightsError(f"the files in {str(ingredients)!r} are no 8-bit Whisper model ({what}): fetch them again") from error
    model.validate()
    model.optimize(quantization="int8")
    model.save(str(folder))


class _Layers:
    """The weights of one half of the model by the names of its layers, as floats."""

    def __init__(self, weights: OnnxWeights, prefix: str, suffix: str) -> None:
        self._weights = weights
        self._prefix = prefix
        self._suffix = suffix

    def plain(self, name: str) -> Floats:
        """A weight that was never quantised."""
        return self._weights.tensors[self._prefix + name + self._suffix].astype(np.float32)

    def product(self, name: str) -> tuple[Floats, Floats]:
        """Weight, shape (out, in), and bias of a matrix product; the bias is 0 where the model has none."""
        first, number, *rest = name.split(".")
        operation = f"/{self._prefix.replace('.', '/')}{first}.{number}/{'/'.join(rest)}/MatMul_quant"
        weight = self.dequantised(self._weights.quantised[operation]).T
        bias = self._weights.tensors.get(f"{self._prefix}{name}.bias{self._suffix}", np.zeros(len(weight)))
        return weight, bias.astype(np.float32)

    def convolution(self, name: str) -> Floats:
        """Weight of a convolution."""
        return self.dequantised(self._weights.quantised[f"/{name}/Conv_quant"])

    def embeddings(self) -> Floats:
        """The table of tokens, shape (tokens, width)."""
        return self.dequantised(f"{self._prefix}embed_tokens.weight{self._suffix}_quantized")

    def dequantised(self, name: str) -> Floats:
        """A quantised weight as floats."""
        base = name.removesuffix("_quantized")
        shifted = self._tensor(name).astype(np.float32) - np.float32(self._tensor(f"{base}_zero_point"))
        floats: Floats = shifted * np.float32(self._tensor(f"{base}_scale"))
        return floats

    def _tensor(self, name: str) -> Tensor:
        return self._weights.tensors[name]


def _fill_encoder(spec: Any, layers: _Layers) -> None:
    for name in ("conv1", "conv2"):
        convolution = getattr(spec, name)
        convolution.weight, convolution.bias = layers.convolution(name), layers.plain(f"{name}.bias")
    spec.position_encodings.encodings = layers.plain("embed_positions.weight")
    _set_norm(spec.layer_norm, layers, "layer_norm")
    for number, layer in enumerate(spec.layer):
        _fill_layer(layer, layers, f"layers.{number}")


def _fill_decoder(spec: Any, layers: _Layers) -> None:
    spec.position_encodings.encodings = layers.plain("embed_positions.weight")
    _set_norm(spec.layer_norm, layers, "layer_norm")
    spec.embeddings.weight = spec.projection.weight = layers.embeddings()
    spec.scale_embeddings = False
    for number, layer in enumerate(spec.layer):
        name = f"layers.{number}"
        _fill_layer(layer, layers, name)
        query, key_value, output = layer.attention.linear
        _set_products(query, layers, f"{name}.encoder_attn.q_proj")
        _set_products(key_value, layers, f"{name}.encoder_attn.k_proj", f"{name}.encoder_attn.v_proj")
        _set_products(output, layers, f"{name}.encoder_attn.out_proj")
        _set_norm(layer.attention.layer_norm, layers, f"{name}.encoder_attn_layer_norm")


def _fill_layer(layer: Any, layers: _Layers, name: str) -> None:
    """What layers of both halves have: self-attention and feed-forward."""
    together, output = layer.self_attention.linear
    _set_products(together, layers, *(f"{name}.self_attn.{part}_proj" for part in "qkv"))
    _set_products(output, layers, f"{name}.self_attn.out_proj")
    _set_norm(layer.self_attention.layer_norm, layers, f"{name}.self_attn_layer_norm")
    _set_products(layer.ffn.linear_0, layers, f"{name}.fc1")
    _set_products(layer.ffn.linear_1, layers, f"{name}.fc2")
    _set_norm(layer.ffn.layer_norm, layers, f"{name}.final_layer_norm")


def _set_products(spec: Any, layers: _Layers, *names: str) -> None:
    weights, biases = zip(*(layers.product(name) for name in names), strict=True)
    spec.weight, spec.bias = np.concatenate(weights), np.concatenate(biases)


def _set_norm(spec: Any, layers: _Layers, name: str) -> None:
    spec.gamma, spec.beta = layers.plain(f"{name}.weight"), layers.plain(f"{name}.bias")


def _set_tables(model: Any, ingredients: Path, tokens: int) -> None:
    """Vocabulary, and the lists of token ids that faster-whisper reads from the model's configuration."""
    base = json.loads((ingredients / "base-config.json").read_bytes())
    for name in ("suppress_ids", "suppress_ids_begin", "lang_ids"):
        setattr(model.config, name, base[name])
    model.config.alignment_heads = json.loads((ingredients / "generation_config.json").read_bytes())["alignment_heads"]
    words = (ingredients / "base-vocabulary.txt").read_text(encoding="utf-8").split("\n")
    model.register_vocabulary(words[:tokens])
