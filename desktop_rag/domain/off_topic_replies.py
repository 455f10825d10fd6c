"""Fixed replies to what is no question to documents; honest, short, in the asker's language.

English stands in for languages that are not here.
"""

from __future__ import annotations

from desktop_rag.domain.off_topic_words import Topic

_REPLIES: dict[str, dict[Topic, str]] = {
    "en": {
        Topic.GREETING: "Hello! Ask me anything about your documents.",
        Topic.SELF: (
            "I answer questions from your own documents, on this computer only, and show where "
            "each "
            "answer stands. I can find facts, compare, summarise, count and list. What your "
            "documents do not hold, I do not know."
        ),
        Topic.LIBRARY: "Your library holds {count} searchable files: {names}.",
        Topic.LIVE: (
            "I only know what is in your documents, so I cannot tell the time, the weather or the "
            "news."
        ),
        Topic.WRITING: (
            "I answer questions from your documents; I do not write, draw or translate anything "
            "else."
        ),
        Topic.ARITHMETIC: "I answer questions from your documents; for sums, use a calculator.",
        Topic.OPINION: "I have no opinions; I can only tell what your documents say.",
        Topic.ACTION: (
            "I can only read and answer; I cannot send, change or delete anything. Nothing was "
            "done."
        ),
    },
    "de": {
        Topic.GREETING: "Hallo! Fragen Sie mich etwas zu Ihren Dokumenten.",
        Topic.SELF: (
            "Ich beantworte Fragen aus Ihren eigenen Dokumenten, nur auf diesem Rechner, und "
            "zeige, wo "
            "jede Antwort steht. Ich kann Tatsachen finden, vergleichen, zusammenfassen, zählen "
            "und "
            "auflisten. Was nicht in Ihren Dokumenten steht, weiß ich nicht."
        ),
        Topic.LIBRARY: "Ihre Bibliothek enthält {count} durchsuchbare Dateien: {names}.",
        Topic.LIVE: (
            "Ich weiß nur, was in Ihren Dokumenten steht; Uhrzeit, Wetter und Nachrichten kenne "
            "ich "
            "nicht."
        ),
        Topic.WRITING: (
            "Ich beantworte Fragen aus Ihren Dokumenten; anderes schreibe, zeichne oder übersetze "
            "ich "
            "nicht."
        ),
        Topic.ARITHMETIC: (
            "Ich beantworte Fragen aus Ihren Dokumenten; zum Rechnen nehmen Sie einen "
            "Taschenrechner."
        ),
        Topic.OPINION: "Ich habe keine Meinung; ich kann nur sagen, was in Ihren Dokumenten steht.",
        Topic.ACTION: (
            "Ich kann nur lesen und antworten, nichts senden, ändern oder löschen. Es wurde nichts "
            "getan."
        ),
    },
    "fr": {
        Topic.GREETING: "Bonjour ! Posez-moi une question sur vos documents.",
        Topic.SELF: (
            "Je réponds à partir de vos propres documents, sur cet ordinateur seulement, et je "
            "montre "
            "où se trouve chaque réponse. Je peux trouver des faits, comparer, résumer, compter et "
            "lister. Ce qui n'est pas dans vos documents, je ne le sais pas."
        ),
        Topic.LIBRARY: "Votre bibliothèque contient {count} fichiers consultables : {names}.",
        Topic.LIVE: (
            "Je ne connais que vos documents ; je ne peux donner ni l'heure, ni la météo, ni les "
            "nouvelles."
        ),
        Topic.WRITING: (
            "Je réponds à partir de vos documents ; je n'écris, ne dessine et ne traduis rien "
            "d'autre."
        ),
        Topic.ARITHMETIC: (
            "Je réponds à partir de vos documents ; pour calculer, prenez une calculatrice."
        ),
        Topic.OPINION: (
            "Je n'ai pas d'opinion ; je peux seulement dire ce que vos documents disent."
        ),
        Topic.ACTION: (
            "Je ne peux que lire et répondre, pas envoyer, modifier ou supprimer. Rien n'a été "
            "fait."
        ),
    },
    "es": {
        Topic.GREETING: "¡Hola! Pregúntame lo que quieras sobre tus documentos.",
        Topic.SELF: (
            "Respondo a partir de tus propios documentos, solo en este ordenador, y muestro dónde "
            "está "
            "cada respuesta. Puedo encontrar datos, comparar, resumir, contar y enumerar. Lo que "
            "no "
            "está en tus documentos, no lo sé."
        ),
        Topic.LIBRARY: "Tu biblioteca contiene {count} archivos consultables: {names}.",
        Topic.LIVE: (
            "Solo conozco tus documentos; no puedo decir la hora, el tiempo ni las noticias."
        ),
        Topic.WRITING: (
            "Respondo a partir de tus documentos; no escribo, dibujo ni traduzco otras cosas."
        ),
        Topic.ARITHMETIC: (
            "Respondo a partir de tus documentos; para calcular, usa una calculadora."
        ),
        Topic.OPINION: "No tengo opiniones; solo puedo decir lo que dicen tus documentos.",
        Topic.ACTION: (
            "Solo puedo leer y responder, no enviar, cambiar ni borrar. No se ha hecho nada."
        ),
    },
    "it": {
        Topic.GREETING: "Ciao! Chiedimi qualcosa sui tuoi documenti.",
        Topic.SELF: (
            "Rispondo a partire dai tuoi documenti, solo su questo computer, e mostro dove si "
            "trova "
            "ogni risposta. Posso trovare fatti, confrontare, riassumere, contare ed elencare. Ciò "
            "che "
            "non è nei tuoi documenti, non lo so."
        ),
        Topic.LIBRARY: "La tua biblioteca contiene {count} file consultabili: {names}.",
        Topic.LIVE: "Conosco solo i tuoi documenti; non so dire l'ora, il tempo o le notizie.",
        Topic.WRITING: (
            "Rispondo a partire dai tuoi documenti; non scrivo, disegno o traduco altro."
        ),
        Topic.ARITHMETIC: (
            "Rispondo a partire dai tuoi documenti; per i conti usa una calcolatrice."
        ),
        Topic.OPINION: "Non ho opinioni; posso solo dire che cosa dicono i tuoi documenti.",
        Topic.ACTION: (
            "Posso solo leggere e rispondere, non inviare, cambiare o eliminare. Non è stato fatto "
            "nulla."
        ),
    },
    "pt": {
        Topic.GREETING: "Olá! Pergunte-me algo sobre os seus documentos.",
        Topic.SELF: (
            "Respondo a partir dos seus próprios documentos, só neste computador, e mostro onde "
            "está "
            "cada resposta. Posso encontrar factos, comparar, resumir, contar e listar. O que não "
            "está "
            "nos seus documentos, não sei."
        ),
        Topic.LIBRARY: "A sua biblioteca contém {count} ficheiros pesquisáveis: {names}.",
        Topic.LIVE: (
            "Só conheço os seus documentos; não sei dizer as horas, o tempo nem as notícias."
        ),
        Topic.WRITING: (
            "Respondo a partir dos seus documentos; não escrevo, desenho nem traduzo outras coisas."
        ),
        Topic.ARITHMETIC: (
            "Respondo a partir dos seus documentos; para contas, use uma calculadora."
        ),
        Topic.OPINION: "Não tenho opiniões; só posso dizer o que os seus documentos dizem.",
        Topic.ACTION: "Só posso ler e responder, não enviar, alterar ou apagar. Nada foi feito.",
    },
    "nl": {
        Topic.GREETING: "Hallo! Vraag me iets over uw documenten.",
        Topic.SELF: (
            "Ik beantwoord vragen uit uw eigen documenten, alleen op deze computer, en laat zien "
            "waar "
            "elk antwoord staat. Ik kan feiten vinden, vergelijken, samenvatten, tellen en "
            "opsommen. "
            "Wat niet in uw documenten staat, weet ik niet."
        ),
        Topic.LIBRARY: "Uw bibliotheek bevat {count} doorzoekbare bestanden: {names}.",
        Topic.LIVE: (
            "Ik weet alleen wat in uw documenten staat; tijd, weer en nieuws ken ik niet."
        ),
        Topic.WRITING: (
            "Ik beantwoord vragen uit uw documenten; iets anders schrijf, teken of vertaal ik niet."
        ),
        Topic.ARITHMETIC: (
            "Ik beantwoord vragen uit uw documenten; gebruik voor sommen een rekenmachine."
        ),
        Topic.OPINION: "Ik heb geen mening; ik kan alleen zeggen wat uw documenten zeggen.",
        Topic.ACTION: (
            "Ik kan alleen lezen en antwoorden, niets versturen, wijzigen of wissen. Er is niets "
            "gedaan."
        ),
    },
}


def reply_to(topic: Topic, language: str) -> str:
    """The fixed reply; for `Topic.LIBRARY` with `{count}` and `{names}` to be filled in."""
    return _REPLIES.get(language, _REPLIES["en"])[topic]
