"""The version of Nexus, as `pyproject.toml` has it."""

from importlib.metadata import version

VERSION = version("nexus")
