"""`nexus search`: find something in one account."""

from typing import Annotated, Any
from urllib.parse import urlencode

import typer

from nexus.cli.nexus_api import api_for


def search(
    query: Annotated[
        list[str],
        typer.Argument(help='Words, "phrases", filters such as tag:work. After --, also -without.'),
    ],
    limit: Annotated[int, typer.Option(min=1, max=100)] = 20,
    user: Annotated[
        str | None,
        typer.Option(help="E-mail of the account to search in."),
    ] = None,
) -> None:
    """Search texts, titles, highlights and notes."""
    with api_for(user) as api:
        parameters = urlencode({"q": " ".join(query) + " ", "limit": limit})
        results = api.get(f"/search?{parameters}")["results"]
    for result in results:
        typer.echo(f"{result['media']['id']}  {result['type']:<9}  {result['media']['title'][:80]}")
        if result["type"] != "item":
            typer.echo(f"    {_marked(result['snippet'])}")
    if not results:
        typer.echo("Nothing found.")


def _marked(snippet: dict[str, Any]) -> str:
    """The text with its hits in bold; where it is piped to, without."""
    text, shown, last = snippet["text"], "", 0
    for start, end in snippet["hits"]:
        shown += text[last:start] + typer.style(text[start:end], bold=True)
        last = end
    return shown + str(text[last:])
