"""Each rule of security, asked by raw sockets of a real server."""

import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.web.conftest import client_of
from veracity.web.guard import HEADERS, LARGEST_FORM, Rules

POLICY = HEADERS["content-security-policy"]


class Server:
    """`veracity serve` as a process of its own."""

    def __init__(self, *words):
        line = [sys.executable, "-m", "veracity", "serve", *words, "--no-browser"]
        self.process = self.start(line)
        self.address = self.process.stdout.readline().decode().strip()
        self.port = urlsplit(self.address).port
        self.token = self.address.partition("token=")[2]

    def start(self, line):
        return subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def send(self, *lines, body=b""):
        """The status and the whole answer to a request as it is written."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=300) as talk:
            talk.sendall("\r\n".join([*lines, "connection: close", "", ""]).encode("latin-1") + body)
            answer = b"".join(iter(lambda: talk.recv(65536), b"")).decode("utf-8", "replace")
        return int(answer.split()[1]), answer

    def get(self, path, *headers, method="GET", host=None):
        return self.send(f"{method} {path} HTTP/1.1", f"host: {host or f'127.0.0.1:{self.port}'}", *headers)

    @property
    def bearer(self):
        return f"authorization: Bearer {self.token}"

    def end(self, how=signal.SIGINT):
        if self.process.poll() is None:
            self.process.send_signal(how)
        out, err = self.process.communicate(timeout=300)  # however busy the machine is
        return self.process.returncode, out.decode(), err.decode()


@pytest.fixture(scope="module")
def server(finished):
    served = Server(str(finished))
    yield served
    assert served.end()[0] == 0


def test_the_first_line_is_the_address_with_a_token_of_192_bits(server):
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/open\?token=[A-Za-z0-9_-]{32}", server.address)


def test_without_the_token_nothing_is_told(server):
    for path in ("/", "/study/small.db/analyse", "/assets/page.css", "/api/studies", "/nothing"):
        status, answer = server.get(path)
        assert status == 403 and "nb" not in answer.partition("place")[0]
    assert server.get("/", "cookie: veracity-1=x", "authorization: Bearer wrong")[0] == 403
    assert server.get(f"/open?token={server.token[:-1]}")[0] == 403


def test_the_token_becomes_a_cookie_and_leaves_the_address(server):
    status, answer = server.get(f"/open?token={server.token}")
    assert status == 303 and re.search(r"(?i)^location: /\r$", answer, re.M)
    cookie = re.search(r"(?i)^set-cookie: (.*)\r$", answer, re.M)[1]
    assert (
        cookie.startswith(f"veracity-{server.port}=") and "HttpOnly" in cookie and "samesite=strict" in cookie.lower()
    )
    assert server.get("/", f"cookie: {cookie.partition(';')[0]}")[0] == 200
    assert server.get("/", server.bearer)[0] == 200


def test_the_cookie_is_not_the_token_and_each_is_taken_in_its_own_place(server):
    """Cookies are shown to every port of a host: what a neighbour sees there must not be what opens the workbench."""
    answers = [server.get(f"/open?token={server.token}")[1] for _ in range(2)]  # the printed line stays valid
    first, second = (re.search(rf"(?i)^set-cookie: veracity-{server.port}=([^;]*);", one, re.M)[1] for one in answers)
    assert len({first, second, server.token}) == 3 and min(len(first), len(second)) >= 32
    for session in (first, second):
        assert server.get("/", f"cookie: veracity-{server.port}={session}")[0] == 200
        assert server.get("/", f"authorization: Bearer {session}")[0] == 403
        assert server.get(f"/open?token={session}")[0] == 403
    for wrong in (server.token, "", first[:-1], f"{first}x", "x" * 5_000):
        assert server.get("/", f"cookie: veracity-{server.port}={wrong}")[0] == 403
    assert server.get("/", f"cookie: veracity-{server.port + 1}={first}")[0] == 403


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example:{port}", ""])
def test_a_foreign_host_is_refused_with_the_option_that_allows_it(server, host):
    status, answer = server.get("/", server.bearer, host=host.format(port=server.port) or " ")
    assert status == 421 and "--allow-host" in answer


def test_two_hosts_are_none(server):
    for first, second in ((f"127.0.0.1:{server.port}", "evil.example"), ("evil.example", f"127.0.0.1:{server.port}")):
        status, _ = server.send("GET / HTTP/1.1", f"host: {first}", f"host: {second}", server.bearer)
        assert status in (400, 421)


def test_nobody_listens_on_another_address_of_this_machine(server):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:  # which sends nothing
        try:
            asked.connect(("192.0.2.1", 9))
        except OSError:
            pytest.skip("this machine has no other address")
        other = asked.getsockname()[0]
    if other.startswith("127."):
        pytest.skip("this machine has no other address")
    with pytest.raises(OSError, match=r"refused|unreachable|timed out"):
        socket.create_connection((other, server.port), timeout=5)


def test_who_is_let_in_from_elsewhere_needs_the_token_too(finished):
    served = Server(str(finished), "--host", "0.0.0.0", "--allow-host", "bench.example")
    try:
        host = f"bench.example:{served.port}"
        assert served.get("/", host=host)[0] == 403 and served.get("/", served.bearer, host=host)[0] == 200
        assert served.get("/", served.bearer, host=f"other.example:{served.port}")[0] == 421
        assert host in served.address
    finally:
        served.end()


def test_a_workbench_that_only_shows_refuses_every_change(folder):
    served = Server(str(folder), "--read-only")
    try:
        before = (folder / "small.toml").read_bytes()
        own = (served.bearer, "sec-fetch-site: same-origin", f"origin: http://127.0.0.1:{served.port}")
        for method, path in (
            ("POST", "/study/small.toml/run"),
            ("POST", "/study/new"),
            ("PUT", "/api/studies/small.toml/study"),
            ("DELETE", "/api/studies/small.toml/runs"),
            ("POST", "/api/files?name=a.csv&to=folder"),
            ("POST", "/score"),
        ):
            status, answer = served.get(path, *own, "content-length: 0", method=method)
            assert status == 403 and "--read-only" in answer, path
        assert served.get("/study/small.toml/run", served.bearer)[0] == 200
        assert (folder / "small.toml").read_bytes() == before and not (folder / "small.db.log").exists()
    finally:
        served.end()


def test_our_own_names_are_answered(server):
    for host in ("localhost", "127.0.0.1", "[::1]"):
        assert server.get("/", server.bearer, host=f"{host}:{server.port}")[0] == 200


def test_a_name_that_is_allowed_is_answered_as_a_proxy_calls_it():
    rules = Rules("t", 9000, allowed=("bench.example",))
    for host, status in (("bench.example", None), ("bench.example:9000", None), ("other.example:9000", 421)):
        refusal = rules.refusal("GET", "/", {"host": host, "authorization": "Bearer t"})
        assert (refusal and refusal.status) == status
    change = {"host": "bench.example", "authorization": "Bearer t", "origin": "https://bench.example"}
    assert rules.refusal("POST", "/", change) is None
    assert rules.refusal("POST", "/", {**change, "origin": "https://evil.example"}).status == 403


def test_every_answer_has_the_strict_headers(server):
    head = ("POST /study/new HTTP/1.1", f"host: 127.0.0.1:{server.port}", server.bearer)
    for status, answer in (
        server.get("/", server.bearer),
        server.get("/"),
        server.get("/", host="evil"),
        server.get("/nowhere", server.bearer),
        server.get("/list", server.bearer, method="POST"),
        server.get("/assets/page.css", server.bearer),
        server.get("/study/small.db/analyse.csv?view=estimates", server.bearer),
        server.send(*head, f"content-length: {LARGEST_FORM + 1}"),
    ):
        assert status in (200, 403, 404, 405, 413, 421) and answer.lower().count("content-security-policy:") == 1
        for name, value in HEADERS.items():
            assert f"{name}: {value}\r\n" in answer
    assert "unsafe" not in POLICY and "*" not in POLICY


def test_a_change_that_another_site_asks_for_is_refused(server):
    own = f"http://127.0.0.1:{server.port}"
    for headers in (
        ("sec-fetch-site: cross-site",),
        ("sec-fetch-site: same-site",),
        ("origin: http://evil.example",),
        ("origin: null",),
        ("origin: null", "sec-fetch-site: cross-site"),
        ("origin: http://evil.example", "sec-fetch-site: same-origin"),
        (f"origin: {own}1",),
    ):
        status, answer = server.get("/study/new", server.bearer, *headers, method="POST")
        assert status == 403 and "another site" in answer
    for origin in (own, "null"):  # which a form of a page without referrer has
        headers = (server.bearer, f"origin: {origin}", "sec-fetch-site: same-origin")
        assert server.get("/list", *headers, method="POST")[0] == 405


def test_bodies_are_limited_whatever_they_say_of_their_length(server, finished):
    head = ("POST /study/new HTTP/1.1", f"host: 127.0.0.1:{server.port}", server.bearer)
    assert server.send(*head, f"content-length: {LARGEST_FORM + 1}")[0] == 413
    part = b"10000\r\n" + b"x" * 2**16 + b"\r\n"
    chunked = part * (LARGEST_FORM // 2**16 + 1) + b"0\r\n\r\n"
    assert server.send(*head, "transfer-encoding: chunked", body=chunked)[0] == 413
    assert server.send(*head, "content-length: many")[0] in (400, 413)


@pytest.mark.parametrize(
    "name", ["../secret.db", "..%2fsecret.db", "%2fetc%2fpasswd", "link.db", "small.db%00", "....//secret.db"]
)
def test_paths_stay_in_the_folder(folder, name):
    (folder.parent / "secret.db").write_bytes((folder / "small.db").read_bytes())
    (folder / "link.db").symlink_to(folder.parent / "secret.db")
    for answer in (client_of(folder).get(f"/study/{name}/analyse"), client_of(folder).get(f"/score?file={name}")):
        assert answer.status_code == 404
    assert "link.db" not in client_of(folder).get("/").text


def test_a_path_as_no_browser_sends_it_stays_in_the_folder(server):
    for path in (
        "/study/../../../../etc/passwd/analyse",
        "/study/..%2f..%2f..%2fetc%2fpasswd/setup",
        "/score?file=../../../../etc/passwd&view=scores",
        "/score?file=/etc/passwd&view=scores",
        "/assets/../pages.py",
        "/assets/..%2fpages.py",
        "//etc/passwd",
    ):
        status, answer = server.get(path, server.bearer)
        assert status == 404 and "root:" not in answer and "def page(" not in answer, path


def test_other_machines_need_a_name_to_call_by(finished):
    served = Server(str(finished), "--host", "0.0.0.0")
    status, out, err = served.end()
    assert status == 2 and not out and "--allow-host" in err


def test_a_port_that_is_taken_is_told(server, finished):
    status, _, err = Server(str(finished), "--port", str(server.port)).end()
    assert status == 2 and "leave out --port" in err


def test_what_is_not_there_is_told(tmp_path):
    status, _, err = Server(str(tmp_path / "nowhere")).end()
    assert status == 2 and "is not there" in err


def test_passwords_are_never_shown(tmp_path):
    secret = "hunter2hunter2"
    bench = client_of(f"postgresql+psycopg://me:{secret}@127.0.0.1:9/none")
    for path in ("/", "/api/studies", "/study/database/analyse", "/study/database/analyse.json"):
        assert secret not in bench.get(path).text


def test_nothing_unpickles_or_draws_on_other_servers():
    """No module of the workbench names pickle, and no template names another host."""
    folder = Path(__file__).parents[2] / "veracity" / "web"
    texts = {
        path: path.read_text("utf-8") for path in folder.rglob("*") if path.suffix in (".py", ".html", ".js", ".css")
    }
    assert not [path for path, text in texts.items() if "pickle" in text or "joblib" in text]
    assert not [path for path, text in texts.items() if re.search(r"(?<!xmlns=\")https?://(?!\{)", text)]
    unsafe = re.compile(r"style=|onclick|innerHTML|(?<!literal_)eval\(")
    assert not [path for path, text in texts.items() if unsafe.search(text)]


def test_the_command_line_does_not_wait_for_the_server():
    loaded = "print({'starlette', 'uvicorn'} & set(sys.modules))"
    code = f"import sys, veracity.cli.main, veracity.cli.commands.manual; {loaded}"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=dict(os.environ))
    assert out.stdout.strip() == "set()"
