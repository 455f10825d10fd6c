"""The MCP server: a thin skin over `App` for assistants that run on this computer."""
