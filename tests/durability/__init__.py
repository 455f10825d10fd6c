"""What survives kills, full disks and changes of version. `python -m tests.durability.kills`."""
