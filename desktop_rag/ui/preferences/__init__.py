"""The Settings page: everything a person may choose, with a sentence for each."""
