"""Small words of conditions in many languages, folded (`terms.fold`), each once."""

from __future__ import annotations

FILLERS = (
    "a all alle allen altogether an and any are as at available be by can come comes contain "
    "contains currently data das database dated de del den der des die din do does du each "
    "ein eine einen en entries entry et every exist file files for from had han has have here "
    "het i in is it its la las le les list listed live lives living located lo los mein meine "
    "me mes mi mina mis mon my of on our out overall people records record recorded rows row "
    "lines line shown sono son sont spreadsheet sheet stored table tabelle tabella tabla "
    "tableau tabel tabela that the their them there these they this those to total totals und "
    "used us we where which who whose with work works you your auf aus bei dem es gibt hat "
    "habe haben ich ist kommen kommt leben lebt liegen mit sind stammen stehen steht von vom "
    "wir wohnen wohnt zu zum zur im liste datei insgesamt ai au aux avec avons dans dont "
    "entre est existe fichier habitent il ils nous ont pour qui que sur un une viennent "
    "y-a-t-il y au-total j'ai a-t-il t-il al archivo con cuantos donde el ella esta estan "
    "existen fichero hay lista para por se su sus tengo tenemos tiene tienen una unos viven "
    "vienen abbiamo che ci da dal dalla dei della delle di e elenco gli hanno ho nel nella "
    "nei nelle per tra uno vengono vivono l ao arquivo com dos ha meus minhas na nas no nos "
    "os planilha pela pelo sao tem tenho temos um uma vem vivem existem aan bestand bij dat "
    "een er heb hebben heeft ik komen lijst met mijn naar onze op staan uit van voor wij "
    "wonen zijn sa jest mam mamy od plik w z ze pochodzi mieszka tabeli ar av det fil finns "
    "fran har jag med pa som till vi в есть из на с со таблице файле от для у меня нас мы "
    "were was been wurde wurden waren war etaient fueron furono foram werden byly contient "
    "enthalt contiene contem bevat placed made created issued given written erstellt "
    "aufgegeben geschrieben passees hechos hechas fatti fatte feitos feitas gemaakt geplaatst"
)
"""Words that say nothing about which things are meant; no word that denies is among them."""
AGE_COLUMN = "age alter edad eta idade leeftijd wiek alder"
"""Columns that `older than` is about."""
PRICE_COLUMN = (
    "amount total price cost sum value betrag preis summe kosten montant prix importe precio "
    "importo prezzo valor preco bedrag prijs kwota cena belopp pris сумма цена"
)
"""Columns that `over 1,000` is about."""
ABOUT = (
    "with from by to for about of regarding concerning mentioning mit von vom an fur uber zu "
    "avec de du d a pour sur con para sobre del per su di da com met van voor over aan med "
    "fran till om z od do dla o с от для о об"
)
"""What a name follows that a file must mention."""
DENIALS = (
    "not no without except never ohne nicht kein keine ausser sans pas sauf sin excepto "
    "senza non tranne sem nao exceto zonder niet geen behalve bez nie oprocz utan inte ej без "
    "не кроме"
)
ENDINGS = (
    "s es e en n er ern nen innen i o a os as ies y ie ow ami om ar or at ete na et и ы а ов ей ам"
)
"""Of the forms of a word."""
DIFFERENT = (
    "different distinct unique verschiedene unterschiedliche differents differentes distintos "
    "distintas diversi diverse diferentes verschillende roznych olika разных"
)
"""Asks for every value once."""
HOLDERS = (
    "list lists listing table sheet data database register inventory overview export import "
    "master final new old copy draft current all total liste tabelle daten datenbank "
    "verzeichnis ubersicht bestand stammdaten stamm kartei kopie neu alt aktuell gesamt "
    "donnees tableau fichier registre lista tabla datos registro tabella elenco dati lijst "
    "gegevens overzicht rejestr baza csv xlsx"
)
"""Words that say only that things are held together."""
THINGS_IN_FILES = (
    "image images picture pictures photo photos table tables chart charts figure figures link "
    "links attachment attachments comment comments macro macros formula formulas password "
    "passwords error errors bilder bild tabellen tabelle diagramme anhange kommentare "
    "tableaux liens imagenes tablas enlaces immagini collegamenti imagens tabelas "
    "afbeeldingen"
)
"""What files contain without naming it."""
UNITS = "euro euros eur € dollars usd $ years jahre ans anos anni jaar lat old"
"""What may follow a number."""
