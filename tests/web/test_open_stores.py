"""A store that stays open shows what is there now."""

import shutil
import sqlite3
from contextlib import closing

from veracity.web.open_stores import OpenStores


def test_a_fit_that_somebody_took_away_is_not_shown(finished, tmp_path):
    where = str(shutil.copy(finished / "small.db", tmp_path))
    stores = OpenStores()
    before = next(iter(stores.runs(where)))
    key = stores.open(where).cells(before.data, before.learner, before.design.name)[0]
    with closing(sqlite3.connect(where)) as other, other:
        other.execute("delete from veracity_fits where key = ?", (key,))
    assert before.complete and next(iter(stores.runs(where))).absent == 1
