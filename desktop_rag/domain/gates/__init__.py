"""The quality gates of retrieval, as data: what is asked, why, and how it is judged.

Where the bounds come from: the constant of the fusion and the number of candidates from its paper
(Cormack, Clarke & Buettcher, SIGIR 2009) and the measurements in `domain.fusion`; sizes and overlap
from those of the chunker; the rest is what a person notices.
"""
