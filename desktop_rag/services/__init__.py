"""Use cases. They call ports and publish events; they know neither Qt nor processes."""
