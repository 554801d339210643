"""SPEC 2: YAML and JSON both load, without YAML's surprises, and a bad file gives one clear line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import FileError
from core.schemas.base import pretty_json
from core.yamlfile import read_data


def _read(tmp_path: Path, text: str, name: str = "file.yaml") -> Any:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return read_data(path)


@pytest.mark.parametrize(
    "text",
    [
        "04412907", "0412", "-07", "00", "0x1F", "0o17", "0b11", "1_000", "12:30:45", "190:20:30", "+5", "1e5", "1.", ".5",
        ".inf", ".nan", "-.inf", "NaN", "Infinity", "yes", "no", "on", "off", "y", "n", "Yes", "NO", "True", "FALSE", "Null",
        "2026-03-16", "2026-03-16T10:05", "2026-03-16 10:05:00", "10:05", "=", "<<", "5 weeks", "1,093.34", "1.2.3", "--1", "5%",
        "NULL",
    ],
)  # fmt: skip
def test_what_looks_special_to_yaml_1_1_stays_text(tmp_path: Path, text: str) -> None:
    """Leading zeros, other bases, sexagesimals, dates, yes and no are what their author wrote."""
    assert {"value": text} == _read(tmp_path, f"value: {text}")
    assert [text] == _read(tmp_path, f"- {text}")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0), ("5", 5), ("-5", -5), ("12345678901234567890", 12345678901234567890), ("5.0", 5.0), ("-0.25", -0.25),
        ("1.5e3", 1500.0), ("1.5E-1", 0.15), ("true", True), ("false", False), ("null", None), ("~", None), ("", None),
        ('"5"', "5"), ("'true'", "true"), ('""', ""), ("|\n  5", "5"), ("[1, a]", [1, "a"]), ("{a: 1}", {"a": 1}), ("[]", []),
    ],
)  # fmt: skip
def test_plain_values_have_their_type(tmp_path: Path, text: str, value: Any) -> None:
    """Decimal numbers, `true`, `false` and `null` are values; quotes and blocks make text."""
    (read,) = _read(tmp_path, f"value: {text}").values()
    assert (value, type(value)) == (read, type(read))


def test_an_integer_stays_an_integer_and_a_float_a_float(tmp_path: Path) -> None:
    """5 and 5.0 are told apart, since a tool's schema may."""
    assert "[1, 1.0]" == str(_read(tmp_path, "[1, 1.0]"))


def test_anchors_and_aliases_work(tmp_path: Path) -> None:
    """Authors may name a part and use it again."""
    assert {"a": {"k": [1]}, "b": {"k": [1]}} == _read(tmp_path, "a: &it {k: [1]}\nb: *it")


def test_json_is_read_as_json(tmp_path: Path) -> None:
    """The same content in either form is the same data."""
    assert {"a": [1, 1.5, True, None, "x"]} == _read(tmp_path, '{"a": [1, 1.5, true, null, "x"]}', "file.json")
    assert {"a": [1, 1.5, True, None, "x"]} == _read(tmp_path, '{"a": [1, 1.5, true, null, "x"]}', "file.yml")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**18), 10**18) | st.text(st.characters(codec="utf-8", exclude_categories=["Cc"])),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abc_1", min_size=1, max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(JSON)
