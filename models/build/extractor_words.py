"""Words that the rules of `extractor_questions.py` look up."""

from __future__ import annotations

_FUNCTION_WORDS = """
what which who whom whose when where why how many much does that this these those there their they
them with from into about after before during between under over been being have were would could
should will other than then also such some most more less only very because through while
"""

_FIRST_WORDS = """
The This These There However After When While They Their Although During Some Many Most Other Also
With From
"""

_ANTONYMS = """
first/last last/first most/least least/most before/after after/before largest/smallest
smallest/largest biggest/smallest highest/lowest lowest/highest north/south south/north east/west
west/east northern/southern southern/northern eastern/western western/eastern increase/decrease
decrease/increase increased/decreased decreased/increased won/lost lost/won win/lose best/worst
worst/best more/less less/more early/late late/early older/younger younger/older oldest/youngest
youngest/oldest male/female female/male father/mother mother/father king/queen queen/king
born/killed died/married begin/end began/ended end/begin ended/began started/stopped start/stop
founded/abolished built/destroyed upper/lower lower/upper above/below below/above maximum/minimum
minimum/maximum longest/shortest shortest/longest buy/sell bought/sold sold/bought
accepted/rejected rejected/accepted supported/opposed opposed/supported positive/negative
negative/positive major/minor minor/major common/rare popular/unpopular new/old old/new high/low
low/high allow/forbid allowed/forbidden true/false rich/poor poor/rich strong/weak success/failure
successful/unsuccessful inside/outside outside/inside left/joined joined/left gain/lose
gained/lost without/with never/always always/never same/different different/same fewer/more
top/bottom modern/ancient ancient/modern public/private private/public national/local
local/national currently/formerly similar/unlike prior/subsequent subsequent/prior cause/prevent
caused/prevented
"""

FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())
"""Never a name or a noun."""

FIRST_WORDS = frozenset(_FIRST_WORDS.split())
"""Capitalised because a sentence begins with them."""

ANTONYMS: dict[str, str] = dict(pair.split("/") for pair in _ANTONYMS.split())
"""What turns a question round, to what. Not all of it is symmetric."""
