"""The window: everything that knows Qt. It calls `App` and nothing else."""

from desktop_rag.ui import binding

binding.keep_singletons_alive()
