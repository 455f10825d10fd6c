"""The Models page: what is installed, what could be, and how it runs here."""
