"""Run the measurements, each in a process of its own, and print what they print.

python -m tests.bench.run          the short ones
python -m tests.bench.run --long   the long ones: minutes of real engines
"""

from __future__ import annotations

import subprocess
import sys

SHORT = ("tests.bench.summary",)
LONG = ("tests.bench.asr_table",)


def main() -> int:
    """0 when every measurement ran to its end; further arguments go to each of them."""
    arguments = sys.argv[1:]
    chosen = LONG if "--long" in arguments else SHORT
    passed_on = [argument for argument in arguments if argument != "--long"]
    codes = []
    for module in chosen:
        print(f"== {module}", flush=True)
        codes.append(subprocess.run([sys.executable, "-m", module, *passed_on], check=False).returncode)
    return max(codes)


if __name__ == "__main__":
    sys.exit(main())
