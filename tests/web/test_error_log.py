"""Errors that nobody expected stand in the terminal of the server, by the number that the page shows."""

import re
import sys

from tests.web.test_guard import Server

BROKEN = """import runpy, sys
from veracity.web import desk, live

def broken(*_):
    raise TypeError("broken at postgresql://me:hunter2@host/x")

desk.desk_page = live.look = broken
runpy.run_module("veracity", run_name="__main__", alter_sys=True)
"""


class BrokenServer(Server):
    """One of which two views raise what nobody expects."""

    def start(self, line):
        return super().start([sys.executable, "-c", BROKEN, *line[3:]])


def test_an_unexpected_error_is_logged_by_the_number_on_the_page_and_no_secret_is(folder):
    server = BrokenServer(str(folder))
    cookie = re.search("(?i)^set-cookie: ([^;]*)", server.get(f"/open?token={server.token}")[1], re.M)[1]
    answers = [server.get("/?q=a-question", f"cookie: {cookie}")]
    answers += [server.get("/study/small.toml/run", server.bearer) for _ in range(2)]
    assert [status for status, _ in answers] == [500, 200, 200]
    numbers = [
        re.search(r"unexpected error: TypeError: broken at .*\(error ([0-9a-f]{8}),", page)[1] for _, page in answers
    ]
    log = server.end()[2]
    assert numbers[0] != numbers[1] == numbers[2]  # a page that looks again says the same
    for number, path in zip(numbers, ("/", "/study/small.toml/run"), strict=False):
        assert log.count(f"error {number} at GET {path}\n") == 1
    assert log.count("Traceback") == 2 and log.count("in broken") == 2
    for secret in (server.token, cookie.partition("=")[2], "hunter2", "a-question"):
        assert secret not in log
    assert "hunter2" not in "".join(page for _, page in answers)
