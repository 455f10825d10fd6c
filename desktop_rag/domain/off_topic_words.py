"""Words by which people talk with the program, or ask for what documents cannot give.

Patterns for whole folded requests (`politeness_words.folded_request`).
"""

from __future__ import annotations

from enum import StrEnum


class Topic(StrEnum):
    """What is talked about instead of documents."""

    GREETING = "greeting"
    SELF = "self"
    """Who the program is and what it can do."""
    LIBRARY = "library"
    """What documents there are."""
    LIVE = "live"
    """Weather, time, news: what changes while nobody writes it down."""
    WRITING = "writing"
    """Poems, programs, translations: what documents do not hold."""
    ARITHMETIC = "arithmetic"
    OPINION = "opinion"
    ACTION = "action"
    """Something to be done: mail to be sent, files to be deleted."""


_NOW = r"(?: (?:right )?(?:now|today|tonight|tomorrow|currently|outside|like|this week))*"
PATTERNS: dict[str, dict[Topic, str]] = {
    "en": {
        Topic.SELF: (
            r"who are you|what are you|what(?:'s| is) your name|who (?:made|built|created|"
            r"wrote) you|"
            r"what can you do(?: for me)?|what are you (?:able|capable) (?:to do|of)|thx|ty|"
            r"what do you do|how can you help(?: me)?|help(?: me)?|"
            r"how do you work|how does this (?:work|program work|app work)|are you (?:an? )?(?:ai|"
            r"bot|"
            r"robot|human|chatgpt|person)|how are you(?: doing)?(?: today)?|how(?:'s| is) it going|"
            r"what can i ask(?: you)?"
        ),
        Topic.LIBRARY: (
            r"(?:what|which) (?:documents|files)(?: do (?:i|you|we) have(?: access to)?|"
            r" are (?:there|in (?:the|my) library|available|indexed)| (?:have|did) (?:i|"
            r"you) (?:add|added|"
            r"index|indexed|read)| can you (?:see|read|search)| do you know)(?: here)?|"
            r"what(?:'s| is) in (?:my|the|your) library|what do you know about my (?:documents|"
            r"files)"
        ),
        Topic.LIVE: (
            rf"(?:what(?:'s| is)|how(?:'s| is)) the (?:weather|temperature|forecast){_NOW}"
            rf"(?: (?:in|at|for) [^ ]+(?: [^ ]+)?)?{_NOW}|"
            r"(?:will|is) it (?:going to )?(?:rain|raining|snow|snowing|sunny|cold|hot)\b.*"
            r"(?:today|tomorrow|now|outside|tonight|weekend)|is it raining|"
            rf"what(?:'s| is)? (?:the )?(?:current )?(?:time|date)(?: is it)?{_NOW}(?: in [^ ]+)?|"
            r"what time is it(?: .*)?|what day is (?:it|today)(?: today)?|what(?:'s|"
            r" is) today's date|"
            r"(?:what(?:'s| is|are) )?(?:the )?(?:latest|today's|breaking) (?:news|"
            r"headlines)(?: .*)?|"
            r"what(?:'s| is| are) the (?:(?:current|latest) (?:stock|share|bitcoin|gold|oil) price|"
            r"(?:current|latest) (?:exchange rate|price of bitcoin|score)).*|"
            r"(?:what(?:'s| is)|how much is) .*(?:bitcoin|stock price|share price|exchange rate).*"
            r"(?:today|now|currently)|"
            r"who won (?:the )?.*(?:last night|yesterday|today)|where am i|how is traffic.*"
        ),
        Topic.WRITING: (
            r"(?:write|compose|make(?: up)?|generate|create|sing|invent)(?: me| us)? "
            r"(?:an? |some |another )?(?:[^ ]+ ){0,2}?(?:poems?|jokes?|stor(?:y|ies)|songs?|"
            r"haikus?|"
            r"limericks?|essays?|lyrics|rap|riddles?|fairy tales?)(?: .*)?|"
            r"(?:(?:tell|give) (?:me|us) )?(?:an?|another|some) (?:(?:funny|short|scary) )?"
            r"(?:joke|riddle|story|poem)s?|"
            r"(?:write|generate|create|implement)(?: me)? (?:an? |some )?(?:[^ ]+ ){0,2}?(?:code|"
            r"program|"
            r"script|function|class|app|website|regex|sql query)(?: .*)?|"
            r"(?:translate|say) .*(?:in|into|to) [a-z]+|translate (?:this|that|it|the following).*|"
            r"(?:how do (?:you|i) say) .* in [a-z]+|"
            r"(?:draw|paint|generate|create)(?: me)? (?:an? )?(?:picture|image|drawing|photo|"
            r"logo).*|"
            r"(?:proofread|paraphrase|rewrite) (?:this|that|the following).*"
        ),
        Topic.OPINION: (
            r"what(?:'s| is) your (?:opinion|favou?rite|view|take|age)\b.*|"
            r"what do you think (?:about|of)"
            r" .*|do you (?:like|love|hate|believe|dream|feel|prefer|agree)\b.*|"
            r"are you (?:conscious|"
            r"happy|sad|sentient|married|tired|alive)\b.*|who (?:should|would) (?:i|you) vote for|"
            r"what is the meaning of life|which (?:one )?do you (?:like|prefer)\b.*"
        ),
        Topic.ACTION: (
            r"send (?:an? |this |that |the |my )?(?:e-?mail|mail|message|text|sms|letter|"
            r"reminder)s? "
            r"(?:to|about) .*|send [a-z]+ an? (?:e-?mail|message).*|"
            r"(?:delete|remove|erase|move|copy|rename|encrypt|zip|upload|download|print|back up) "
            r"(?:all(?: of)? |my |this |that |these |those |the )+(?:[^ ]+ ){0,2}?(?:files?|"
            r"documents?|"
            r"folders?|e-?mails?|photos?|pictures|pdfs?|everything|it|them)(?: .*)?|"
            r"(?:e-?mail|forward|text) (?:this|it|that|them) to .*|delete everything|(?:open|close|"
            r"start|launch|run) (?:the |my |a )?(?:browser|"
            r"calculator|"
            r"terminal|spotify|website|word|excel|camera|music).*|"
            r"(?:set|create|start) (?:an? |the )?(?:alarm|timer|reminder)\b.*|remind me .*|"
            r"(?:play|stop) (?:some |the )?(?:music|a song|video).*|call (?:my )?(?:mom|mum|dad|"
            r"the police|"
            r"a taxi|[a-z]+ on the phone)|(?:book|order|buy)(?: me)? (?:an? |some )?(?:flight|"
            r"hotel|table|"
            r"pizza|taxi|ticket|room|food)\b.*|turn (?:on|off) .*|shut down.*|restart.* computer|"
            r"(?:search|browse|google) (?:the )?(?:web|internet|google|online)\b.*|google .*|"
            r"(?:add|put) .* to my (?:calendar|shopping list|to-?do list)|pay (?:my|this|the) .*"
        ),
    },
    "de": {
        Topic.SELF: (
            r"wer bist du|was bist du|wie hei(?:ss|ß)t du|was kannst du(?: alles)?(?: (?:tun|"
            r"machen))?|"
            r"hilfe|wie geht(?: e)?'?s(?: dir)?|wie funktionierst du|bist du (?:ein |eine )?(?:ki|"
            r"bot|"
            r"roboter|mensch)|was konnen sie(?: alles)?(?: tun)?|wer sind sie|"
            r"wie kannst du mir helfen"
        ),
        Topic.LIBRARY: (
            r"welche (?:dokumente|dateien)(?: (?:hast du|habe ich|kennst du|gibt es|sind da|"
            r"haben sie|"
            r"sind vorhanden))(?: .{0,20})?|was ist in (?:meiner|der) bibliothek"
        ),
        Topic.LIVE: (
            r"wie (?:ist|wird) (?:heute |morgen )?das wetter(?: .*)?|regnet es(?: .*)?|"
            r"wird es (?:heute|"
            r"morgen) .*|wie spat ist es(?: .*)?|wie viel uhr ist es|welcher tag ist heute|"
            r"welches datum .*heute|was gibt es neues|(?:aktuelle |neueste )nachrichten(?: .*)?|"
            r"wie (?:steht|hoch ist) (?:gerade |heute |aktuell )?der (?:bitcoin|aktien|"
            r"wechsel)kurs.*"
        ),
        Topic.WRITING: (
            r"(?:schreibe?|dichte|erzahle?|erfinde)(?: mir| uns)? (?:bitte )?(?:ein(?:e|en)? )?"
            r"(?:[^ ]+ ){0,2}?(?:gedichte?|witze?|geschichte|lied|aufsatz|marchen|programm|"
            r"(?:[a-z]+-)?skript|"
            r"funktion|code)(?: .*)?|ubersetze?n?(?: mir)? .*|male?(?: mir)? ein.*"
        ),
        Topic.OPINION: (
            r"was (?:denkst|meinst|haltst) du (?:uber|von|zu) .*|was ist dein(?:e)? (?:meinung|"
            r"lieblings).*|"
            r"magst du .*|liebst du .*|hast du gefuhle|was ist der sinn des lebens"
        ),
        Topic.ACTION: (
            r"(?:sende|schicke?)(?: bitte)? (?:[^ ]+ )?(?:eine?n? )?(?:e-?mail|mail|nachricht|"
            r"brief).*|"
            r"(?:losche?|verschiebe?|kopiere?|drucke?|benenne) (?:bitte )?(?:alle |meine |diese |"
            r"die |den "
            r"|das )+.*(?:dateien?|dokumente?|ordner|mails).*|stelle? (?:einen|den) (?:wecker|"
            r"timer).*|"
            r"erinnere mich .*|spiele? .*musik.*|rufe? .* an|buche? (?:mir )?ein.*|"
            r"bestelle? (?:mir )?.*"
        ),
    },
    "fr": {
        Topic.SELF: (
            r"qui (?:es-tu|etes-vous)|que (?:peux-tu|pouvez-vous|sais-tu) faire|aide(?:-moi)?|"
            r"comment (?:ca va|vas-tu|allez-vous)|(?:quel est ton nom|comment t'appelles-tu)|"
            r"tu es (?:une ia|un robot)|qu'est-ce que tu (?:peux|sais) faire"
        ),
        Topic.LIBRARY: (
            r"quels (?:documents|fichiers) (?:as-tu|avez-vous|ai-je|connais-tu|"
            r"y a-t-il)(?: .{0,20})?"
        ),
        Topic.LIVE: (
            r"quel temps (?:fait-il|fera-t-il|il fait)(?: .*)?|quelle est la meteo(?: .*)?|"
            r"quelle heure est-il(?: .*)?|il est quelle heure|quel jour (?:sommes-nous|"
            r"on est)(?: .*)?|"
            r"quelle est la date d'aujourd'hui|(?:quelles sont )?les (?:dernieres )?(?:nouvelles|"
            r"actualites)"
            r"(?: .*)?|est-ce qu'il pleut(?: .*)?"
        ),
        Topic.WRITING: (
            r"(?:ecris|ecrivez|raconte|racontez|compose|invente)(?:-moi|-nous)? (?:une?|des|"
            r"du) (?:[^ ]+ )"
            r"{0,2}?(?:poemes?|blagues?|histoires?|chansons?|dissertation|programme|script|"
            r"fonction|code)"
            r"(?: .*)?|tradui(?:s|sez|re)(?:-moi)? .*|dessine(?:-moi)? .*"
        ),
        Topic.OPINION: (
            r"(?:que|qu'est-ce que tu) penses?(?:-tu)? (?:de|du|des|d').*|quel(?:le)? est "
            r"(?:ton|ta|votre) (?:avis|opinion|.* prefere).*|est-ce que tu (?:aimes|ressens|"
            r"crois).*|"
            r"aimes-tu .*"
        ),
        Topic.ACTION: (
            r"(?:envoie|envoyez)(?:-[a-z]+)? (?:un |une |cet? )?(?:e-?mail|mail|courriel|message|"
            r"lettre)"
            r".*|(?:supprime|efface|deplace|copie|imprime|renomme)[zr]? (?:tous |toutes |mes |les |"
            r"ces |le "
            r"|ce )+.*(?:fichiers?|documents?|dossiers?|mails?).*|(?:mets|regle) (?:une |un |le )?"
            r"(?:alarme|reveil|minuteur).*|rappelle-moi .*|reserve(?:-moi)? un.*|"
            r"commande(?:-moi)? une? .*"
        ),
    },
    "es": {
        Topic.SELF: (
            r"quien eres|que eres|(?:que|en que) (?:puedes|sabes) (?:hacer|ayudar(?:me)?)|"
            r"ayuda(?:me)?|"
            r"como (?:estas|te llamas)|que tal|cual es tu nombre|eres (?:una ia|un robot|humano)"
        ),
        Topic.LIBRARY: (
            r"que (?:documentos|archivos) (?:tienes|tengo|hay|conoces|tenemos)(?: .{0,20})?"
        ),
        Topic.LIVE: (
            r"que tiempo (?:hace|hara)(?: .*)?|como (?:esta|estara) el (?:tiempo|clima)(?: .*)?|"
            r"que hora es(?: .*)?|que (?:dia|fecha) es(?: hoy)?|"
            r"(?:cuales son )?las (?:ultimas )?noticias"
            r"(?: .*)?|va a llover(?: .*)?|esta lloviendo(?: .*)?"
        ),
        Topic.WRITING: (
            r"(?:escribe|escribeme|cuenta|cuentame|inventa|compon)(?:me)? (?:una?|"
            r"unos) (?:[^ ]+ ){0,2}?"
            r"(?:poemas?|chistes?|historias?|cuentos?|cancion(?:es)?|ensayo|programa|script|"
            r"funcion|codigo)"
            r"(?: .*)?|traduce(?:me)? .*|traducir .*|dibuja(?:me)? .*"
        ),
        Topic.OPINION: (
            r"que (?:piensas|opinas) (?:de|sobre|del) .*|cual es tu (?:opinion|.* favorit[oa]).*|"
            r"te gusta[n]? .*"
        ),
        Topic.ACTION: (
            r"(?:envia|manda)(?:me|le)? (?:un |una |este )?(?:e-?mail|correo|mensaje|carta).*|"
            r"(?:borra|elimina|mueve|copia|imprime|renombra) (?:todos |todas |mis |los |las |"
            r"estos |el "
            r"|este )+.*(?:archivos?|documentos?|carpetas?|correos?|ficheros?).*|(?:pon|"
            r"programa) (?:una |un )"
            r"(?:alarma|temporizador).*|recuerdame .*|reserva(?:me)? un.*|pide(?:me)? una? .*"
        ),
    },
    "it": {
        Topic.SELF: (
            r"chi sei|cosa (?:puoi|sai) fare|aiuto|aiutami|come (?:stai|ti chiami)|come va|"
            r"qual e il tuo nome|sei (?:una ia|un robot)|che cosa (?:puoi|sai) fare"
        ),
        Topic.LIBRARY: (
            r"(?:quali|che) (?:documenti|file) (?:hai|ho|ci sono|conosci|abbiamo)(?: .{0,20})?"
        ),
        Topic.LIVE: (
            r"che tempo (?:fa|fara)(?: .*)?|com'?e il tempo(?: .*)?|che ore? (?:sono|e)(?: .*)?|"
            r"che giorno e(?: oggi)?|(?:quali sono )?le (?:ultime )?notizie(?: .*)?|(?:piove|"
            r"piovera)"
            r"(?: (?:oggi|domani|adesso|fuori).*)?"
        ),
        Topic.WRITING: (
            r"(?:scrivi|scrivimi|racconta|raccontami|inventa|componi) (?:una?|uno|"
            r"un') ?(?:[^ ]+ ){0,2}?"
            r"(?:poesia|barzelletta|storia|canzone|saggio|favola|programma|script|funzione|"
            r"codice)(?: .*)?|"
            r"traduci(?:mi)? .*|disegna(?:mi)? .*"
        ),
        Topic.OPINION: (
            r"(?:cosa|che cosa|che) (?:ne )?pensi (?:di|del|della|dei).*|qual e (?:la tua|il tuo) "
            r"(?:opinione|parere|.* preferit[oa]).*|ti piac(?:e|ciono) .*"
        ),
        Topic.ACTION: (
            r"(?:invia|manda)(?:mi|gli)? (?:una |un |questa )?(?:e-?mail|mail|messaggio|lettera).*|"
            r"(?:cancella|elimina|sposta|copia|stampa|rinomina) (?:tutti |tutte |i |le |questi |"
            r"il |miei "
            r"|questo )+.*(?:file|documenti|documento|cartell[ae]).*|(?:imposta|metti) (?:una |un |"
            r"la )?"
            r"(?:sveglia|timer|allarme).*|ricordami .*|prenota(?:mi)? un.*|ordina(?:mi)? una? .*"
        ),
    },
    "pt": {
        Topic.SELF: (
            r"quem (?:es tu|e voce|es)|o que (?:podes|pode|voce pode|sabes|sabe) fazer|ajuda|"
            r"ajude-me|"
            r"como (?:estas|esta|vai|te chamas|voce se chama)|qual e o (?:teu|seu) nome|tudo bem"
        ),
        Topic.LIBRARY: (
            r"(?:que|quais) (?:documentos|arquivos|ficheiros) (?:tens|tenho|ha|existem|voce tem|"
            r"temos)"
            r"(?: .{0,20})?"
        ),
        Topic.LIVE: (
            r"(?:como esta|como estara|qual e) (?:o tempo|a previsao)(?: .*)?|"
            r"que horas sao(?: .*)?|"
            r"que dia e hoje|(?:quais sao )?as (?:ultimas )?noticias(?: .*)?|(?:vai chover|"
            r"esta chovendo|"
            r"esta a chover)(?: .*)?"
        ),
        Topic.WRITING: (
            r"(?:escreva|escreve|conte|conta|invente|inventa|componha)(?:-me)? (?:uma?|"
            r"uns) (?:[^ ]+ )"
            r"{0,2}?(?:poema|piada|historia|cancao|redacao|conto|programa|script|funcao|"
            r"codigo)(?: .*)?|"
            r"traduz(?:a|ir)? .*|desenh[ae] .*"
        ),
        Topic.OPINION: (
            r"o que (?:voce )?(?:achas?|pensas?) (?:de|do|da|sobre) .*|qual e a (?:tua|"
            r"sua) opiniao.*|"
            r"(?:voce )?gostas? de .*"
        ),
        Topic.ACTION: (
            r"(?:envi[ae]|mand[ae]) (?:um |uma |este )?(?:e-?mail|mensagem|carta).*|(?:apagu?[ae]|"
            r"elimin[ae]|"
            r"exclu[ai]|mov[ae]|copi[ae]|imprim[ae]) (?:todos |todas |os |as |meus |estes |o |"
            r"este )+.*"
            r"(?:arquivos?|ficheiros?|documentos?|pastas?).*|lembre-me .*|reserv[ae] um.*"
        ),
    },
    "nl": {
        Topic.SELF: (
            r"wie ben (?:je|jij)|wat ben je|wat kun je(?: (?:doen|allemaal))?|help|"
            r"hoe gaat het(?: .*)?|"
            r"hoe heet (?:je|jij)|ben je (?:een )?(?:ai|robot|mens)"
        ),
        Topic.LIBRARY: (
            r"welke (?:documenten|bestanden) (?:heb je|heb ik|zijn er|ken je|"
            r"hebben we)(?: .{0,20})?"
        ),
        Topic.LIVE: (
            r"(?:wat voor weer is het|hoe is het weer|wat is het weer)(?: .*)?|"
            r"hoe laat is het(?: .*)?|"
            r"welke dag is het(?: .*)?|regent het(?: .*)?|gaat het (?:vandaag|morgen) regenen|"
            r"(?:wat is )?het (?:laatste )?nieuws(?: .*)?"
        ),
        Topic.WRITING: (
            r"(?:schrijf|vertel|verzin)(?: me| mij)? (?:een )(?:[^ ]+ ){0,2}?(?:gedicht|grap|mop|"
            r"verhaal|"
            r"liedje|opstel|programma|script|functie|code)(?: .*)?|vertaal .*|teken .*"
        ),
        Topic.OPINION: (
            r"wat (?:vind|denk) je (?:van|over) .*|wat is je (?:mening|favoriete).*|hou je van .*"
        ),
        Topic.ACTION: (
            r"(?:stuur|verzend) (?:een |deze |dit )?(?:[^ ]+ een )?(?:e-?mail|mail|bericht|"
            r"brief).*|"
            r"(?:verwijder|wis|verplaats|kopieer|print|hernoem) (?:alle |mijn |deze |de |dit |"
            r"het )+.*"
            r"(?:bestand(?:en)?|document(?:en)?|mapp?(?:en)?|mails?).*|zet (?:een |de )(?:wekker|"
            r"timer).*|"
            r"herinner me .*|boek een .*|bestel een .*"
        ),
    },
    "ru": {
        Topic.SELF: (
            r"кто ты|кто вы|что ты (?:умеешь|можешь)(?: делать)?|помощь|как дела|как тебя зовут"
        ),
        Topic.LIBRARY: (
            r"какие (?:у (?:меня|тебя) )?(?:документы|фаилы)(?: (?:есть|у (?:меня|тебя|вас))){0,2}"
        ),
        Topic.LIVE: (
            r"как(?:ая|ои|ие) (?:сегодня|сеичас|завтра) (?:погода|день|число|новости)(?: .*)?|"
            r"какая погода(?: .*)?|который час|сколько времени|сколько сеичас времени|"
            r"будет ли .*дождь.*"
        ),
        Topic.WRITING: (
            r"(?:напиши|сочини|придумаи|расскажи)(?:те)?(?: мне| нам)? (?:[^ ]+ )?(?:стих[а-я]*|"
            r"шутку|"
            r"анекдот|рассказ|историю|сказку|песню|сочинение|программу|скрипт|функцию|код)(?: .*)?|"
            r"переведи(?:те)? .*|нарисуи(?:те)? .*"
        ),
        Topic.OPINION: r"что ты думаешь о.*|как ты (?:относишься|думаешь).*|тебе нрав.*",
        Topic.ACTION: (
            r"(?:отправь|пошли)(?:те)? (?:[^ ]+ )?(?:письмо|сообщение|e-?mail).*|(?:удали|"
            r"перемести|скопируи|"
            r"распечатаи)(?:те)? (?:все|мои|эти|этот) .*|напомни .*|поставь будильник.*|закажи .*"
        ),
    },
    "zh": {
        Topic.SELF: r"你是谁|你叫什么(?:名字)?|你(?:能|可以|会)(?:做|干)什么|帮助|你好吗",
        Topic.LIBRARY: r"(?:你|我)?有(?:哪些|什么)(?:文件|文档)|(?:有哪些|什么)(?:文件|文档)",
        Topic.LIVE: (
            r".{0,6}天气(?:怎么样|如何|怎样)?|(?:现在)?几点(?:了|钟)?|今天(?:是)?(?:几号|星期几)|"
            r"最新新闻"
        ),
        Topic.WRITING: (
            r"(?:请)?(?:写|作|讲|编)(?:一)?(?:首|个|篇|段).*(?:诗|笑话|故事|歌|作文|程序|代码)|"
            r"(?!.*什么).*翻译成.*"
        ),
        Topic.OPINION: r"你(?:觉得|认为|怎么看|喜欢).*",
        Topic.ACTION: (
            r"(?:请)?(?:发送|发)(?:一)?封?(?:邮件|电子邮件).*|(?:请)?删除所有.*|提醒我.*|播放.*音乐"
        ),
    },
    "ja": {
        Topic.SELF: r"あなたは(?:誰|だれ)(?:ですか)?|何ができ(?:ますか|る)|お元気ですか|ヘルプ",
        Topic.LIBRARY: r"(?:どんな|どの)(?:文書|ファイル|ドキュメント)が(?:あります|ある)か?",
        Topic.LIVE: (
            r".{0,8}天気は?(?:どう)?(?:ですか)?|今?何時(?:ですか)?|今日は何(?:日|曜日)(?:ですか)?"
        ),
        Topic.WRITING: (
            r".*(?:詩|冗談|物語|歌|プログラム|コード)を(?:書|作|話|教え).*|.*に?翻訳して.*"
        ),
        Topic.OPINION: r".*についてどう思いますか|好きな.*は(?:何)?ですか",
        Topic.ACTION: (
            r".*(?:メール|メッセージ)を(?:送|書).*|(?:すべて|全て|全部)の.*(?:を)?(?:削除|消).*"
        ),
    },
}
"""By language (ISO 639-1): whole requests, since they are also halves of many others."""
