"""`ringback ablate`: every variant of a channel is a run of its own, played once, and the table is told from them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.errors import EXIT_INPUT
from core.runs.ablation import COMPARED_WITH
from gateway.ablating import variants_of
from speech.channel.presets import NAMES, parse_channel
from tests.repository.tree import ROOT
from tests.support.command import Command
from tests.support.kills import finished

SHORTEST = (ROOT / "tests" / "bundles" / "workshop", "--scenarios", "lost-slip")


def test_the_variants_of_a_channel() -> None:
    """Without and alone for each effect that is on, and every effect off: each a channel that can be typed."""
    spec = parse_channel("bad-cell:band=off")
    rest = "band=off,gain=0,clip=1"

    found = {" ".join(filter(None, (kind.value, effect))): str(channel) for kind, effect, channel in variants_of(spec)}

    assert ("noise", "codec", "loss") == spec.effects
    assert found == {
        "clean": "clean",
        "whole": f"bad-cell:room=off,noise=white,snr=12,{rest},codec=gsm,loss=0.08,burst=3",
        "bare": f"bad-cell:room=off,noise=white,snr=off,{rest},codec=off,loss=0,burst=3",
        "without noise": f"bad-cell:room=off,noise=white,snr=off,{rest},codec=gsm,loss=0.08,burst=3",
        "without codec": f"bad-cell:room=off,noise=white,snr=12,{rest},codec=off,loss=0.08,burst=3",
        "without loss": f"bad-cell:room=off,noise=white,snr=12,{rest},codec=gsm,loss=0,burst=3",
        "alone noise": f"bad-cell:room=off,noise=white,snr=12,{rest},codec=off,loss=0,burst=3",
        "alone codec": f"bad-cell:room=off,noise=white,snr=off,{rest},codec=gsm,loss=0,burst=3",
        "alone loss": f"bad-cell:room=off,noise=white,snr=off,{rest},codec=off,loss=0.08,burst=3",
    }
    assert all(str(parse_channel(text)) == text for text in found.values())


@pytest.mark.parametrize("name", [name for name in NAMES if name != "clean"])
def test_every_preset_has_effects_to_price(name: str) -> None:
    """Each preset gives at least two effects, and what each variant is compared with is among the variants."""
    variants = list(variants_of(parse_channel(name)))
    kinds = {kind for kind, _effect, _channel in variants}

    assert len(variants) == 3 + 2 * len(parse_channel(name).effects) >= 7
    assert {COMPARED_WITH[kind] for kind in kinds if kind in COMPARED_WITH} <= kinds


def test_a_channel_without_effects_has_no_price(ringback: Command) -> None:
    """`clean` is refused in one line before anything is played."""
    assert "has no effect whose price could be found" in ringback.fails(EXIT_INPUT, "ablate", *SHORTEST, "--channel", "clean")


@pytest.mark.engine
@pytest.mark.slow
def test_the_price_of_an_effect(ringback: Command, tmp_path: Path) -> None:
    """Three runs of one call; told again, nothing is played again and the table is the same."""
    arguments = ("ablate", *SHORTEST, "--channel", "landline:snr=5,band=off,codec=off", "--out", "price", "--concurrency", "1")

    first = ringback.passes(*arguments)
    kept = {name: finished(tmp_path / "price" / name) for name in ("clean", "whole", "bare")}
    again = ringback.passes(*arguments, "--json")

    written = json.loads((tmp_path / "price" / "ablation.json").read_text())
    assert written == json.loads(again)
    assert ["clean", "whole", "bare"] == [variant["run"] for variant in written["variants"]]
    assert ["noise"] == written["effects"]
    clean, whole, bare = (variant["wer"]["rate"] for variant in written["variants"])
    assert clean <= bare < whole
    assert [1, 1, 1] == [len(cases) for cases in kept.values()]
    assert kept == {name: finished(tmp_path / "price" / name) for name in kept}
    assert (tmp_path / "price" / "ablation.md").read_text().startswith("# What each effect of a channel costs")
    assert first.count("\nwhole channel") == 1
