"""The MCP server: a thin skin over `App` for assistants that run on this computer."""

import sys

# The SDK's web parts load a web server when there is one. It would never be started; without it
# there is nothing to start, and the program is ready sooner.
sys.modules.setdefault("uvicorn", None)  # type: ignore[arg-type]
