"""Where results are kept is chosen in the form, stands in the study, and stays inside the folder."""

import time
import tomllib
from html import unescape
from urllib.parse import urlencode

import numpy as np

import veracity as vc
from bench.large_study import write_without_fitting
from tests.web.conftest import STUDY, client_of
from tests.web.test_contact import shown_form
from tests.web.test_learner_form import fields_in
from tests.web.test_setup import mark_in, text_in


def act(bench, page, action, **changes):
    fields = {**fields_in(page), "was": mark_in(page), "action": action, **changes}
    return bench.post("/study/small.toml/setup", content=urlencode(fields))


def test_another_store_is_chosen_written_and_run_into(folder):
    bench = client_of(folder)
    page = bench.get("/study/small.toml/setup")
    assert 'placeholder="small.db"' in page.text and '<option value="small.db">' in page.text
    chosen = act(bench, page, "design", store="spring.db")
    assert tomllib.loads(text_in(chosen))["store"] == "spring.db" and "36 fits" in chosen.text
    assert fields_in(chosen)["store"] == "spring.db"
    assert act(bench, chosen, "run").headers["location"] == "/study/small.toml/run"
    run = bench.get("/study/small.toml/run").text
    assert "Not run yet." in run and f"--store {folder / 'spring.db'}" in unescape(run)
    study = vc.Study.read(folder / "small.toml")
    write_without_fitting(study, study.store, np.random.default_rng(1))
    assert "36 of 36 fits done" in bench.get("/study/small.toml/run").text
    assert bench.get("/study/small.toml/analyse").status_code == 200
    desk = bench.get("/").text
    assert "spring.db" in desk and 'aria-label="Analyse small.db"' in desk  # which is a store of its own now
    assert "no study file beside this store" in bench.get("/study/small.db/run").text
    back = act(bench, bench.get("/study/small.toml/setup"), "design", store="")
    assert "store" not in tomllib.loads(text_in(back))


def test_fits_are_counted_against_the_store_that_the_text_names(folder):
    bench = client_of(folder)
    count = lambda text: bench.post("/api/check?name=small.toml", content=text).json()["plan"]  # noqa: E731
    assert "0 to do, 36 stored" in count(STUDY) and "0 to do, 36 stored" in count(f'store = "small.db"\n{STUDY}')
    assert count(f'store = "new.db"\n{STUDY}').startswith("36 fits")
    assert count(f'store = "postgresql://me@nowhere.invalid/x"\n{STUDY}').startswith("36 fits")  # nobody is called yet


def test_a_store_outside_or_with_a_password_is_told_and_can_be_mended(folder):
    bench = client_of(folder)
    for named, says in (("../out.db", "outside the folder"), ("postgresql://me:hunter2@h/x", "leave out the password")):
        text = f'store = "{named}"\n{STUDY}'
        found = bench.post("/api/check?name=small.toml", content=text).json()["mistakes"]
        assert [one["place"] for one in found] == ["store"] and says in found[0]["says"]
        (folder / "small.toml").write_text(text)
        desk = bench.get("/").text
        assert says in unescape(desk) and "hunter2" not in desk and 'aria-label="Set up small.toml"' in desk
        for path in ("run", "analyse"):
            page = bench.get(f"/study/small.toml/{path}")
            assert page.status_code in (200, 400, 404) and says in unescape(page.text) and "hunter2" not in page.text
        assert bench.post("/study/small.toml/run", content="action=start").status_code in (400, 404)
        page = bench.get("/study/small.toml/setup")
        assert page.status_code == 200 and text_in(page) == text
        assert act(bench, page, "save", text=STUDY).status_code == 303
        assert "36 of 36 fits done" in bench.get("/study/small.toml/run").text
    assert not (folder.parent / "out.db").exists()


def allowed_client(folder):
    """A browser whose user has allowed the server that the study names."""
    bench = client_of(folder)
    action, address = shown_form(bench.get("/").text)
    assert bench.post(action, data={"address": address}).status_code == 303
    return bench


def test_a_study_keeps_its_results_in_a_database(folder, schema):
    (folder / "small.toml").write_text(f'store = "{schema}"\n{STUDY}')
    bench = allowed_client(folder)
    assert "not run yet" in bench.get("/").text and "Not run yet." in bench.get("/study/small.toml/run").text
    assert bench.post("/study/small.toml/run", content="action=start").status_code == 303
    end = time.monotonic() + 300
    while "It ended with status 0" not in (page := bench.get("/study/small.toml/run").text):
        assert time.monotonic() < end, page
        time.sleep(0.3)
    assert "36 of 36 fits done, 0 failed. Finished." in page and (folder / "small.toml.log").exists()
    assert bench.get("/study/small.toml/analyse?view=ranking").status_code == 200


def test_a_database_that_is_out_of_reach_is_told_and_the_study_can_still_be_set_up(folder):
    (folder / "small.toml").write_text(f'store = "postgresql://me@127.0.0.1:9/x"\n{STUDY}')
    bench = allowed_client(folder)
    assert "cannot reach" in bench.get("/").text and "cannot reach" in bench.get("/study/small.toml/run").text
    page = bench.get("/study/small.toml/setup")
    assert page.status_code == 200 and "cannot reach" in page.text
    assert act(bench, page, "save", text=STUDY).status_code == 303
