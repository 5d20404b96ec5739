"""The picture of a design paints as large a share of the rows as tests and trains, whatever the number of rows."""

import re
from urllib.parse import urlencode

import numpy as np
import pytest

import veracity as vc
from tests.web.conftest import client_of

WIDTH = 400  # pixels of a line
DESIGNS = {
    "kfold(k=10)": {},
    "repeated_kfold(k=3, repeats=2)": {},
    "bootstrap(draws=3)": {},
    "resubstitution": {},
    "three_way(validation=0.2, test=0.3)": {},
    "holdout(test=0.01)": {},
    "kfold(k=4)": {"groups": "g"},
    "kfold(k=5)": {"time": "t"},
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("pictures")


def shares_painted(svg):
    """Of each line, what is painted for test and for training rows, measured on the outlines."""
    painted = {}
    for way in re.findall(r"<path [^>]*>", svg):
        kind = "test" if "s1" in way else "train"
        for x, low, high, to in re.findall(r"M([\d.]+) ([\d.]+)V([\d.]+)H([\d.]+)V[\d.]+z", way):
            line = int((float(low) - 20.0 - 1e-6) // 11)
            area = (float(to) - float(x)) * (float(low) - float(high))
            painted[line, kind] = painted.get((line, kind), 0.0) + area / (WIDTH * 9)
    return painted


@pytest.mark.parametrize("rows", [150, 300, 569, 1_797, 100_000])
@pytest.mark.parametrize("by", DESIGNS)
def test_the_painted_share_is_the_true_one_within_a_pixel(folder, rows, by):
    random = np.random.default_rng(rows)
    columns = random.normal(size=rows).round(3), random.integers(0, 2, rows), np.arange(rows) // 7, np.arange(rows)
    np.savetxt(folder / "d.csv", np.column_stack(columns), "%g", ",", header="x,y,g,t", comments="")
    roles = "".join(f', {role} = "{column}"' for role, column in DESIGNS[by].items())
    data = f'd = {{ file = "d.csv", target = "y"{roles} }}'
    text = f'by = "{by}"\n[data]\n{data}\n[learners]\nnb = "sklearn.naive_bayes:GaussianNB"\n'
    page = client_of(folder).post("/study/new", content=urlencode({"text": text, "action": "text"})).text
    svg = re.search(r"<svg[^>]*splits? of [\d,]+ rows.*?</svg>", page, re.S)
    assert svg is not None, re.findall(r'class="refuse".*', page)
    painted = shares_painted(svg[0])
    (folder / "s.toml").write_text(text)
    for line, split in enumerate(vc.Study.read(folder / "s.toml").designs["d"][0].splits[:20]):
        new, trained = set(split.test.tolist()) - set(split.train.tolist()), set(split.train.tolist())
        tests, trains = (len(new), len(trained)) if new else (rows, 0)  # of resubstitution all rows do both
        assert painted.get((line, "test"), 0) == pytest.approx(tests / rows, abs=1 / WIDTH)
        assert painted.get((line, "train"), 0) == pytest.approx(trains / rows, abs=1 / WIDTH)
