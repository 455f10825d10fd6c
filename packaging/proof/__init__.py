"""Proofs that take minutes and are run by hand."""
