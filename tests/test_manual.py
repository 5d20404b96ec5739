"""What README, CONTRIBUTING and the manual show is run: every block, every command line, and what is shown below it."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from matplotlib import pyplot

import veracity
from docs.api_pages import write_api
from docs.blocks import DOCS, ROOT, agrees, is_place, manual_pages, name_of, stale, steps_of, with_outputs
from docs.check import complaints
from docs.run import main, printed_by, stale_lines
from docs.store_page import WORDS, store_page
from veracity.stores.schema import tables

PAGES = manual_pages()
LONGEST = 120  # characters of a line of code that fit the page at 1280 pixels


@pytest.fixture
def workshop(same_folder, monkeypatch):
    """An empty folder that has the examples, which modules are imported from."""
    (same_folder / "examples").symlink_to(ROOT / "examples")
    monkeypatch.setattr(sys, "path", [str(same_folder), *sys.path])
    yield same_folder
    pyplot.close("all")
    for name in [name for name in sys.modules if name.partition(".")[0] == "examples"]:
        del sys.modules[name]


def with_steps(kind):
    return [page for page in PAGES if any(step.kind == kind for step in steps_of(page.read_text()))]


@pytest.mark.parametrize("page", with_steps("python"), ids=name_of)
def test_python_blocks_print_what_is_shown(page, workshop):
    """Each page as a script of its own, warnings being errors."""
    assert stale_lines(page, printed_by(page, ("python",))) == []


@pytest.mark.parametrize("page", with_steps("console"), ids=name_of)
def test_command_lines_print_what_is_shown(page, workshop):
    assert stale_lines(page, printed_by(page, ("console",))) == []


def test_the_command_of_the_readme_is_installed(workshop):
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    typed = [step.typed for step in steps_of((ROOT / "README.md").read_text()) if step.typed.startswith("veracity")]
    done = subprocess.run(["sh", "-c", typed[0]], capture_output=True, text=True, env={**os.environ, "PATH": path})
    assert done.returncode == 0, done.stderr


PAGE = """# A page

```python
print(1 + 1, "apple")
print("pear")
```

```output
2 apple
pear
```

```console
$ veracity score --errors 12 \\
    --of 40 error
error ...
$ veracity list topics
```
"""


def test_a_page_is_cut_into_steps():
    python, score, topics = steps_of(PAGE)
    assert (python.line, python.shown) == (4, "2 apple\npear\n")
    assert (score.line, score.typed.split(), score.shown) == (
        14,
        ["veracity", "score", "--errors", "12", "--of", "40", "error"],
        "error ...\n",
    )
    assert topics.shown is None


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        ("2 apple\n", "2 apple   \n\n", True),
        ("2 apple\n", "2 apples\n", False),
        ("2 ...\n", "2 apple\n", True),
        ("2 apple\n...\n", "2 apple\npear\nplum\n", True),
        ("...\nplum\n", "2 apple\npear\nplum\n", True),
        ("...\nplum\n", "2 apple\npear\nplums\n", False),
    ],
)
def test_shown_and_printed(shown, printed, same):
    assert agrees(shown, printed) is same


def test_what_is_stale_is_found_and_written_anew():
    printed = ["2 apple\nplum\n", "error 0.3\n", "topics\n"]
    assert [step.line for step, _ in stale(PAGE, printed)] == [4]
    new = with_outputs(PAGE, printed)
    assert "2 apple\nplum\n```" in new and not stale(new, printed)


def test_what_was_left_out_of_a_line_stays_so():
    page = "```console\n$ veracity status\ntook ... s in all\nfits 3\n```\n"
    assert with_outputs(page, ["took 7 s in all\nfits 4\n"]) == page.replace("fits 3", "fits 4")


def test_a_page_that_is_stale_is_named_in_one_line(tmp_path, capsys):
    (page := tmp_path / "stale.md").write_text(PAGE.replace("2 apple", "3 apple"))
    assert main([str(page)]) == 1
    assert capsys.readouterr().err.startswith("stale.md:4: what is shown below is not what is printed")


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_a_page_is_finished(page):
    text = page.read_text()
    assert not [step.line for step in steps_of(text) if step.shown and is_place(step.shown)], "places to fill in"
    assert not re.search(r"!\[\s*\]\(", text), "a picture without a text"
    inside = re.findall(r"^```(?:python|console|toml|json|r)\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    typed = [line for block in inside for line in block.splitlines() if not block.startswith("$") or line[:1] == "$"]
    assert [line for line in typed if len(line) > LONGEST] == []


def test_every_table_of_a_store_is_described():
    assert store_page().count("\n## veracity_") == len(tables.sorted_tables)


def test_a_table_that_nobody_described_is_named(monkeypatch):
    monkeypatch.delitem(WORDS, "claims")
    with pytest.raises(SystemExit, match="say what the tables claims of a store hold"):
        store_page()


def test_a_public_name_that_nobody_described_is_named(monkeypatch, tmp_path):
    monkeypatch.setattr(veracity, "fresh", lambda quince: quince, raising=False)
    monkeypatch.setattr(veracity, "__all__", ["fresh"])
    with pytest.raises(SystemExit, match="fresh: quince is not described"):
        write_api(tmp_path / "api")
    assert not (tmp_path / "api").exists()


LINK = re.compile(r"\]\(([^)\s]+)\)")


def targets(page):
    plain = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    return [link for link in LINK.findall(re.sub(r"`[^`\n]*`", "", plain)) if "://" not in link]


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page):
    """Pages and pictures of the source; those that the build makes are checked by the build."""
    made = re.compile(r"(^|/)(catalogue|made|api)/|^#")
    lost = [link for link in targets(page) if not made.search(link) and not (page.parent / link.split("#")[0]).exists()]
    assert lost == []


def places(page):
    """What a link may lead to on a page: its headings, as GitHub and the build name them."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_to_places_that_exist(page):
    parts = [link.partition("#") for link in targets(page) if ".md#" in link or link.startswith("#")]
    lost = [f"{file}#{place}" for file, _, place in parts if place not in places(page.parent / file if file else page)]
    assert lost == []


