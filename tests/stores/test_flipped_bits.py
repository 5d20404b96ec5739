"""One bit of a store is flipped: every verb gives the same answer, or says that the store is damaged."""

import json
import random

import pytest
from click.testing import CliRunner

from tests.stores.spoil_store import make_study
from veracity.cli.main import cli

FLIPS = 300  # bits of the whole file, and as many of names, keys and texts
NAMES = [b"kfold(k=3)", b"repeated_kfold", b"tree", b"tuned", b"nb", b"veracity_", b"CREATE", b"fingerprint", b"error"]
QUESTIONS = [["status"], ["estimate", "error"], ["failures"]]


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """The bytes of a store of two learners that could be taken for each other."""
    where = tmp_path_factory.mktemp("sound") / "results.db"
    store = make_study().run(where, progress=False).store
    store.ask("error", "rows")
    store.close()
    return where.read_bytes()


def answers(where):
    """What each question is answered: its status, and its numbers or its one sentence."""
    found = []
    for verb, *rest in QUESTIONS:
        done = CliRunner().invoke(cli, [verb, str(where), *rest, "--json"])
        assert done.exit_code in (0, 1, 2) and "unexpected" not in done.output, (verb, done.output)
        found.append((done.exit_code, json.loads(done.stdout) if done.exit_code == 0 else done.stderr.strip()))
    return found


def check_flips(where, sound, bits):
    where.write_bytes(sound)
    right = answers(where)
    assert all(status == 0 for status, _ in right)
    told = 0
    for bit in bits:
        content = bytearray(sound)
        content[bit // 8] ^= 1 << bit % 8
        for old in where.parent.iterdir():
            old.unlink()
        where.write_bytes(content)
        for (status, answer), (_, expected) in zip(answers(where), right, strict=True):
            if status == 0:
                assert answer == expected, f"bit {bit}"
            else:
                told += 1
                assert len(answer.splitlines()) == 1, f"bit {bit}: {answer}"
    return told


@pytest.mark.slow
def test_a_flipped_bit_anywhere_changes_no_number(tmp_path, sound):
    bits = random.Random(1).sample(range(8 * len(sound)), FLIPS)
    assert check_flips(tmp_path / "results.db", sound, bits)


@pytest.mark.slow
def test_a_flipped_bit_of_a_name_or_a_key_changes_no_number(tmp_path, sound):
    draw = random.Random(2)
    places = [start + at for name in NAMES for start in occurrences(sound, name) for at in range(len(name))]
    bits = [8 * place + draw.randrange(8) for place in draw.sample(places, min(FLIPS, len(places)))]
    assert check_flips(tmp_path / "results.db", sound, bits)


def occurrences(content, name):
    start = content.find(name)
    while start >= 0:
        yield start
        start = content.find(name, start + 1)
