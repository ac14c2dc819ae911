"""The built-in loop's own program: it runs in the cell, and imports nothing of ours."""
