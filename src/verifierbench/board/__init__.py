"""What people look at: rows of figures, the table in a terminal, the page in a browser."""

from .configurations import Configuration, read_configurations, report_json
from .page import page
from .table import table

__all__ = ["Configuration", "page", "read_configurations", "report_json", "table"]
