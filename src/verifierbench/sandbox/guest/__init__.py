"""What runs on the untrusted side: standard library only, loaded before privileges are dropped."""
