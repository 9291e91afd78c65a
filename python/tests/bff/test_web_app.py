"""The built web app: its page for every address it routes, its files, and nothing else."""

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import httpx
import pytest

import nexus.bff.app
from nexus.bff.web_app import mount_web_app
from tests.live import LiveNexus, live_nexus

PAGE = "<!doctype html><title>Nexus</title>"
SECRET = "outside the app"
SCRIPT = "let a = 1;" * 200
# Stand-ins: what is in them does not matter to the server.
COMPRESSED = {"br": b"brotli bytes", "gzip": b"gzip bytes"}
MANIFEST = {
    "index.html": {"file": "assets/app-1a2b.js"},
    "src/features/reader/ReaderPage.tsx": {
        "file": "assets/reader-1a2b.js",
        "css": ["assets/reader-1a2b.css"],
        "imports": ["index.html"],
    },
    "src/app/ListViews.tsx": {"file": "assets/lists-1a2b.js", "imports": ["index.html"]},
}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveNexus]:
    """The BFF with a small built app; secrets lie right beside it."""
    root: Path = tmp_path_factory.mktemp("web")
    dist = root / "dist"
    (dist / "assets").mkdir(parents=True)
    (root / "secrets.json").write_text(SECRET)
    (dist / "index.html").write_text(PAGE)
    (dist / "favicon.svg").write_text("<svg/>")
    (dist / "assets" / "app-1a2b.js").write_text("let a = 1")
    (dist / "assets" / "pdf.worker.min-1a2b.mjs").write_text("let a = 1")
    (dist / "assets" / "big-1a2b.js").write_text(SCRIPT)
    (dist / "assets" / "big-1a2b.js.br").write_bytes(COMPRESSED["br"])
    (dist / "assets" / "big-1a2b.js.gz").write_bytes(COMPRESSED["gzip"])
    (dist / ".vite").mkdir()
    (dist / ".vite" / "manifest.json").write_text(json.dumps(MANIFEST))
    (dist / "assets" / "leak").symlink_to(root / "secrets.json")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(nexus.bff.app, "mount_web_app", partial(mount_web_app, dist=dist))
        with live_nexus() as live:
            yield live


@pytest.fixture
def browser(built: LiveNexus) -> Iterator[httpx.Client]:
    with built.browser() as client:
        yield client


def get(browser: httpx.Client, target: str) -> httpx.Response:
    request = browser.build_request("GET", "/", extensions={"target": target.encode()})
    return browser.send(request)


@pytest.mark.parametrize(
    "target", ["/", "/libraries/1", "/read/abc?x=1", "/sign-in", "/apinot", "/a/b/c.html"]
)
def test_client_routes_get_the_page(browser: httpx.Client, target: str) -> None:
    answer = get(browser, target)
    assert (answer.status_code, answer.text) == (200, PAGE)
    assert answer.headers["content-type"].startswith("text/html")
    assert answer.headers["cache-control"] == "no-cache"


def test_files_beside_the_page(browser: httpx.Client) -> None:
    answer = get(browser, "/favicon.svg")
    assert (answer.text, answer.headers["content-type"]) == ("<svg/>", "image/svg+xml")


def test_assets_are_kept_for_ever(browser: httpx.Client) -> None:
    answer = get(browser, "/assets/app-1a2b.js")
    assert answer.text == "let a = 1"
    assert "javascript" in answer.headers["content-type"]
    assert "immutable" in answer.headers["cache-control"]
    etag = {"If-None-Match": answer.headers["etag"]}
    assert browser.get("/assets/app-1a2b.js", headers=etag).status_code == 304


@pytest.mark.parametrize("path", ["/", "/favicon.svg", "/assets/app-1a2b.js"])
def test_what_a_browser_has_is_not_sent_again(browser: httpx.Client, path: str) -> None:
    etag = get(browser, path).headers["etag"]
    for condition in ("*", etag, f"W/{etag}", f'"other", {etag}'):
        answer = browser.get(path, headers={"If-None-Match": condition})
        assert (answer.status_code, answer.content) == (304, b"")
        assert answer.headers["etag"] == etag
    assert browser.get(path, headers={"If-None-Match": '"other"'}).status_code == 200


@pytest.mark.parametrize(
    "target",
    [
        "/assets/missing.js",
        "/assets/",
        "/assets",
        "/assets/%00",
        "/assets/" + "x" * 300,
        "/assets/leak",
        "/assets/../index.html/x",
        "/api",
        "/auth",
        "/auth/nothing",
        "/storage",
    ],
)
def test_what_is_not_there_is_a_404_in_the_envelope(browser: httpx.Client, target: str) -> None:
    answer = get(browser, target)
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "E_NOT_FOUND")
    assert "immutable" not in answer.headers.get("cache-control", "")


