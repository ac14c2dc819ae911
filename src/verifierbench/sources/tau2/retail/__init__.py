"""The shop: orders are cancelled, modified, returned and exchanged for one customer at a time."""
