"""The page About: what the program is, its parts, and their licences."""
