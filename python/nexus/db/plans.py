"""Statements whose plan depends on whom they are asked for.

A statement that is run often is prepared, and after a while planned once for all values. That suits
the average library, and reads a large one whole. A statement marked with `PLAN_EACH_TIME` is
planned for the values it is given.
"""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Engine, event

_OPTION = "nexus_plan_each_time"
PLAN_EACH_TIME = {_OPTION: True}
"""For `execution_options` of a statement."""


def plan_marked_statements_each_time(engine: Engine) -> None:
    event.listen(engine, "do_execute", _execute)


def is_planned_each_time(options: Mapping[str, Any]) -> bool:
    """Whether a statement with these execution options is marked."""
    return bool(options.get(_OPTION))


def _execute(cursor: Any, statement: str, parameters: Any, context: Any) -> bool:
    """True when the statement was run here."""
    if not is_planned_each_time(context.execution_options):
        return False
    cursor.execute(statement, parameters, prepare=False)
    return True
