"""The first steps in an empty library: folders, language model, go."""
