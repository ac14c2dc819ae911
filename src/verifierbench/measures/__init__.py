"""Numbers with their uncertainty: pure functions over decisions, in percent."""

from .figures import Figures, by_family, summary
from .intervals import t_interval
from .rows import complete
from .tasks import TaskFigures, per_task

__all__ = ["Figures", "TaskFigures", "by_family", "complete", "per_task", "summary", "t_interval"]
