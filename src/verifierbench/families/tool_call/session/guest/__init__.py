"""What runs inside a guarded worker; nothing here may import the package around it."""
