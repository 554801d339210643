"""Writes the lock of `make coqui` from pip's reports of what it would install: a pin and the hash of the very file, no place."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from packaging.utils import canonicalize_name
from packaging.version import Version

HEAD = """# The environment of `make coqui`: CPython 3.11 on Linux x86-64, torch's CPU wheel. How it is made: CONTRIBUTING.md.
# Installed without resolving: torchaudio asks for the torch of its own age, and serves a newer one as well."""


def main(reports: list[str]) -> None:
    """Print the lock of the packages in some reports."""
    items = [item for report in reports for item in json.loads(Path(report).read_text(encoding="utf-8"))["install"]]
    pins = {
        canonicalize_name(item["metadata"]["name"]): (
            Version(item["metadata"]["version"]).public,
            item["download_info"]["archive_info"]["hashes"]["sha256"],
        )
        for item in items
    }
    print(HEAD)
    for name, (version, digest) in sorted(pins.items()):
        print(f"{name}=={version} \\\n    --hash=sha256:{digest}")


if __name__ == "__main__":
    main(sys.argv[1:])
