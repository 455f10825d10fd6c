"""What text that gives orders to a language model reads like, in ten languages.

The patterns are for one sentence on one line, as `domain.orders` cuts it.
"""

from __future__ import annotations

import re

# ruff: noqa: E501
_MODEL = (
    r"(?:AI|A\.I\.|KI|IA|LLMs?|chat ?bots?|(?:large )?language models?|Sprachmodell\w*|GPT|ChatGPT"
    r"|Copilot|Gemini|Claude|(?:AI|KI|virtual|digital) ?-?assistants?|assistants? IA"
    r"|modèles? de langage|modelos? de (?:lenguaje|linguagem)|modell[oi] linguistic[oi]"
    r"|taalmodel\w*|modele? językow\w*|языков\w+ модел\w+|нейросет\w*|ИИ|人工智能|语言模型|AI助手)"
)
_NOBODY = (
    r"(?!(?:[ -]\w+)?[ -](?:users?|experts?|engineers?|teams?|developers?|systems?|research\w*|compan\w+|vendors?"
    r"|Experten|Systeme?\w*|Nutzer\w*|Entwickler\w*)\b)"
)
"""People and things that are called after models."""
_BEFORE = (
    r"(?:previous|prior|above|preceding|earlier|former|foregoing|existing|original|system|initial"
    r"|other|vorherig\w*|vorangehend\w*|bisherig\w*|obig\w*|früher\w*|vorig\w*|précédent\w*"
    r"|antérieur\w*|anterior\w*|previ[ao]s|precedent[ie]|sopra|eerdere|vorige|bovenstaande"
    r"|poprzedni\w*|wcześniejsz\w*|powyższ\w*|предыдущ\w+|прежн\w+)"
)
_RULES = (
    r"(?:instructions?|prompts?|commands?|directives?|guidelines|guardrails|Anweisung\w*"
    r"|Instruktion\w*|Befehl\w*|Vorgaben|instrucciones|instruções|órdenes|consignes|istruzioni"
    r"|instructies|opdrachten|instrukcj\w*|polece\w*|инструкци\w*|указани\w*|команд\w*)"
)
_NOT = r"(?<!not )(?<!n't )(?<!n’t )(?<!never )(?<!nicht )(?<!no )(?<!ne )(?<!n')(?<!n’)(?<!may )(?<!can )(?<!to )"
_DROP = (
    _NOT + r"\b(?:ignore|disregard|forget|override|overrule|bypass|neglect|do not (?:follow|obey)"
    r"|stop following|ignorier\w*|missacht\w*|vergiss|vergessen sie|ignorez|oubli(?:e|ez)|ignora[dr]?"
    r"|ignoren|olvid[ae]\w*|esque[çc]a|ignorate|dimentica\w*|negeer|vergeet|zignoruj\w*|ignoruj\w*"
    r"|zapomnij\w*|игнорируй\w*|проигнорируй\w*|забудь\w*)"
)
_ALL = (
    r"(?:all|any|every|everything|your|these|my|alle\w*|sämtliche\w*|deine\w*|ihre|toutes?|tous|vos"
    r"|tes|tod[ao]s|tus|sus|tutt[ei]|le tue|al|jouw|wszystkie|wszelkie|swoje|все|всё|любые|свои)"
)
_YOUR = r"(?:your|deine\w*|ihre|vos|tes|tus|sus|le tue|jouw|swoje|свои)"
SOLE = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        # "Ignore all previous instructions", "ignore your instructions", "forget the system prompt"
        rf"{_DROP}\b[\s,:]+(?:\w+\s+){{0,2}}?(?:{_ALL}\s+(?:\w+\s+){{0,2}}?{_BEFORE}\s+(?:\w+\s+)?"
        rf"|{_YOUR}\s+(?:\w+\s+){{0,3}}?){_RULES}\b",
        rf"{_DROP}\b[\s,:]+(?:\w+\s+){{0,4}}?(?:system|initial)[ -]?prompt\b",
        rf"{_DROP}\b[\s,:]+(?:\w+\s+){{0,2}}?(?:everything|anything|whatever|all)\s+(?:\w+\s+){{0,3}}?"
        r"(?:you (?:were|have been|are) told|(?:written|said|stated|told)\s+(?:above|before|so far)|above this)",
        # toutes les instructions précédentes, todas las instrucciones anteriores
        rf"{_DROP}\b[\s,:]+(?:\w+\s+){{0,4}}?{_RULES}\s+{_BEFORE}\b",
        r"(?:忽略|无视|忘记|忽視|無視)[^。\n]{0,12}(?:指令|指示|提示|说明)",
        r"(?:以前|これまで|上記|前)の(?:すべての)?(?:指示|命令|プロンプト)[^。\n]{0,4}(?:無視|忘れ)",
        # the one who is spoken to is a model
        rf"\b(?:note|message|instructions?|attention|notice|important|hinweis|anweisung(?:en)?|dear|hey"
        rf"|hello|achtung|nota|mensaje|message)\b[ \t]*(?:to|for|:|,|an|für|para|pour|à|per)?[ \t]*"
        rf"(?:all|any|every|the|die|das|alle|jede\w*|el|la|les?|l'|l’)?[ \t]*{_MODEL}\b"
        rf"{_NOBODY}[^.\n]{{0,60}}"
        r"(?:[:,!]|\bmust\b|\bshould\b|\bmuss\b|\bsollen?\b|\bdebes?\b|\bdoit\b|\bdoivent\b|\bread)",
        rf"\b(?:if|when|as|wenn|si|se|als)\s+(?:you(?:'re|’re| are)?|du|sie|eres|usted es|tu es|vous êtes)\s+(?:\w+\s+){{0,2}}?"
        rf"(?:an?|ein\w*|un[ae]?)\s+(?:\w+\s+){{0,2}}?{_MODEL}\b{_NOBODY}",
        rf"\b{_MODEL}(?:\s+\w+){{0,3}}\s+(?:reading|processing|summari[sz]ing|analy[sz]ing|that reads|which reads"
        r"|liest|lesen|lee|lit)\s+(?:this|that|the|dies\w*|este|esto|ce|cette)\b",
        r"\b(?:reveal|print|repeat|output|show|leak|disclose|display)\s+(?:\w+\s+){0,2}?(?:your|the)\s+"
        r"(?:\w+\s+){0,2}?(?:system prompt|initial prompt|hidden prompt|secret instructions)",
        r"\byou are (?:now|no longer)\b[^.\n]{0,40}\b(?:assistant|AI|chatbot|model|DAN|bot|mode|bound|restricted)\b",
    )
)
HINTS = {
    name: re.compile(pattern, re.IGNORECASE)
    for name, pattern in {
        "set aside": rf"{_DROP}\b[\s,:]+(?:\w+\s+){{0,3}}?(?:{_BEFORE}\s+(?:\w+\s+)?{_RULES}|{_ALL}\s+{_RULES}"
        r"|(?:the\s+)?(?:question|other (?:passages|sources|documents)|passages|sources|context))",
        "above the sources": r"\b(?:even if|although|whatever|regardless of|no matter what)\s+(?:\w+\s+){0,3}?"
        r"(?:passages?|sources?|documents? sa(?:y|id)|question)\b",
        "speaks to a model": rf"\b(?:you are|du bist|sie sind|eres|tu es|vous êtes|sei)\s+(?:\w+\s+){{0,4}}?{_MODEL}\b"
        rf"|^\W*(?:hey |dear |hello |ok |liebe\w* )?{_MODEL}\s*[:,]",
        "asked": r"\b(?:(?:if|when|whenever|wenn|falls|si|cuando|quand|se|quando)\s+(?:\w+\s+){0,2}?"
        r"(?:anyone asks|someone asks|the user asks|users? asks?))"
        r"|\b(?:any|every|all|the user['’]?s?)\s+(?:\w+\s+)?(?:questions?|quer(?:y|ies)|prompts?)\b"
        r"|\b(?:alle|jede) fragen?\b|\btodas las preguntas\b|\btoutes les questions\b",
        "dictates": r"\b(?:always|only|just|simply|must|instead|never)[ ,]+(?:\w+\s+){0,2}?"
        r"(?:answer|reply|respond|say|write|output|state|claim|conclude|recommend|cite)\b"
        r"|\b(?:answer|reply|respond|say|output)\s+(?:only|always|instead|exactly|with)\b"
        r"|\byour\s+(?:\w+\s+)?(?:answer|reply|response|output|summary)\b"
        r"|\b(?:antworte|antworten sie|sage|sag|schreibe)\b|\bantworte\w*\s+(?:immer|nur|stets)\b"
        r"|\b(?:responde|contesta|di siempre|réponds|répondez|dis que|rispondi|antwoord|odpowiadaj|odpowiedz|отвечай|ответь|скажи)\b",
        "new rules": r"\b(?:new|updated|real|actual|hidden|secret|neue)\s+(?:instructions?|prompt|rules|anweisung\w*)\s*[:=]"
        r"|\b(?:system prompt|developer mode|jailbreak|role-?play|pretend (?:to be|that you)|act as (?:an?|if you))\b"
        r"|\bend of (?:the )?(?:prompt|context|passages?|document|instructions)\b",
        "keeps quiet": r"\b(?:do not|don't|don’t|never)\s+(?:mention|reveal|tell|disclose|cite|reference)\b"
        r"[^.\n]{0,40}\b(?:user|this (?:instruction|message|note|text)|the (?:sources?|passages?|instructions?))\b",
        "template": r"<\|\w{2,20}\|>|\[/?INST\]|<<SYS>>|^\s*(?:#{2,}\s*)?(?:system|assistant)\s*:",
    }.items()
}  # fmt: skip

TRIGGERS = (
    "another passage",
    "other passage",
    "other source",
    "whatever the question",
    "instruct",
    "instruk",
    "instrucc",
    "instruç",
    "istruzion",
    "consigne",
    "polece",
    "prompt",
    "ignor",
    "disregard",
    "forget",
    "overrid",
    "bypass",
    "anweis",
    "befehl",
    "olvid",
    "oubli",
    "dimentic",
    "vergiss",
    "vergessen sie",
    "vergeet",
    "negeer",
    "missacht",
    "инструкц",
    "игнор",
    "забудь",
    "указан",
    "指令",
    "指示",
    "提示",
    "无视",
    "無視",
    "忽略",
    "sprachmodell",
    "language model",
    "llm",
    "chatbot",
    "chat bot",
    "gpt",
    "<|",
    "[inst",
    "[/inst",
    "<<sys",
    "act as",
    "pretend",
    "you are now",
    "you are no longer",
    "user asks",
    "system:",
    "assistant:",
    "anyone asks",
    "someone asks",
)
"""Words of which an order holds at least one, in small letters."""
INITIALS = ("AI", "KI", "IA", "ИИ")
"""The same, as whole words and as they are written."""
