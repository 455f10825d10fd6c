"""Proofs that take minutes and are run by hand.

`build.py prove` installs what is given away on a computer with nothing else on it and without a
network: `session` tells what is done there, `calls` what was seen of the network. `upgrade` proves
upgrades with the code of earlier versions.
"""