def test_json_files_come_back_as_they_were_written(tmp_path_factory: pytest.TempPathFactory, value: Any) -> None:
    """What is written as JSON is read unchanged, from `.json` and, since YAML contains it, from `.yaml`."""
    folder = tmp_path_factory.mktemp("json")
    for name in ("file.json", "file.yaml"):
        (folder / name).write_bytes(pretty_json({"value": value}))
        assert {"value": value} == read_data(folder / name)


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("f.yaml", "a: 1\nb: 2\na: 3", "not valid YAML at line 3, column 1: the key 'a' appears twice"),
        ("f.yaml", "a: {b: 1, b: 1}", "not valid YAML at line 1, column 11: the key 'b' appears twice"),
        ("f.yaml", "a: [1", "not valid YAML at line 2"),
        ("f.yaml", "a: b: c", "not valid YAML at line 1, column 5"),
        ("f.yaml", "a:\n\t- 1", "not valid YAML at line 2"),
        ("f.yaml", "a: *nobody", "not valid YAML at line 1, column 4: found undefined alias"),
        (
            "f.yaml",
            "a: !!python/object/apply:os.getcwd []",
            "not valid YAML at line 1, column 4: could not determine",
        ),
        ("f.yaml", "a: !!bool perhaps", "not valid YAML"),
        ("f.yaml", "a: !!int five", "not valid YAML"),
        ("f.yaml", "a: !!timestamp 2026-99-99", "not valid YAML"),
        ("f.yaml", "? [a, b]\n: 1", "not valid YAML at line 1, column 3: a key is text"),
        ("f.yaml", "? {a: b}\n: 1", "not valid YAML at line 1, column 3: a key is text"),
        ("f.yaml", "1: one", "not valid YAML at line 1, column 1: a key is text, found 1"),
        ("f.yaml", "true: one", "not valid YAML at line 1, column 1: a key is text, found True"),
        ("f.yaml", "a: &a {b: *a}", "not valid YAML"),
        ("f.yaml", "a: &a [*a]", "not valid YAML at line 1, column 4: found unconstructable recursive node"),
        ("f.yaml", "a: 1\n---\nb: 2", "not valid YAML at line 2"),
        ("f.yaml", "a: \x07", "not valid YAML"),
        ("f.yaml", "a: 1.0e999", "not valid YAML at line 1, column 4: 1.0e999 is no finite number"),
        ("f.yaml", "[" * 100_000 + "]" * 100_000, "not valid YAML"),
        ("f.json", '{"a": 1, "a": 2}', "not valid JSON: the key 'a' appears twice"),
        ("f.json", '{"a": 1', "not valid JSON: Expecting ',' delimiter"),
        ("f.json", "", "not valid JSON: Expecting value"),
        ("f.json", '{"a": NaN}', "not valid JSON: NaN is no finite number"),
        ("f.json", '{"a": 1e999}', "not valid JSON: 1e999 is no finite number"),
        ("f.json", "[" * 100_000, "not valid JSON: nested too deeply"),
    ],
    ids=lambda text: text[:30],
)
def test_a_file_that_cannot_be_read_gives_one_line(tmp_path: Path, name: str, text: str, reason: str) -> None:
    """The message names the file, the place where there is one, and what is wrong there."""
    with pytest.raises(FileError) as caught:
        _read(tmp_path, text, name)
    assert str(caught.value).startswith(f"{tmp_path / name}: {reason}")
    assert "\n" not in str(caught.value)


def test_aliases_that_multiply_are_refused(tmp_path: Path) -> None:
    """A few lines that stand for a billion values are refused at once, while aliases in measure are values like others."""
    level = [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 10)]
    with pytest.raises(FileError) as caught:
        _read(tmp_path, "\n".join(["a0: &a0 [1, 2]", *level]))
    assert "more than 200000 values once its aliases are written out" in str(caught.value)
    assert {"a0": [1, 2], "a1": [[1, 2]] * 9} == _read(tmp_path, "\n".join(["a0: &a0 [1, 2]", *level[:1]]))


def test_a_missing_file_a_folder_and_other_bytes_give_one_line(tmp_path: Path) -> None:
    """What the operating system or the encoding refuses is said in one line too."""
    (tmp_path / "latin.yaml").write_bytes("a: café".encode("latin-1"))
    for name, reason in (("none.yaml", "no such file"), ("", "cannot be read"), ("latin.yaml", "cannot be read as UTF-8 text")):
        with pytest.raises(FileError) as caught:
            read_data(tmp_path / name)
        assert str(caught.value).startswith(f"{tmp_path / name}: {reason}")
        assert "\n" not in str(caught.value)
