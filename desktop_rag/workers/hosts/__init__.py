"""What runs in each worker process."""