def test_every_tick_of_ours_leads_to_the_page_that_shows_it():
    table = (ROOT / "README.md").read_text().split("## Beside others")[1]
    rows = [line.split(" | ")[1] for line in table.splitlines() if line.startswith("| ") and not line.startswith("| |")]
    assert len(rows) >= 14 and all(re.fullmatch(r"\[yes\]\(docs/[\w/-]+\.md(#[\w-]+)?\)", cell) for cell in rows)


def test_the_manual_has_four_parts():
    parts = {page.relative_to(DOCS).parts[0] for page in PAGES if page.is_relative_to(DOCS)}
    assert parts == {"index.md", "tutorials", "how-to", "explanation", "reference"}
    assert len(list((DOCS / "tutorials").glob("*.md"))) == 6  # an index, and one for each thing that people have


OTHERS = re.compile(
    r"/work/|/home/|/tmp/|\b(design|house|theory|interface|workbench)\.md\b(?!\))|\bissue \d+", re.IGNORECASE
)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_pages_cite_only_what_readers_have(page):
    assert OTHERS.findall(page.read_text()) == []


def test_what_readers_of_the_built_manual_would_miss_is_told_in_a_line_each(tmp_path, monkeypatch):
    monkeypatch.setattr(veracity, "__all__", ["compare", "fresh"])
    (tmp_path / "genindex.html").write_text('<a href="reference/api/compare.html#veracity.compare">compare()</a>')
    terms = dict.fromkeys(["confid", "interv", "brier_score_loss", "f1_score"], 0)
    index = {"terms": terms, "titleterms": {}, "alltitles": {}, "indexentries": {".632+": 0}}
    (tmp_path / "searchindex.js").write_text(f"Search.setIndex({json.dumps(index)})")
    (tmp_path / "page.html").write_text('<img alt="a curve" src="a.png"><img alt="" src="b.png">')
    assert complaints(tmp_path) == [
        "genindex.html: fresh is not in the general index",
        "searchindex.js: a search for 'install' finds nothing",
        'page.html: a picture has no text: <img alt="" src="b.png">',
    ]


def keys_told(section):
    """The keys that the page of study files describes under a heading."""
    text = (ROOT / "docs" / "reference" / "study-file.md").read_text()
    part = text.split(f"\n## {section}\n")[1].split("\n## ")[0]
    return set(re.findall(r"^\| `(\w+)` \|", part, re.MULTILINE))


def test_every_key_of_a_study_file_is_described():
    from veracity.studies.study_file import DataPart, LearnerPart, Questions, StudyPart

    tables = {"data", "learners", "questions"}
    assert keys_told("At the top") == set(StudyPart.model_fields) - tables
    assert keys_told("[data]") == set(DataPart.model_fields)
    assert keys_told("[learners]") == set(LearnerPart.model_fields)
    assert keys_told("[questions]") == set(Questions.model_fields)
