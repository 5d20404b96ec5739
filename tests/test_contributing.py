"""The map of CONTRIBUTING leads to where things are."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
PLACES = re.findall(r"`((?:veracity|bench)/\S+\.py)`(?: `(\w+)`)?", TEXT)


@pytest.mark.parametrize(("path", "name"), PLACES)
def test_every_place_on_the_map_is_there(path, name):
    tree = ast.parse((ROOT / path).read_text("utf-8"))
    names = {node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    assert not name or name in names


def test_every_room_is_on_the_map():
    table = TEXT.partition("| room |")[2].partition("\n\n")[0]
    rooms = {room for row in table.splitlines()[2:] for room in re.findall(r"`(\w+)`", row.split("|")[1])}
    assert rooms == {place.parent.name for place in (ROOT / "veracity").glob("*/__init__.py")}
