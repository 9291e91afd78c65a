import json

from tests.browser import REPOSITORY
from tests.canonical.twin import Twin

CASES = json.loads((REPOSITORY / "canonical" / "cases.json").read_text())


def test_the_browser_agrees_with_every_shared_case(twin: Twin) -> None:
    readings = twin.read([case["html"] for case in CASES])
    found = [
        (case["name"], reading.text, [list(node) for node in reading.nodes])
        for case, reading in zip(CASES, readings, strict=True)
    ]
    assert found == [(case["name"], case["text"], case["nodes"]) for case in CASES]
