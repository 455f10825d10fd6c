"""From the model's text with [n] to an answer whose every citation was checked.

The model's numbers are a hint. Each sentence is compared with the passages: numbers that do not
exist are dropped, a sentence that another passage supports is pointed there, one without a number
gets the passage that supports it, one that two passages support together gets both, and one that
nothing supports is marked. The quote of a citation is the stretch of the passage that supports the
sentence best, so a click lands on the line, not on the page.
"""

from desktop_rag.domain.citing.answer import Cited, cite
from desktop_rag.domain.citing.trust import confidence
from desktop_rag.domain.citing.writing import Locate, Place, citation_of

__all__ = ["Cited", "Locate", "Place", "citation_of", "cite", "confidence"]
