"""Reads the weights out of an ONNX file: its named tensors, and which tensor each matrix product or convolution uses.

The few messages and field numbers that are needed are those of the published onnx.proto; protobuf skips all others.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import WeightsError
from speech import extras

Tensor = NDArray[Any]

MESSAGES: dict[str, dict[str, tuple[int, str, bool]]] = {
    "Model": {"graph": (7, "Graph", False)},
    "Graph": {"node": (1, "Node", True), "initializer": (5, "Tensor", True)},
    "Node": {
        "input": (1, "string", True),
        "name": (3, "string", False),
        "op_type": (4, "string", False),
        "attribute": (5, "Attribute", True),
    },
    "Attribute": {"g": (6, "Graph", False)},
    "Tensor": {
        "dims": (1, "int64", True),
        "data_type": (2, "int32", False),
        "float_data": (4, "float", True),
        "int32_data": (5, "int32", True),
        "name": (8, "string", False),
        "raw_data": (9, "bytes", False),
    },
}
"""Message to field: number, type, whether it is repeated."""
DTYPES = {1: "<f4", 2: "u1", 3: "i1"}
"""Numbers of TensorProto.DataType that hold weights here; tensors of other types are left out."""
QUANTISED = ("MatMulInteger", "ConvInteger")
"""Operations whose second input is a quantised weight."""


class OnnxWeights:
    """The weights of one file.

    Raises:
        WeightsError: the file is no ONNX model.
    """

    def __init__(self, path: Path) -> None:
        model = _message_class("Model")()
        protobuf = extras.load("google.protobuf.message", package="protobuf", extra="speech", purpose="reading ONNX files")
        try:
            model.ParseFromString(path.read_bytes())
        except protobuf.DecodeError as error:
            raise WeightsError(f"{str(path)!r} is no ONNX model: {error}: fetch it again") from error
        self.tensors: dict[str, Tensor] = {
            tensor.name: _array(tensor) for tensor in model.graph.initializer if tensor.data_type in DTYPES
        }
        """Tensors by name, in their own type and shape."""
        self.quantised: dict[str, str] = {}
        """Name of a quantised operation to the name of its weight; of operations of one name, the first counts."""
        for node in _nodes(model.graph):
            if node.op_type in QUANTISED and node.input[1] in self.tensors:
                self.quantised.setdefault(node.name, node.input[1])


def _nodes(graph: Any) -> Iterator[Any]:
    """Every node, those of the branches inside a node after it."""
    for node in graph.node:
        yield node
        for attribute in node.attribute:
            if attribute.HasField("g"):
                yield from _nodes(attribute.g)


def _array(tensor: Any) -> Tensor:
    dtype = np.dtype(DTYPES[tensor.data_type])
    if tensor.raw_data:
        return np.frombuffer(tensor.raw_data, dtype).reshape(tensor.dims)
    values = tensor.float_data if tensor.data_type == 1 else tensor.int32_data
    return np.array(values, dtype).reshape(tensor.dims)


@cache
def _message_class(name: str) -> Any:
    """The protobuf class of a message, in a pool of our own, which nobody else's definitions can meet."""
    descriptor = extras.load("google.protobuf.descriptor_pb2", package="protobuf", extra="speech", purpose="reading ONNX files")
    pools = extras.load("google.protobuf.descriptor_pool", package="protobuf", extra="speech", purpose="reading ONNX files")
    factory = extras.load("google.protobuf.message_factory", package="protobuf", extra="speech", purpose="reading ONNX files")
    kinds = descriptor.FieldDescriptorProto
    file = descriptor.FileDescriptorProto(name="ringback/onnx.proto", package="ringback.onnx", syntax="proto2")
    for message, fields in MESSAGES.items():
        made = file.message_type.add(name=message)
        for field, (number, kind, repeated) in fields.items():
            label = kinds.LABEL_REPEATED if repeated else kinds.LABEL_OPTIONAL
            added = made.field.add(name=field, number=number, label=label)
            if kind in MESSAGES:
                added.type, added.type_name = kinds.TYPE_MESSAGE, f".ringback.onnx.{kind}"
            else:
                added.type = getattr(kinds, f"TYPE_{kind.upper()}")
    pool = pools.DescriptorPool()
    pool.Add(file)
    return factory.GetMessageClass(pool.FindMessageTypeByName(f"ringback.onnx.{name}"))
