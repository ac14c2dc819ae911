"""What the worker scripts beside this folder import; it is on their search path and nowhere else."""
