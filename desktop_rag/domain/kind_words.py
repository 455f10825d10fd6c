"""Words by which questions ask for a summary, a comparison or a way to do something.

Patterns for folded text (`terms.fold`) in English, German, French, Spanish, Italian, Portuguese,
Dutch, and the commonest forms in Polish, Swedish, Russian, Chinese and Japanese.
"""

from __future__ import annotations

SUMMARY = (
    r"^(?:please )?(?:summari[sz]e|sum up|recap|condense|outline)\b|\btl;?dr\b|"
    r"^(?:(?:give|write|make|create|show|provide|prepare|i (?:need|want))(?: me| us)? )?(?:an? |"
    r"the )?"
    r"(?:(?:brief|short|quick|concise|detailed|one-page|executive|general|full|complete|thorough|"
    r"and) )*(?:summary|overview|"
    r"synopsis|"
    r"digest|recap|gist|abstract) (?:of|about|for)\b|"
    r"^what (?:are|were) the (?:main|key|most important|central) (?:points|ideas|takeaways|"
    r"findings|"
    r"topics|themes|messages|conclusions|arguments)\b|^(?:key|main) (?:points|takeaways|"
    r"ideas) (?:of|from)\b|"
    r"^what(?:'s| is) (?:in )?(?:the |this |that |my )?(?:[^ ]+ ){0,4}?(?:document|file|report|"
    r"book|paper|"
    r"contract|folder|letter|article|pdf|manual|handbook|[^ ]+\.[a-z]{2,5}) (?:all )?about$|"
    r"^(?:what|tell me what) (?:does|do) (?:the |this |that |my )?(?:[^ ]+ ){0,3}?(?:document|file|"
    r"report|"
    r"paper|contract|letter|article|pdf|[^ ]+\.[a-z]{2,5}) (?:say|cover|deal with)$|"
    r"^(?:[^ ]+ ){0,5}(?:summary|zusammenfassung)$|"
    r"^what(?:'s| is| are) (?:[^ ]+ ){1,5}(?:all )?about$|"
    # German
    r"^(?:fasse?|fass)\b.*\bzusammen|^(?:(?:gib|erstelle|schreibe?|mache?)(?: mir)? )?(?:eine? )?"
    r"(?:kurze )?(?:zusammenfassung|ubersicht|uberblick) (?:uber|von|des|der|zu)\b|"
    r"\bzusammenfassen\b|"
    r"^was sind die (?:wichtigsten|zentralen) (?:punkte|aussagen|themen|ergebnisse)\b|"
    r"^worum geht es in\b|^wovon handelt\b|"
    # French
    r"^(?:resume[zr]?|synthetise[zr]?)\b|^(?:(?:fais|donne|ecris|faites|donnez)(?:-moi)? )?(?:un |"
    r"le )?"
    r"(?:bref |court )?(?:resume|apercu|synthese) (?:de|du|des|d')|"
    r"^quels sont les (?:points (?:cles|principaux)|principaux points|idees principales)\b|"
    r"^de quoi (?:parle|traite|s'agit-il)\b|"
    # Spanish
    r"^(?:resume|resumeme|resumir|sintetiza)\b|^(?:(?:haz|hazme|dame|escribe) )?(?:un |"
    r"el )?(?:breve )?"
    r"resumen (?:de|del|sobre)\b|^cuales son los (?:puntos (?:clave|principales)|"
    r"principales puntos)\b|"
    r"^de que (?:trata|va|habla)\b|"
    # Italian
    r"^(?:riassumi|riassumere|sintetizza)\b|^(?:(?:fai|fammi|dammi|scrivi) )?(?:un |"
    r"il )?(?:breve )?"
    r"(?:riassunto|sommario|sintesi|panoramica) (?:di|del|della|dei|dello)\b|"
    r"^quali sono i punti (?:chiave|principali)\b|^di (?:che )?cosa (?:parla|tratta)\b|"
    # Portuguese
    r"^(?:resuma|resumir|sintetize)\b|^(?:(?:faz|faca|da-me|de-me|escreva) )?(?:um |"
    r"o )?(?:breve )?resumo "
    r"(?:de|do|da|dos|sobre)\b|^quais sao os (?:pontos principais|principais pontos)\b|"
    r"^do que (?:trata|fala)\b|"
    # Dutch
    r"^(?:vat|geef)\b.*\b(?:samen|samenvatting)\b|^(?:een )?samenvatting van\b|"
    r"^wat zijn de (?:belangrijkste|voornaamste) punten\b|^waar gaat .* over$|"
    # Polish, Swedish, Danish, Russian
    r"^(?:podsumuj|stresc)\b|^streszczenie\b|^o czym (?:jest|mowi)\b|^sammanfatta\b|"
    r"^sammanfattning av\b|"
    r"^vad handlar .* om$|^opsummer\b|^(?:резюмируи|обобщи|кратко изложи|подведи итог|"
    r"краткое содержание)|"
    r"^о чем\b|^(?:请)?(?:总结|概括|概述)|的(?:摘要|总结|概要)$|(?:要約|まとめ)(?:して|てください|"
    r"を)?"
)
COMPARISON = (
    r"^which (?:one )?of (?:the |these |my )?(?:two|three|four|both) .* (?:is|are|has|costs?) "
    r"(?:the )?(?:more |less |better|worse|[a-z]+er|[a-z]+est)\b|"
    r"^(?:is|are) .* or .* (?:better|worse|cheaper|[a-z]{3,}er)$|"
    r"^(?:compare|contrast|comparison (?:of|between))\b|\bdifferences? between\b|\bdiffers? from\b|"
    r"\bhow (?:does|do|did|is|are) .* (?:differ|compare|different)\b|\bcompared (?:to|with)\b|"
    r"\bvs\.?(?= )|"
    r"\bversus\b|^what (?:do|does) .* have in common|\bsimilarit(?:y|ies) between\b|"
    r"^(?:which|what) (?:[^ ]+ )?(?:is|are|was|has|have|costs?|pays?|"
    r"offers?) (?:the )?(?:[^ ]+ )?(?:better|"
    r"worse|cheaper|more|less|faster|slower|bigger|larger|smaller|higher|lower|longer|shorter|"
    r"older|"
    r"newer|stronger|safer)\b.*[ ,:;].*\bor\b|^(?:is|are|was) .* (?:better|worse|cheaper|more|less|"
    r"faster|"
    r"bigger|larger|smaller|higher|lower|longer|shorter|older|newer) .*\bthan\b|"
    # German
    r"^vergleiche?n?\b|\bvergleich (?:zwischen|von|der)\b|\bunterschiede?n? zwischen\b|"
    r"\bunterscheide(?:t|n)\b|\bim vergleich (?:zu|mit)\b|^was haben .* gemeinsam|"
    r"\bgemeinsamkeiten\b|"
    # French
    r"^compare[zr]?\b|\bcomparaison (?:de|entre)\b|\bdifferences? entre\b|\bpar rapport a\b|"
    r"\ben quoi .* (?:differ|different)|\bpoints communs\b|"
    # Spanish, Portuguese
    r"^compar[aeo]r?\b|\bcomparacion (?:de|entre)\b|\bdiferencias? (?:hay )?entre\b|"
    r"\ben que se diferencia|"
    r"\ben comparacion con\b|\bcomparacao entre\b|\bdiferencas? entre\b|\bem comparacao com\b|"
    # Italian
    r"^confront[ai]\b|\bconfronto (?:tra|fra)\b|\bdifferenz[ae] (?:c'e |ci sono )?(?:tra|fra)\b|"
    r"\brispetto a[li]?\b|\bin cosa (?:differ|si differ)|"
    # Dutch, Polish, Swedish, Danish, Russian, Chinese, Japanese
    r"^vergelijk\b|\bverschil(?:len)? tussen\b|\bporownaj\b|\broznic[ae]? (?:miedzy|pomiedzy)\b|"
    r"^jamfor\b|"
    r"\bskillnad(?:en|er)? mellan\b|^sammenlign\b|\bforskel(?:len)?(?:le)? (?:pa|mellem)\b|"
    r"^сравни|разниц[аеы] между|отличи[ея] .*между|чем отличается|(?:比较|相比|区别|不同|差异|違い|"
    r"比較)"
)
HOW_TO = (
    r"^what(?:'s| is) the (?:best |easiest |right |correct |proper )?way to\b|"
    r"^(?:(?:and|so|but|then|ok) )?how (?:do|can|could|should|would|must|may|might|to|"
    r"shall)(?: (?:i|we|you|one|"
    r"people|somebody|someone|users?|customers?|employees?|a|an|the)\b|(?= )(?! (?:it|he|she|they|"
    r"[a-z]+s)\b))(?! (?:feel|look|compare|differ|relate|affect|define|know))|"
    r"^how to\b|^what (?:are|is) the (?:steps?|procedure|process|instructions?|way|"
    r"best way)\b(?!.*\b(?:called|named|termed|(?:known|referred to) as)\W*$).*\b(?:to|for|of)\b|"
    r"^(?:list |give me |show me |explain |describe )?(?:the |all )?(?:steps?|instructions?|"
    r"procedure) (?:to|for|on|"
    r"how)\b|^(?:show|teach|explain)(?: to)? (?:me|us) how to\b|^explain how to\b|^guide (?:me|for|"
    r"to)\b|"
    r"^what (?:do|should|must|can) (?:i|we) (?:have to |need to )?do (?:to|if|when|in order)\b|"
    r"^what (?:steps|actions)\b|"
    # German
    r"^wie (?:kann|muss|soll|sollte|darf|konnen|mussen|sollen|mache?n?|geht|wird|lasst|bekomme?|"
    r"(?:[a-z]+e?n?))\b (?:ich|man|wir|sich)\b|"
    r"^(?:zeige?|erklare?)(?: mir)?,? wie (?:ich|man|wir)\b|^was muss (?:ich|man) (?:tun|machen)\b|"
    r"^(?:anleitung|schritte) (?:zum|zur|fur|um)\b|^welche schritte\b|"
    # French
    r"^comment (?:puis-je|peut-on|faire|dois-je|doit-on|[a-z]+(?:er|ir|re)\b|est-ce (?:que|"
    r"qu')(?: je| on| nous)?|faut-il|"
    r"fait-on|je )|^(?:quelles sont les|les) etapes (?:pour|de)\b|^que (?:dois-je|faut-il) faire\b|"
    r"^explique(?:-moi)? "
    r"comment\b|"
    # Spanish
    r"^como (?:puedo|puede|se puede|podemos|debo|se debe|hago|hacemos|hay que|se [a-z]+|"
    r"[a-z]+[aei]r(?:me|se|lo|la)?)\b|"
    r"^(?:cuales son los|los) pasos (?:para|de)\b|^que (?:debo|tengo que) hacer\b|"
    r"^explica(?:me)? como\b|"
    # Italian
    r"^come (?:posso|si puo|possiamo|devo|si deve|faccio|si fa|[a-z]+(?:are|ere|ire|arsi|rre))\b|"
    r"^(?:quali sono i|i) passaggi (?:per|di)\b|^(?:che )?cosa devo fare\b|^spiega(?:mi)? come\b|"
    # Portuguese
    r"^como (?:posso|pode|podemos|devo|faco|fazer|se faz|[a-z]+[aei]r)\b|^quais sao os passos\b|"
    r"^o que devo fazer\b|"
    # Dutch
    r"^hoe (?:kan|moet|kun|mag|zou|doe|[a-z]+)\b (?:ik|je|men|we|wij)\b|^(?:welke|"
    r"wat zijn de) stappen\b|"
    r"^wat moet ik doen\b|"
    # Polish, Swedish, Danish, Russian, Chinese, Japanese
    r"^jak (?:moge|mozna|zrobic|[a-z]+c)\b|^hur (?:gor|kan|ska|[a-z]+r) (?:jag|man|vi)\b|"
    r"^hvordan (?:gor|kan|skal|"
    r"[a-z]+r) (?:jeg|man|vi)\b|^как (?:мне |можно |нужно |правильно )*[а-я]+(?:ть|ти|чь|ться)(?= |"
    r"$)|"
    r"^(?:如何|怎么|怎样|我?(?:该|应该)?(?:如何|怎么))|(?:方法|やり方|手順)(?:は|を)|どうやって|"
    r"どうすれば"
)
