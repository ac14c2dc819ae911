"""Numbers with their uncertainty: pure functions over decisions, in percent."""

from .figures import Figures, by_family, summary
from .intervals import exact_interval, t_interval
from .rows import complete
from .tasks import TaskFigures, per_task

__all__ = ["Figures", "TaskFigures", "by_family", "complete", "exact_interval", "per_task", "summary", "t_interval"]