@pytest.mark.parametrize(
    "target",
    [
        "/../secrets.json",
        "/..%2fsecrets.json",
        "/%2e%2e/secrets.json",
        "/%252e%252e/secrets.json",
        "/..\\secrets.json",
        "/assets/../../secrets.json",
        "/assets/..%2f..%2fsecrets.json",
        "/assets/%2e%2e/%2e%2e/secrets.json",
        "/assets/....//....//secrets.json",
        "/assets//etc/passwd",
        "//etc/passwd",
        "/%2fetc%2fpasswd",
        "/assets/%2fetc%2fpasswd",
        "/file:///etc/passwd",
    ],
)
def test_nothing_outside_is_served(browser: httpx.Client, target: str) -> None:
    answer = get(browser, target)
    assert SECRET not in answer.text
    assert "root:" not in answer.text
    assert answer.status_code == 404 or answer.text == PAGE


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
def test_the_page_takes_no_changes(browser: httpx.Client, method: str) -> None:
    for path in ("/", "/libraries/1", "/assets/app-1a2b.js"):
        answer = browser.request(method, path)
        assert (answer.status_code, answer.json()["error"]["code"]) == (405, "E_METHOD_NOT_ALLOWED")


def test_head(browser: httpx.Client) -> None:
    answer = browser.head("/")
    assert (answer.status_code, answer.content) == (200, b"")


def test_an_app_that_is_not_built(tmp_path: Path) -> None:
    """One clear line, and no error of ours."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(nexus.bff.app, "mount_web_app", partial(mount_web_app, dist=tmp_path))
        with live_nexus() as live, live.browser() as browser:
            page = browser.get("/")
            assert (page.status_code, "make up" in page.text) == (503, True)
            assert browser.get("/assets/app.js").status_code == 404


def test_only_the_pdf_worker_may_compile_wasm(browser: httpx.Client) -> None:
    worker = get(browser, "/assets/pdf.worker.min-1a2b.mjs").headers["content-security-policy"]
    assert worker == (
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; "
        "require-trusted-types-for 'script'; trusted-types"
    )
    for path in ("/", "/assets/app-1a2b.js"):
        policy = get(browser, path).headers["content-security-policy"]
        assert "wasm" not in policy
        assert "unsafe" not in policy


def test_assets_are_sent_compressed_to_those_who_can_read_it(browser: httpx.Client) -> None:
    path = "/assets/big-1a2b.js"
    plain = browser.get(path, headers={"Accept-Encoding": "identity"})
    assert (plain.text, "content-encoding" in plain.headers) == (SCRIPT, False)
    for offered, chosen in (
        ("gzip, deflate, br", "br"),
        ("gzip;q=1.0", "gzip"),
        ("gzip, br;q=0", "gzip"),
    ):
        with browser.stream("GET", path, headers={"Accept-Encoding": offered}) as answer:
            assert b"".join(answer.iter_raw()) == COMPRESSED[chosen]
        assert answer.headers["content-encoding"] == chosen
        assert answer.headers["vary"] == "Accept-Encoding"
        assert "javascript" in answer.headers["content-type"]
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        known = {"If-None-Match": answer.headers["etag"], "Accept-Encoding": offered}
        assert browser.get(path, headers=known).status_code == 304
    # A range is of the file itself.
    part = browser.get(path, headers={"Range": "bytes=0-3", "Accept-Encoding": "br"})
    assert (part.status_code, part.content) == (206, SCRIPT.encode()[:4])


ITEM = "0193f1c0-aaaa-7bbb-8ccc-0123456789ab"


def test_the_page_of_an_item_names_what_it_needs(built: LiveNexus) -> None:
    with built.signed_up() as somebody, built.browser() as stranger:
        links = somebody.get(f"/read/{ITEM}").headers["link"].split(", ")
        assert links == [
            "</auth/session>; rel=preload; as=fetch; crossorigin",
            f"</api/media/{ITEM}/reading>; rel=preload; as=fetch; crossorigin",
            "</assets/reader-1a2b.css>; rel=preload; as=style; crossorigin",
            "</assets/reader-1a2b.js>; rel=modulepreload; crossorigin",
        ]
        lists = f"{links[0]}, </assets/lists-1a2b.js>; rel=modulepreload; crossorigin"
        assert somebody.get("/").headers["link"] == lists
        # Nothing of an address that is not an item's gets into a header.
        assert somebody.get("/read/x%3E;%22,").headers["link"] == lists
        assert "link" not in somebody.get("/favicon.svg").headers
        assert "link" not in stranger.get(f"/read/{ITEM}").headers
