"""The workbench contacts a database server that a study file names when somebody has allowed it, and not before."""

import re
from html import unescape

import pytest

from tests.web.conftest import STUDY, client_of
from veracity.web.analyse import API_VIEWS
from veracity.web.study_views import VIEWS

SECRET = "of-the-environment"
LOOKS = [
    *(f"/study/small.toml/analyse?view={view}" for view in VIEWS),
    "/study/small.toml/analyse?view=slices&slices=x&data=moons",
    *(f"/study/small.toml/analyse.{form}?view=ranking" for form in ("json", "csv", "html", "svg")),
    *(f"/api/studies/small.toml/{view}.json" for view in API_VIEWS),
    "/study/small.toml/setup?saved=1",
    "/",
    "/api/studies",
    "/study/small.toml/run",
    "/study/small.toml/setup",
    "/study/small.toml/analyse",
    "/study/small.toml/analyse.json?view=estimates",
    "/api/studies/small.toml/failures",
    "/api/studies/small.toml/study",
    "/api/studies/small.toml/estimate.json",
]


@pytest.fixture
def named(folder, recording_server):
    """A folder with a study that keeps its results on the recording server."""
    (folder / "small.toml").write_text(f'store = "{recording_server.address}"\n{STUDY}')
    return folder


def shown_form(page):
    """The address that the page's button would allow, and where it is sent."""
    found = re.search(r'action="([^"]*/contact\?to=\w*)"><input type="hidden" name="address" value="([^"]*)"', page)
    assert found, page
    return unescape(found[1]), unescape(found[2])


@pytest.mark.parametrize("read_only", [False, True])
def test_looking_contacts_no_server(named, recording_server, read_only):
    bench = client_of(named, read_only=read_only)
    for path in LOOKS:
        bench.get(path)
    for path in ("/", "/study/small.toml/run", "/study/small.toml/setup", "/study/small.toml/analyse"):
        assert f"Contact {recording_server.host}" in bench.get(path).text
    if not read_only:
        for action in ("start", "stop", "retry"):
            assert bench.post("/study/small.toml/run", content=f"action={action}").status_code == 409
        assert bench.post("/api/studies/small.toml/runs").status_code == 409
        assert bench.delete("/api/studies/small.toml/runs").status_code == 409
        assert "mistakes" in bench.post("/api/check?name=small.toml", content=(named / "small.toml").read_text()).json()
        form = {"action": "advise", "text": (named / "small.toml").read_text(), "was": ""}
        assert bench.post("/study/small.toml/setup", data=form).status_code == 200
    assert recording_server.connections == 0 and not (named / "small.toml.log").exists()


@pytest.mark.parametrize("read_only", [False, True])
@pytest.mark.parametrize(("path", "back"), [("/", "/"), ("/study/small.toml/run", "/study/small.toml/run")])
def test_a_click_allows_the_server_that_was_shown_until_the_workbench_ends(
    named, recording_server, read_only, path, back
):
    bench = client_of(named, read_only=read_only)
    action, address = shown_form(bench.get(path).text)
    allowed = bench.post(action, data={"address": address})
    assert (allowed.status_code, allowed.headers["location"]) == (303, back)
    assert recording_server.connections == 0
    assert "cannot reach" in bench.get("/").text and SECRET in recording_server.passwords
    number = recording_server.connections
    assert f"Contact {recording_server.host}" in client_of(named).get("/").text
    assert recording_server.connections == number


def test_a_study_that_names_another_server_since_is_not_allowed(named, recording_server):
    bench = client_of(named)
    action, address = shown_form(bench.get("/").text)
    (named / "small.toml").write_text(f'store = "{recording_server.address}2"\n{STUDY}')
    assert bench.post(action, data={"address": address}).status_code == 409
    assert bench.post(action).status_code == 409
    bench.get("/")
    assert recording_server.connections == 0


def test_a_page_of_another_site_allows_nothing(named, recording_server):
    bench = client_of(named)
    action, address = shown_form(bench.get("/").text)
    told = bench.post(action, data={"address": address}, headers={"origin": "http://evil.example"})
    assert told.status_code == 403
    bench.get("/")
    assert recording_server.connections == 0


def test_a_server_that_the_command_line_names_is_contacted(folder, recording_server):
    assert "cannot reach" in client_of(recording_server.address).get("/").text
    assert SECRET in recording_server.passwords


ADDRESSES = ["http://{host}/x.csv", "s3://{host}/x.parquet", "postgresql://me@{host}/x", "mysql://me@{host}/x"]
POSITIONS = {
    "data": 'moons = "{}"',
    "file": 'moons = {{ file = "{}", target = "y" }}',
    "test": 'moons = {{ file = "people.csv", test = "{}", target = "y" }}',
    "loader": "moons = \"sklearn:fetch_openml(data_home='{}')\"",
    "learner": 'moons = "sklearn:load_iris"\n[learners]\nother = "{}:Class"',
    "parameter": 'moons = "sklearn:load_iris"\n[learners]\nother = {{ use = "own:Class", at = "{}" }}',
    "store": 'moons = "sklearn:load_iris"',
}


def naming(position, address):
    """A study that names an address somewhere."""
    data = POSITIONS[position].format(address)
    learners = "" if "[learners]" in data else "[learners]\n"
    store = f'store = "{address}"\n' if position == "store" else ""
    return f'{store}by = "kfold(k=2)"\n[data]\n{data}\n{learners}nb = "sklearn.naive_bayes:GaussianNB"\n'


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("position", POSITIONS)
def test_no_address_that_a_study_names_is_contacted(folder, recording_server, position, address):
    (folder / "people.csv").write_text("a,y\n1,p\n2,q\n3,p\n4,q\n")
    address = address.format(host=recording_server.host)
    text = naming(position, address)
    (folder / "small.toml").write_text(text)
    bench = client_of(folder)
    for path in LOOKS:
        bench.get(path)
    bench.post("/api/check?name=small.toml", content=text)
    bench.put("/api/studies/small.toml/study", content=text)
    for action in ("text", "design", "look", "look-learner", "add-data", "add-learner", "advise"):
        form = {"action": action, "text": text, "was": "", "source": address, "learner": f"{address}:Class"}
        assert bench.post("/study/small.toml/setup", data=form).status_code < 500
    assert recording_server.connections == 0


def test_watching_contacts_no_server(named, recording_server):
    bench = client_of(named, read_only=True)
    for _ in range(3):
        assert "not contacted before you allow it" in bench.get("/api/studies/small.toml/status").json()["trouble"]
    assert recording_server.connections == 0
