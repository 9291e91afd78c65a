"""The smallest FastAPI app: `uvicorn bench.bare:app`."""

from fastapi import FastAPI

app = FastAPI()


@app.get("/")
def root() -> dict[str, str]:
    return {"status": "ok"}
