"""The book in the README's picture."""

import io

from PIL import Image, ImageDraw

from tests.epub_files import Book, line, nav, page, toc

CHAPTERS = {
    "The lamp is lit": (
        "Every evening, an hour before the water turned, Ines carried the lamp down to the end of "
        "the quay. Nobody had asked her to. The harbour master had a light of his own, an electric "
        "one, and it stood on a tower that could be seen from nine miles out.",
        "But hers was the one the boats came home by.<NOTE/> It stood low, and it was yellow, and "
        "from the water it looked like a window in which somebody is still awake.",
        "“A tower tells you where the land is,” the pilot used to say. “A window tells you that "
        "you are expected.” He said it every time, and every time she filled the lamp as if she "
        "had not heard.",
    ),
    "Slack water": (
        "There is a quarter of an hour between the tides in which nothing is decided. The weed "
        "hangs straight down from the piles, and a cork that is dropped beside the steps is still "
        "beside the steps when one comes back for it.",
    ),
    "What the ebb left": (
        "In the morning the sand was ruled like paper, and something had been written on it.",
    ),
    "The pilot’s ledger": ("He wrote down ships, and the weather, and now and then a name.",),
    "Spring tide": ("On the night of the new moon the water came up to the third step.",),
}
NOTE = "A lamp of two candles is seen at four miles on a clear night, and hers had three."
HIGHLIGHTS = {
    "yellow": "from the water it looked like a window in which somebody is still awake",
    "green": "A window tells you that you are expected",
}


def lamp_book() -> bytes:
    """A short novel with a cover, notes and contents."""
    documents: dict[str, str | bytes] = {
        f"{number}.xhtml": page(_chapter(number, title, paragraphs))
        for number, (title, paragraphs) in enumerate(CHAPTERS.items(), 1)
    }
    documents["notes.xhtml"] = page(
        f'<h2>Notes</h2><p id="n1"><a href="1.xhtml#r1">1</a> {NOTE}</p>'
    )
    lines = "".join(line(f"{n}.xhtml", title) for n, title in enumerate(CHAPTERS, 1))
    return Book(
        documents=documents,
        files={"cover.jpg": _cover(), "nav.xhtml": nav(toc(lines))},
        properties={"cover.jpg": "cover-image", "nav.xhtml": "nav"},
        metadata="<dc:title>The Lamp on the Quay</dc:title><dc:creator>Mara Lindqvist</dc:creator>"
        "<dc:publisher>Harbour Press</dc:publisher><dc:language>en</dc:language>",
    ).bytes()


def _chapter(number: int, title: str, paragraphs: tuple[str, ...]) -> str:
    reference = '<sup id="r1"><a href="notes.xhtml#n1">1</a></sup>'
    text = "".join(f"<p>{each}</p>" for each in paragraphs).replace("<NOTE/>", reference)
    return f'<h2 id="c{number}">{title}</h2>{text}'


def _cover() -> bytes:
    """Night, a quay, and a lamp with its light on the water."""
    image = Image.new("RGB", (600, 900), "#16263c")
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 560, 600, 900), fill="#0d1827")
    draw.rectangle((0, 540, 330, 620), fill="#3c332c")
    draw.ellipse((255, 420, 345, 510), fill="#f2c14e")
    draw.rectangle((292, 500, 308, 545), fill="#3c332c")
    for row in range(640, 880, 34):
        reach = (row - 560) // 5
        draw.rounded_rectangle((300 - reach, row, 300 + reach, row + 9), 4, fill="#b98c34")
    output = io.BytesIO()
    image.save(output, "JPEG", quality=90)
    return output.getvalue()
