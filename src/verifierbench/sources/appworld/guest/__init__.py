"""What runs inside AppWorld's guarded workers; nothing here may import the package around it."""
