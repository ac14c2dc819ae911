"""What people look at: rows of figures, the table in a terminal, the page in a browser."""

from .configurations import Configuration, read_configurations, report_json, run_folders
from .page import page
from .table import WIDE, table

__all__ = ["WIDE", "Configuration", "page", "read_configurations", "report_json", "run_folders", "table"]
