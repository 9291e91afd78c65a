from collections.abc import Callable

import pytest

from nexus.storage.errors import SignatureExpired, SignatureInvalid
from nexus.storage.signing import DownloadGrant, UploadGrant, UrlSigner

PATH = "media/6f1c1a52-3c43-4f0e-9b0a-0d6b8e5f7a11/original.pdf"
NOW = 1_800_000_000
SIGNER = UrlSigner("secret")

UPLOAD = SIGNER.upload_query(
    PATH, content_type="application/pdf", size_bytes=1000, expires_at=NOW + 300
)
DOWNLOAD = SIGNER.download_query(PATH, filename="Ünï & co/x.pdf", expires_at=NOW + 300)

Verify = Callable[..., object]
KINDS = [
    pytest.param(UPLOAD, SIGNER.verify_upload, id="upload"),
    pytest.param(DOWNLOAD, SIGNER.verify_download, id="download"),
]


def test_a_good_url_grants_what_was_signed() -> None:
    assert SIGNER.verify_upload(PATH, UPLOAD, now=NOW) == UploadGrant("application/pdf", 1000)
    assert SIGNER.verify_download(PATH, DOWNLOAD, now=NOW) == DownloadGrant("Ünï & co_x.pdf")


@pytest.mark.parametrize(("query", "verify"), KINDS)
def test_every_flipped_bit_is_noticed(query: str, verify: Verify) -> None:
    for position in range(len(query)):
        for bit in range(8):
            flipped = chr(ord(query[position]) ^ (1 << bit))
            forged = query[:position] + flipped + query[position + 1 :]
            with pytest.raises(SignatureInvalid):
                verify(PATH, forged, now=NOW)


@pytest.mark.parametrize(("query", "verify"), KINDS)
def test_every_flipped_bit_of_the_path_is_noticed(query: str, verify: Verify) -> None:
    for position in range(len(PATH)):
        for bit in range(8):
            flipped = chr(ord(PATH[position]) ^ (1 << bit))
            with pytest.raises(SignatureInvalid):
                verify(PATH[:position] + flipped + PATH[position + 1 :], query, now=NOW)


@pytest.mark.parametrize(("query", "verify"), KINDS)
def test_every_cut_is_noticed(query: str, verify: Verify) -> None:
    for length in range(len(query)):
        with pytest.raises(SignatureInvalid):
            verify(PATH, query[:length], now=NOW)


@pytest.mark.parametrize(("query", "verify"), KINDS)
@pytest.mark.parametrize(
    "change",
    [
        lambda q: f"{q}&size=9",
        lambda q: f"size=9&{q}",
        lambda q: f"expires={NOW + 9999}&{q}",
        lambda q: q.replace("&signature=", f"&expires={NOW + 9999}&signature="),
        lambda q: f"{q}&signature={q.rpartition('=')[2]}",
        lambda q: f"{q}&",
        lambda q: f"&{q}",
        lambda q: f"{q}#",
        lambda q: f"{q} ",
        lambda q: q.replace("%", "%25"),
        lambda q: q.replace("%2F", "/").replace("%20", "+"),
        lambda q: q.upper(),
        lambda q: "&".join(reversed(q.split("&"))),
        lambda q: q.rpartition("&")[0],
        lambda q: "signature=" + q.rpartition("=")[2],
        lambda q: "",
    ],
)
def test_other_spellings_are_refused(
    query: str, verify: Verify, change: Callable[[str], str]
) -> None:
    with pytest.raises(SignatureInvalid):
        verify(PATH, change(query), now=NOW)


@pytest.mark.parametrize(("query", "verify"), KINDS)
def test_expiry(query: str, verify: Verify) -> None:
    verify(PATH, query, now=NOW + 299.9)
    for late in (300, 300.1, 10**9):
        with pytest.raises(SignatureExpired):
            verify(PATH, query, now=NOW + late)


def test_an_expired_forgery_is_a_forgery() -> None:
    with pytest.raises(SignatureInvalid):
        SIGNER.verify_upload(PATH, UPLOAD + "0", now=NOW + 9999)


def test_another_method_path_or_secret_is_refused() -> None:
    other = PATH.replace("6f1c", "6f1d")
    for attempt in (
        lambda: SIGNER.verify_download(PATH, UPLOAD, now=NOW),
        lambda: SIGNER.verify_upload(PATH, DOWNLOAD, now=NOW),
        lambda: SIGNER.verify_upload(other, UPLOAD, now=NOW),
        lambda: SIGNER.verify_download(f"{PATH}/../original.pdf", DOWNLOAD, now=NOW),
        lambda: UrlSigner("secret2").verify_upload(PATH, UPLOAD, now=NOW),
        lambda: UrlSigner("").verify_download(PATH, DOWNLOAD, now=NOW),
    ):
        with pytest.raises(SignatureInvalid):
            attempt()


@pytest.mark.parametrize(
    ("content_type", "size"),
    [("application/pdf", -1), ("", 1), ("pdf", 1), ("a/b; c=d", 1), ("a/b\r\nx", 1), ("A/B", 1)],
)
def test_senseless_uploads_are_not_signed(content_type: str, size: int) -> None:
    with pytest.raises(ValueError, match="content type"):
        SIGNER.upload_query(PATH, content_type=content_type, size_bytes=size, expires_at=NOW)
