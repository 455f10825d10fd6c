"""Child processes that hold the native engines, and the proxies that reach them."""
