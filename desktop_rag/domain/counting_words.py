"""Words of questions that count or list: how they begin, what can be counted, what may follow.

Twelve languages share one pattern each: a word that means a file in one of them means nothing else
in another. All patterns are for folded text (`terms.fold`): lower case, without accents.
"""

from __future__ import annotations

HOW_MANY = (
    r"how many|wie ?viele?n?|combien (?:de |d[' ])|cuant[oa]s|quant[oaie]s?|hoeveel|hur manga|"
    r"hvor mange|ile|ilu|kolik|kac|сколько|скольких"
)
"""Asks for a number."""
COUNT = (
    r"(?:what(?:'s| is) )?(?:the |a )?(?:total |exact |overall )?(?:number|count) of|"
    r"count(?: up)?(?: how many)?|zahle|(?:die |wie ist die )?(?:gesamt)?(?:an)?zahl (?:der|von)|"
    r"(?:quel est )?le nombre(?: total)? de|compte[rz]?|cuenta|contar|(?:el )?numero(?: total)? de|"
    r"conta|(?:il |o )?numero(?: totale| total)? (?:di|de|dei|delle|dos|das)|tel|(?:het )?aantal|"
    r"policz|liczba|antal(?:et)?|посчитай|подсчитай|количество|число"
)
"""Asks for a number, too, but begins many other questions: only files and rows may follow."""
LIST = (
    r"list|enumerate|show|name|display|print|find|give|get|what are|which are|liste?|nenne|zeige?|"
    r"nenn|gib|auflisten|liste[rz]?|enumere[rz]?|montre[rz]?(?:-moi)?|affiche[rz]?|"
    r"donne[rz]?(?:-moi)?|cite[rz]?|"
    r"lista[r]?|enumera[r]?|muestra(?:me)?|mostrar|dame|elenca(?:re|mi)?|mostra(?:mi|re)?|dammi|"
    r"enumere|mostre|de-me|toon|geef|noem|som|wypisz|wymien|pokaz|lista|visa|lista|vis|vypis|"
    r"перечисли(?:те)?|покажи(?:те)?|выведи(?:те)?|назови(?:те)?|список"
)
"""Asks for all of them."""
WHICH = (
    r"which|what|in which|in what|across which|welche[nrms]?|in welchen|quel(?:le)?s|"
    r"dans quel(?:le)?s|"
    r"que|en que|cuales|(?:en|in|em) (?:cuales|qual[ei]s?|quais)|qual[ei]s?|quais|welke|in welke|"
    r"ktore|w ktorych|ktere|vilka|i vilka|hvilke|какие|каких|в каких"
)
"""Asks which ones."""
ALL = (
    r"all|every|each|all of|alle[nr]?|samtliche|tou[ts](?:es)?|chaque|tod[oa]s|tutt[ieo]|cada|ogni|"
    r"elke|iedere|wszystkie|vsechny|alla|все[х]?"
)
ARTICLE = (
    r"the|my|our|these|those|of|me|us|up|out|a list of|different|distinct|total|there|der|die|das|"
    r"den|meine[rn]?|unsere[rn]?|mir|uns|les?|la|l|des|mes|nos|moi|mi|los|las|mis|nuestr[oa]s|il|"
    r"gli|le|"
    r"i|dei|delle|degli|miei|mie|os|as|meus|minhas|nossos|nossas|de|het|mijn|onze|mina|mine|moje|"
    r"мои|мне"
)
FILE = (
    r"files?|documents?|docs?|(?:pdf|txt|docx?|xlsx?|md|png|jpe?g|eml|pptx?|odt|rtf) "
    r"(?:files?|documents?)|pdfs?|(?:word|text|excel|csv|markdown|"
    r"html) "
    r"(?:files?|documents?|sheets?)|spreadsheets?|workbooks?|e-?mails?|mails?|messages?|"
    r"presentations?|powerpoints?|slide decks?|images?|pictures?|photos?|scans?|e-?books?|"
    r"dateien|datei|dokumente?n?|unterlagen|pdf-?(?:dateien|dokumente?n?)|tabellendateien|"
    r"(?:excel|word|text|csv)-?dateien|prasentationen|bilder[n]?|fotos?|nachrichten|"
    r"fichiers?|courriels?|fichiers? pdf|presentations?|courriers?|"
    r"archivos?|ficheros?|documentos?|correos?|archivos? pdf|presentaciones|"
    r"documenti|documento|presentazioni|messaggi|arquivos?|ficheiros?|apresentacoes|"
    r"bestand(?:en)?|documenten|pdf-bestanden|presentaties|"
    r"plik(?:i|ow|ach)?|dokument(?:y|ow|ach)|soubor(?:y|u|ech)?|dokumentu|filer?|dokument(?:er)?|"
    r"фаил(?:ы|ов|ах)?|документ(?:ы|ов|ах)?|писем|письма"
)
"""What the library is made of."""
KIND_OF_FILE = (
    r"invoices?|contracts?|agreements?|letters?|reports?|receipts?|bills?|offers?|quotes?|"
    r"quotations?|certificates?|policies|manuals?|minutes|memos?|protocols?|applications?|cvs?|"
    r"resumes?|statements?|articles?|papers?|recipes?|leases?|warranties|proposals?|forms?|"
    r"rechnung(?:en)?|vertrage?n?|briefe?n?|berichte?n?|quittung(?:en)?|angebote?n?|bescheide?n?|"
    r"zeugnisse?n?|protokolle?n?|lebenslaufe?n?|mietvertrage?n?|rezepte?n?|artikeln?|antrage?n?|"
    r"factures?|contrats?|lettres?|rapports?|recus?|devis|certificats?|recettes?|baux|"
    r"facturas?|contratos?|cartas?|informes?|recibos?|presupuestos?|certificados?|recetas?|"
    r"fattur[ae]|contratt[oi]|letter[ae]|relazion[ei]|ricevut[ae]|preventiv[oi]|certificat[oi]|"
    r"ricett[ae]|faturas?|relatorios?|orcamentos?|receitas?|"
    r"facturen|factuur|contracten|brieven|rapporten|bonnen|offertes?|recepten|"
    r"faktur[ay]?|umow[ay]?|umow|listow|raportow|raporty|fakturor|fakturaer|avtal|kontrakt(?:er)?|"
    r"rapporter|brev|счет(?:а|ов)|договор(?:ы|ов|а)?|письм(?:а|о)|отчет(?:ы|ов)?|смет"
)
"""Kinds of document, each often a file of its own, or a row of a list of them."""
ROW = (
    r"rows?|records?|entries|entry|lines? items?|data ?sets?|zeilen?|datensatze?n?|eintrage?n?|"
    r"eintragung(?:en)?|lignes?|enregistrements?|entrees|filas?|registros?|entradas?|righe|riga|"
    r"record|voci|linhas?|rijen|regels|records|wiersz(?:y|e)|wpis(?:y|ow)|rader|poster|zaznam(?:u|"
    r"y)|"
    r"строк(?:и|а)?|запис(?:ей|и)"
)
"""Rows of a table."""
RECORD = (
    r"customers?|clients?|employees?|members?|suppliers?|vendors?|products?|items?|articles?|"
    r"patients?|students?|pupils?|participants?|"
    r"attendees?|guests?|users?|accounts?|contacts?|projects?|tasks?|tickets?|bugs?|assets?|"
    r"devices?|"
    r"machines?|vehicles?|cars?|books?|movies?|films?|songs?|parts?|"
    r"tenants?|apartments?|properties|partners?|subscribers?|donors?|volunteers?|teams?|"
    r"kund(?:en|innen)|mitarbeiter(?:innen|n)?|mitglieder[n]?|lieferanten|"
    r"produkten?|patienten|schuler[n]?|studenten|teilnehmer[n]?|gasten?|benutzern?|"
    r"kontakte?n?|projekte?n?|aufgaben|gerate?n?|fahrzeuge?n?|bucher[n]?|mieter[n]?|wohnungen|"
    r"clients|employes?|membres?|fournisseurs?|produits?|eleves?|etudiants?|"
    r"participants?|invites?|utilisateurs?|projets?|taches?|livres?|locataires?|"
    r"clientes?|empleados?|miembros?|proveedores|productos?|pacientes?|alumnos?|"
    r"estudiantes?|participantes?|invitados?|usuarios?|proyectos?|tareas?|libros?|"
    r"clienti|dipendenti|membri|fornitori|prodotti|pazienti|studenti|partecipanti|"
    r"ospiti|utenti|progetti|libri|funcionarios?|membros?|fornecedores|produtos?|"
    r"alunos?|utilizadores|projetos?|livros?|"
    r"klanten|medewerkers|werknemers|leden|leveranciers|producten|"
    r"leerlingen|deelnemers|gasten|gebruikers|projecten|boeken|huurders|"
    r"klient(?:ow|ami|ki|ci)?|pracownik(?:ow|i)|produktow|"
    r"kunder|medlemmar|medlemmer|anstallda|ansatte|"
    r"клиент(?:ов|ы)|сотрудник(?:ов|и)|товар(?:ов|ы)|участник(?:ов|и)"
)
"""What people keep lists of."""
EVENT = (
    r"orders?|transactions?|payments?|bookings?|purchases?|sales|appointments?|visits?|shipments?|"
    r"bestellung(?:en)?|auftrage?n?|zahlungen|buchungen|termine?n?|commandes?|paiements?|achats?|"
    r"pedidos?|pagos?|compras?|ordini|pagamenti|acquisti|encomendas?|pagamentos?|bestellingen|"
    r"betalingen|zamowien(?:ia)?|bestallningar|bestillinger|заказ(?:ов|ы)|платеж(?:еи|и)"
)
"""What people keep lists of, and what happened once: the past is asked for, too."""
HEADING = (
    r"headings?|chapters?|sections?|subsections?|uberschriften|kapiteln?|abschnitten?|titres|"
    r"chapitres?|"
    r"capitulos?|secciones|titulos|capitoli|sezioni|titoli|secoes|hoofdstukken|koppen|rozdzial(?:y|"
    r"ow)|"
    r"kapitel|глав[ы]?|раздел(?:ы|ов)|заголовк(?:и|ов)"
)
ENTRY = (
    r"list (?:items|entries|points)|bullet(?: point)?s|bullets|"
    r"listenpunkte|aufzahlungspunkte|punkten?|elements|puces|elementos|puntos|vinetas|elementi|"
    r"punti|"
    r"itens|pontos|punten|opsommingen|punkter|пункт(?:ов|ы)"
)
"""Entries of a list in a document."""
TIMES = (
    r"how many times|how often|wie oft|wie haufig|wievielmal|wie viele male|combien de fois|"
    r"cuantas veces|quante volte|quantas vezes|hoe vaak|hoeveel keer|ile razy|hur manga ganger|"
    r"hvor mange ganger|hvor ofte|hur ofta|kolikrat|сколько раз|как часто"
)
MENTION = (
    r"mention(?:s|ed|ing)?|contain(?:s|ed|ing)?|include[sd]?|including|refer(?:s|red|ring)? to|"
    r"referenc(?:es?|ed|ing)|cites?|cited|citing|appears?|occurs?|talk(?:s|ing)? about|"
    r"(?:have|has|use|uses|with|containing) the (?:exact )?(?:words?|terms?|phrases?|names?|"
    r"strings?)|"
    r"(?:are|is) named|(?:is|are) found|"
    r"erwahn(?:en|t|ung)|enthalten|enthalt|nennen|genannt|beinhalten|beinhaltet|vorkomm(?:en|t)|"
    r"kommt|kommen|"
    r"mentionn(?:ent|e|ee?s?)|contien(?:nen)?t|cite(?:nt|e|es)?|parlent (?:de|d')|apparait|"
    r"apparaissent|evoquent|mencion(?:an|a|ad[oa]s?)|contienen?|incluyen?|citan?|citad[oa]s?|"
    r"aparecen?|hablan de|nombran|menzion(?:ano|a|at[oaie])|conten(?:gono|ga)|contiene|citan?o?|"
    r"citat[oaie]|parlano di|compare|compaiono|appare|nominano|mencionam?|contem|citam?|falam de|"
    r"noemen|vermelden|bevatten|bevat|genoemd|vermeld|voorkom(?:en|t)|komt|"
    r"wspomina(?:ja)?|zawiera(?:ja)?|wymienia(?:ja)?|wspomnian[yaeo]|wymienion[yaeo]|wystepuje|"
    r"zminuji|obsahuji|namner|innehaller|namns|nevner|inneholder|nevnes|forekommer|"
    r"упомина(?:ют|ет|ется|ются)|содерж(?:ат|ит)|встреча(?:ется|ются)"
)
"""Says that a text holds words."""
TERM_NOUN = (
    r"(?:exact )?(?:words?|terms?|phrases?|names?|strings?|expressions?|texts?)|"
    r"(?:das |der |die |den )?(?:wort|worter|begriffe?|ausdruck|namen?|phrase)|"
    r"(?:le |la |l')?(?:mots?|termes?|noms?|expression)|"
    r"(?:la |el )?(?:palabras?|terminos?|nombres?|frases?|expresion)|"
    r"(?:la |il )?(?:parola|parole|termine|nome|frase)|(?:a |o )?(?:palavras?|termos?|nomes?)|"
    r"(?:het |de )?(?:woord(?:en)?|term|naam)|slow[oa]|slova?|ordet|слово|слова|термин"
)
TABLE = (
    r"tables?|lists?|spreadsheets?|sheets?|csv|xlsx?|tsv|worksheets?|database|register|inventory|"
    r"tabellen?|listen?|blatt|verzeichnis|tableaux?|listes?|feuilles?|tablas?|hojas?|listas?|"
    r"tabell[ae]|fogli[oi]?|elenc[oi]|tabelas?|folhas?|planilhas?|lijst(?:en)?|werkblad|tabel|"
    r"tabel[ia]|arkusz[ua]?|liscie|listan|tabellen|таблиц[аеы]|списк[еа]"
)
EXISTING = (
    r"(?:are|is) (?:there|listed|stored|recorded|in|on|from|of|with|without|by|to|for|about|dated|"
    r"due|"
    r"unpaid|open|closed|active|older|newer|after|before|since|located|based|between|under|over)|"
    r"(?:do|did) (?:i|we|you) (?:have|know|own|keep|get|receive|send)|have i|exist|over|under|"
    r"above|below|more than|less than|at least|(?:are|"
    r"were) (?:created|written|dated|made|issued)|there (?:are|"
    r"is)|(?:i|we) have|es gibt|ich habe|wir haben|"
    r"(?:come|live|work|cost|belong|date|weigh|earn)s?|have|has|about|concerning|with|without|from|"
    r"in|on|by|of|since|"
    r"before|after|to|between|for|dated|older|newer|where|whose|that|who|which|"
    r"sind|gibt|habe(?:n)?|liegen|stammen|kommen|wohnen|arbeiten|leben|kosten|stehen|mit|ohne|aus|"
    r"von|vom|im|seit|vor|nach|fur|uber|zwischen|deren|die|"
    r"y a-t-il|il y a|sont|datent|j'ai|ai-je|avons-nous|viennent|habitent|avec|sans|depuis|avant|"
    r"apres|"
    r"dans|du|de|d|des|en|a|au|aux|pour|entre|dont|qui|existe(?:nt)?|"
    r"hay|son|tengo|tenemos|existen|viven|vienen|con|sin|desde|antes|despues|del|para|que|"
    r"ci sono|sono|ho|abbiamo|esistono|vivono|vengono|senza|dal|prima|dopo|di|da|della|nel|nella|"
    r"nei|"
    r"per|tra|che|ha|existem|sao|tenho|temos|vivem|com|sem|do(?! (?:i|you|we|they|it) )|dos|das|no|"
    r"na|nos|nas|"
    r"zijn|heb|hebben|staan|bestaan|wonen|komen|met|zonder|uit|van|sinds|voor|na|"
    r"jest|sa|mam|mamy|z|ze|bez|od|w|pochodzi|mieszka|finns|har|med|fran|utan|i|pa|ar|er|fra|"
    r"есть|у|в|из|с|от|без|за|имеется|находится|содержится"
)
"""How a question goes on that asks what is there, and not what somebody has or did."""
ARE_SO = (
    r"(?:are|is) (?:there|listed|stored|recorded|in|on|from|of|with|without|by|to|for|about|dated|"
    r"due|"
    r"paid|unpaid|open|closed|active|older|newer|after|before|since|located|based|between|under|"
    r"over)|"
    r"(?:do|did) (?:i|we) (?:have|own|keep|get|receive|send)|have i|dated|from|with|"
    r"sind|habe ich|haben wir|stammen|kommen|datieren|sont|datent|ai-je|avons-nous|viennent|"
    r"son|tengo|tenemos|vienen|sono|ho|abbiamo|vengono|sao|tenho|temos|vem|zijn|heb ik|hebben we|"
    r"komen|"
    r"sa|mam|mamy|pochodza|har (?:jag|vi)|ar|er|есть|у меня"
)
"""The same after `which`, which asks for other things more often."""
PAST = (
    r"(?:have|has) (?:been|[a-z]+ed)|were|was|did|had|wurden?|waren?|etait|etaient|ont ete|fueron|"
    r"furono|foram|werden|byl[oy]?"
)
HOLDS = (
    r"does|do|has|have|contient|enthalt|contiene|contem|bevat|hat|haben|a|ont|tiene|tienen|ha|"
    r"hanno|tem|heeft|hebben|ma|maja|har"
)
"""Before or after the name of the table that rows are counted of."""
UNSPACED = (
    r"(?:我|一共|总共)*有?(?P<many>多少|几)[个份封张条行]?(?P<noun>文件|文档)"
    r"(?:(?:提到|提及|包含|含有)了?(?P<term>.+))?",
    r"(?:哪些|列出所有|列出全部)(?P<noun>文件|文档)(?:提到|提及|包含|含有)了?(?P<term>.+)",
    r"列出(?:所有|全部)(?P<kind>合同|发票|信件|报告|收据|证书)",
    r"(?:我|一共|总共)*有?(?P<many>多少|几)[个份封张条行]?(?P<kind>合同|发票|信件|报告|收据|证书)",
    r"(?P<term>.+?)(?:に言及している|に言及する|を含む|が含まれる|が出てくる)(?P<noun>ファイル|"
    r"文書|ドキュメント)"
    r"(?:は|を)?(?:(?P<many>いくつ|何件|何個)(?:あります|ある|です)?か?|(?:すべて|全て)?(?:挙げ|教え|一覧|どれ).*)?",
)
"""Whole questions in Chinese and Japanese, which part words by no space."""
